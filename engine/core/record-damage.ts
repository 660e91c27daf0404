/** Damage in records; the records are in `records.ts`. */
import type { Authorization } from "./authorization.ts";
import { Damage } from "./damage.ts";
import type { OversellIncident } from "./oversell-incident.ts";
import type { Booking, Hold, Payment, RecordReader, Refund } from "./records.ts";

/** The records of the projections, by kind. */
export interface RecordsByKind {
  readonly hold: Hold;
  readonly booking: Booking;
  readonly payment: Payment;
  readonly refund: Refund;
  readonly authorization: Authorization;
  readonly incident: OversellIncident;
}
/** `subject_key`: the wrapped data key of a booking's personal data, under the booking's id. */
export const RECORD_KINDS = [
  ...(["hold", "booking", "payment", "refund", "authorization", "incident"] as const),
  "subject_key",
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/**
 * A record that others refer to is missing or damaged. Thrown while deciding or reading; it fails
 * that call alone and a rebuild repairs it. The fold never meets one, because its reads are made
 * before (`decide.ts`).
 */
export class RecordDamaged extends Damage {
  override readonly name = "RecordDamaged";
  readonly kind: RecordKind;
  readonly id: string;
  readonly problem: string;

  constructor(kind: RecordKind, id: string, problem: string) {
    super("record_damaged", `${kind} ${id} ${problem}`);
    this.kind = kind;
    this.id = id;
    this.problem = problem;
  }

  override get detail() {
    return { upstream: "records", record: this.id };
  }
}

/** A record that another record or a state refers to. Throws `RecordDamaged` when it is missing. */
export function recorded<T>(record: T | null, kind: RecordKind, id: string): T {
  if (record === null) throw new RecordDamaged(kind, id, "is missing");
  return record;
}

/** Whether a record can be read: a damaged one must not fail what can do without it. */
export function isIntact(
  kind: Exclude<keyof RecordsByKind, "hold">,
  id: string,
  records: RecordReader,
): boolean {
  try {
    return records[kind](id) !== null;
  } catch (error) {
    if (error instanceof RecordDamaged) return false;
    throw error;
  }
}
