/** The limit of shrinking at which partners stop until a manual approval. */

/** Of ten listings, this many must remain. */
const KEPT_OF_TEN = 9;

/** True when more than a tenth of the listings is gone. */
export function isShrunken(before: number, now: number): boolean {
  return now * 10 < before * KEPT_OF_TEN;
}
