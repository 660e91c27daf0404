/**
 * Finds the last event that an endpoint missed while it was disabled. The endpoint's next event has
 * it as `prev_seq`, so a receiver that compares the numbers notices the gap. The search goes from
 * the newest row back, a slice at a time; for frequent events the first slice is enough.
 */

import { textsOf } from "../../../engine/core/codec/row-codec.ts";
import { RecordDamaged } from "../../../engine/core/record-damage.ts";
import type { Replica } from "../../../engine/log/replica.ts";
import { type Endpoint, lastWanted } from "../endpoint.ts";
import { wants } from "../send/ota.ts";
import type { Progress } from "./derivation.ts";
import { publicEventsOf } from "./journal-rows.ts";

const SLICE_ROWS = 1_024;

export class MissedEvents {
  readonly #replica: Pick<Replica, "rowsBetween" | "eventLookups" | "state">;
  readonly #now: () => number;
  /** By endpoint id and version: rows after this one have no wanted event. */
  readonly #searchedTo = new Map<string, number>();

  /** `now`: engine time, epoch milliseconds. */
  constructor({ replica, now }: { readonly replica: Replica; readonly now: () => number }) {
    this.#replica = replica;
    this.#now = now;
  }

  /**
   * The `seq` of the last wanted event up to `after_row`; the one of its progress if it missed
   * none; null while rows remain to be searched.
   */
  lastSeq(endpoint: Endpoint, { row, seq }: Progress): number | null {
    const asItIs = `${endpoint.endpoint_id} ${endpoint.version}`;
    const last = this.#searchedTo.get(asItIs) ?? endpoint.after_row;
    const before = Math.max(row, last - SLICE_ROWS);
    const found = this.#lastBetween(endpoint, before + 1, last);
    if (found === null && before > row) {
      this.#searchedTo.set(asItIs, before);
      return null;
    }
    this.#searchedTo.delete(asItIs);
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
      const all = publicEventsOf(chained, eventLookups);
      // The row's kinds match, so an event may have been missed.
      if (all instanceof RecordDamaged) return wanted;
      const unlisted = all.findLast((each) => wants(endpoint, each, row, at));
      if (unlisted) return unlisted.event.seq;
    }
    return null;
  }
}
