/**
 * What is declared of an event. Its type, the records read before its fold, its public form, its
 * place in audits and its documentation follow from this.
 */
import type { RecordsByKind } from "../record-damage.ts";
import type { Members } from "./members.ts";

/** Types of subjects. */
export const SUBJECT_TYPES = [
  ...(["property", "hold", "payment", "booking", "refund", "authorization", "incident"] as const),
  ...(["credential", "delegation_issuer", "webhook_endpoint", "feed", "tenant"] as const),
] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

export interface Declaration {
  /** One sentence for the documentation. */
  readonly meaning: string;
  readonly subject: SubjectType;
  /** The state of its hold, payment, booking, refund, authorization or incident; absent if kept. */
  readonly state?: string;
  /** Records that the fold changes; their ids are the members `<kind>_id`, null for none. */
  readonly reads?: readonly Exclude<keyof RecordsByKind, "hold">[];
  /** Journaled members; for events of properties and tenants the published ones. */
  readonly data: Members;
  /** Name of the schema of `data` in the documents, shared by events with the same data. */
  readonly dataName?: string;
}

/** The events of an aggregate by type. */
export type Declarations = Readonly<Record<string, Declaration>>;
