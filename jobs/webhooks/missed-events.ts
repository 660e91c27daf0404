/**
 * What an endpoint has missed while it was disabled, as far as its list has to say so: the next
 * event that it gets names as `prev_seq` the last one that it would have had, so whoever compares
 * it with what it has knows that something is missing. Looked for from the newest row back, a slice
 * at a time: where events are asked for that there are many of, the first slice tells.
 */
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { textsOf } from "../../engine/core/row-codec.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import type { Progress } from "./derivation.ts";
import { type Endpoint, lastWanted } from "./endpoint.ts";
import { wants } from "./ota.ts";
import { tellRow } from "./telling.ts";

const SLICE_ROWS = 1_024;

export class MissedEvents {
  readonly #replica: Pick<Replica, "rowsBetween" | "eventLookups" | "state">;
  readonly #now: () => number;
  /** By endpoint as it is now: the rows after this one hold nothing that it asks for. */
  readonly #lookedTo = new Map<string, number>();

  /** `now`: engine time, epoch milliseconds. */
  constructor({ replica, now }: { readonly replica: Replica; readonly now: () => number }) {
    this.#replica = replica;
    this.#now = now;
  }

  /**
   * The `seq` of the last event up to `after_row` that the endpoint asks for, that of its progress
   * when it has missed none; null while there are rows to look at.
   */
  lastSeq(endpoint: Endpoint, { row, seq }: Progress): number | null {
    const asItIs = `${endpoint.endpoint_id} ${endpoint.version}`;
    const last = this.#lookedTo.get(asItIs) ?? endpoint.after_row;
    const before = Math.max(row, last - SLICE_ROWS);
    const found = this.#lastBetween(endpoint, before + 1, last);
    if (found === null && before > row) {
      this.#lookedTo.set(asItIs, before);
      return null;
    }
    this.#lookedTo.delete(asItIs);
    return found ?? seq;
  }

  #lastBetween(endpoint: Endpoint, first: number, last: number): number | null {
    const { tenant_id, mode, kinds } = endpoint;
    const words = { word: tenant_id, oneOf: kinds?.flatMap(textsOf) ?? [mode] };
    const { eventLookups, state } = this.#replica;
    const at = { state, nowMs: this.#now() };
    for (const chained of this.#replica.rowsBetween(first, last, words).reverse()) {
      const { row } = chained;
      if (row.tenant_id !== tenant_id || row.mode !== mode) continue;
      const wanted = lastWanted(endpoint, row.events);
      if (wanted === null) continue;
      const all = tellRow(chained, eventLookups);
      // What its kinds ask for may have been missed.
      if (all instanceof RecordDamaged) return wanted;
      const told = all.findLast((each) => wants(endpoint, each, row, at));
      if (told) return told.event.seq;
    }
    return null;
  }
}
