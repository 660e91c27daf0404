/**
 * What a group writes beside its rows, as values: the records that its rows change, data keys of
 * guests, and damage that it met. A store writes it in the transaction of the rows, or not at all.
 */
import type { GuestHashes } from "../core/parties.ts";
import type { RecordsByKind } from "../core/record-damage.ts";
import type { Finding } from "./care/quarantine.ts";
import { perKind, type StoredKind } from "./stored-record.ts";

/** The data key of a booking's guest, and the hashes by which the guest is found. */
export interface SubjectKey {
  readonly booking_id: string;
  readonly wrapped_key: string;
  readonly guest: GuestHashes;
}

/** Changed records by kind and id. */
export type RecordChanges = {
  readonly [K in StoredKind]: ReadonlyMap<string, RecordsByKind[K]>;
};

export interface Beside {
  readonly records: RecordChanges;
  /** By booking. */
  readonly subjectKeys: ReadonlyMap<string, SubjectKey>;
  /** Bookings whose data keys are deleted. */
  readonly erased: ReadonlySet<string>;
  readonly findings: Iterable<Finding>;
}

/** Rows alone. */
export const NOTHING_BESIDE: Beside = {
  ...{ records: perKind(() => new Map()), erased: new Set() },
  ...{ subjectKeys: new Map(), findings: [] },
};
