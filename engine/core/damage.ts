/** Damage: stored data that is missing or not what was written. */

/** The check that failed: its name in logs, in `/readyz` and in refusals. */
export type DamageName =
  | "record_damaged"
  | "journal_row_damaged"
  | "journal_gap"
  | "journal_chain_broken"
  | "journal_behind_witness"
  | "journal_unreadable"
  | "journal_of_other_store"
  | "segment_missing"
  | "segment_damaged"
  | "lanes_changed"
  | "clock_behind_journal"
  | "clock_ahead_of_journal";

/** Only an operator can repair damage, so the caller of a refused call waits long. */
export const DAMAGE_RETRY_AFTER_S = 60;

/**
 * The one error for damage, which is refused and never repaired silently: a commit is atomic, so a
 * torn row is never legitimate. The remedies for an operator are in `engine/log/care/damage.ts`.
 */
export class Damage extends Error {
  override readonly name: string = "Damage";
  readonly damage: DamageName;
  /** The file, row or record, and what is wrong with it. */
  readonly text: string;
  /** Equal for the same damage, although `text` may contain changing figures such as seconds. */
  readonly situation: string;

  constructor(damage: DamageName, text: string, situation = text) {
    super(`${damage}: ${text}`);
    this.damage = damage;
    this.text = text;
    this.situation = situation;
  }

  /** The detail of a call that is refused because of it. */
  get detail(): Readonly<Record<string, string>> {
    return { upstream: "journal", damage: this.damage };
  }
}
