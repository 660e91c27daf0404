/**
 * Names of settings that somebody nearly got right. An environment holds a hundred variables that
 * are nobody's business here, so a name counts only when hardly anything else can be meant by it.
 */

const UNITS = /_(S|MS|SECS?|SECONDS|MIN|MINUTES|DAYS|MB)$/;
/** Shorter words have neighbours of their own, as LANES has LINES. */
const LETTERS_MIN = 7;

const lettersOf = (name: string) => name.toUpperCase().replace(UNITS, "").replaceAll("_", "");

/** The one of `known` that `given`, which is none of them, is likely to mean; null when none is. */
export function suggestSimilar(given: string, known: Iterable<string>): string | null {
  const letters = lettersOf(given);
  return [...known].find((name) => isNear(letters, lettersOf(name))) ?? null;
}

/** The same letters but for underscores and unit, or with one slip of the keys. */
function isNear(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  const start = sharedStart(a, b);
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (a.length === b.length && restA[0] === restB[1] && restA[1] === restB[0]) {
    return restA.slice(2) === restB.slice(2);
  }
  if (Math.max(a.length, b.length) < LETTERS_MIN) return false;
  const endA = restA.slice(a.length >= b.length ? 1 : 0);
  return endA === restB.slice(b.length >= a.length ? 1 : 0);
}

function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
