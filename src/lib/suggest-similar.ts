/**
 * Suggestions for misspelt settings, options and commands. An environment has a hundred unrelated
 * variables, so only very similar names count.
 */

const UNITS = /_(S|MS|SECS?|SECONDS|MIN|MINUTES|DAYS|MB)$/;
/** Shorter names are similar to unrelated words, e.g. LANES and LINES. */
const LETTERS_MIN = 7;

const lettersOf = (name: string) => name.toUpperCase().replace(UNITS, "").replace(/[_ -]/g, "");

/**
 * The name in `known` that the unknown name `given` probably means; null without one. Names shorter
 * than `lettersMin` may only differ in separators or in the order of two letters.
 */
export function suggestSimilar(
  given: string,
  known: Iterable<string>,
  lettersMin = LETTERS_MIN,
): string | null {
  const letters = lettersOf(given);
  return [...known].find((name) => isNear(letters, lettersOf(name), lettersMin)) ?? null;
}

/** Equal except for separators and unit, or with one typing error. */
function isNear(a: string, b: string, lettersMin: number): boolean {
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  const start = sharedStart(a, b);
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (a.length === b.length && restA[0] === restB[1] && restA[1] === restB[0]) {
    return restA.slice(2) === restB.slice(2);
  }
  if (Math.max(a.length, b.length) < lettersMin) return false;
  const endA = restA.slice(a.length >= b.length ? 1 : 0);
  return endA === restB.slice(b.length >= a.length ? 1 : 0);
}

function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
