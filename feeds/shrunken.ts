/** When a list is so much shorter that partners stop at it until somebody approves. */

/** Of ten listings that a partner has, so many must be in the next list. */
const KEPT_OF_TEN = 9;

/** True when more than a tenth of what a partner has is gone. */
export function isShrunken(before: number, now: number): boolean {
  return now * 10 < before * KEPT_OF_TEN;
}
