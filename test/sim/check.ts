/** How the simulation says that something is wrong; the runner adds the seed and the step. */

export class Mismatch extends Error {
  override readonly name = "Mismatch";
}

/** Throws unless the invariant holds. */
export function check(holds: boolean, message: string | (() => string)): asserts holds {
  if (!holds) throw new Mismatch(typeof message === "string" ? message : message());
}

/** Throws unless both are the same text once written as JSON. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Mismatch(`${what}: ${a} instead of ${b}`);
}
