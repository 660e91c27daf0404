/**
 * Damage is refused, never repaired silently: a commit is atomic, so a torn row is never
 * legitimate. The name says which check failed.
 */
export type DamageName =
  | "journal_row_damaged"
  | "journal_gap"
  | "journal_chain_broken"
  | "journal_behind_witness"
  | "journal_unreadable"
  | "segment_missing"
  | "segment_damaged"
  | "lanes_changed"
  | "clock_behind_journal"
  | "clock_ahead_of_journal";

export class Damage extends Error {
  override readonly name = "Damage";
  readonly damage: DamageName;
  /** What happened, without its name. */
  readonly text: string;
  /** Equal for the same damage, although `text` may contain changing figures such as seconds. */
  readonly situation: string;

  constructor(damage: DamageName, text: string, situation = text) {
    super(`${damage}: ${text}`);
    this.damage = damage;
    this.text = text;
    this.situation = situation;
  }
}

/** SQLite errors about the moment, the machine or permissions, not about the file. */
const PASSING = /^SQLITE_(BUSY|LOCKED|FULL|READONLY|CANTOPEN|PERM|AUTH|NOMEM|INTERRUPT)/;

/**
 * Runs a step of opening or recovering a journal.
 *
 * @throws Damage `journal_unreadable` when SQLite cannot read the file; other errors unchanged.
 */
export function readingJournal<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
    if (typeof code !== "string" || !code.startsWith("SQLITE_") || PASSING.test(code)) throw error;
    throw new Damage("journal_unreadable", `${code}: ${(error as Error).message}`);
  }
}

/** The one SQLite error that the engine survives. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === "SQLITE_FULL";
}

/** Another engine has a newer epoch: this one must not write or answer any more. */
export class Fenced extends Error {
  override readonly name = "Fenced";
}
