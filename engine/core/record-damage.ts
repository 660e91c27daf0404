/** What is found when a record cannot be trusted; which records there are is `records.ts`. */
import type { Booking, Hold, Payment, Refund } from "./records.ts";

/** What is at rest in the projections, by kind. */
export interface RecordsByKind {
  readonly hold: Hold;
  readonly booking: Booking;
  readonly payment: Payment;
  readonly refund: Refund;
}
/** `subject_key`: the wrapped data key of a booking's personal data, under the booking's id. */
export const RECORD_KINDS = ["hold", "booking", "payment", "refund", "subject_key"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/**
 * A record that others name is missing, or is not what was written. It is thrown while deciding or
 * reading, costs that call alone and is mended by a rebuild; the fold never meets one, because
 * what it will read has been read before (`evolve/reads.ts`).
 */
export class RecordDamaged extends Error {
  override readonly name = "RecordDamaged";
  readonly kind: RecordKind;
  readonly id: string;
  readonly problem: string;

  constructor(kind: RecordKind, id: string, problem: string) {
    super(`record_damaged: ${kind} ${id} ${problem}`);
    this.kind = kind;
    this.id = id;
    this.problem = problem;
  }
}

/** A record that must be there: another record, or a state, names it. Throws `RecordDamaged`. */
export function recorded<T>(record: T | null, kind: RecordKind, id: string): T {
  if (record === null) throw new RecordDamaged(kind, id, "is missing");
  return record;
}
