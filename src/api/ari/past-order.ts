/** What a fold of past nights is asked for, and what it finds: both travel as JSON. */
import type { Realm } from "../../../engine/core/supply.ts";
import type { Refusal } from "../../http/answer.ts";
import type { NightsData } from "./nights.ts";

export interface PastOrder {
  readonly journal_path: string;
  /** The last row that counts. */
  readonly row: number;
  /** The moment, epoch milliseconds. */
  readonly at_ms: number;
  readonly realm: Realm;
  readonly property_id: string;
  /** The checked query. */
  readonly query: readonly (readonly [name: string, value: string])[];
}

export type PastFound = { readonly ok: true; readonly data: NightsData } | Refusal;
