/** A bug on purpose, and the test that must see it. */

export interface Mutant {
  readonly name: string;
  /** Relative to the repository. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The test that must turn red: its file, and its name or how that begins. */
  readonly killer: string;
  readonly test: string;
}
