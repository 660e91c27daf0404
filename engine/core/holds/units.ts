/**
 * Units in cells: the only code that changes `held` and `sold`, so that the counting rule of
 * `room-state.ts` is in one place. Forgotten nights are skipped.
 */

import { type Row, timeOf } from "../events/event.ts";
import { checkInDayOf, nightCountOf } from "../price/quote-codec.ts";
import type { Hold, HoldState, RecordSink } from "../records.ts";
import { type Nights, pageStart } from "../state/nights.ts";
import { ceilingApplies, type RoomState } from "../state/room-state.ts";
import { cellsOf, type State } from "../state/state.ts";
import type { Realm } from "../supply.ts";

export interface UnitMove extends Realm {
  readonly rate_plan_id: string;
  readonly agent_id: string;
  readonly firstDay: number;
  readonly nights: number;
}

/** The cells in which the units of a room type are counted. */
export function roomOf(
  state: State,
  at: Realm & { readonly property_id: string; readonly room_type_id: string },
): RoomState {
  return cellsOf(state.property(at, at.property_id)!, at.room_type_id)!;
}

/**
 * Counts units of a night, down to 0 at least: a night that was forgotten and came again, because
 * the clock was set back over the end of a page, has lost its counts.
 */
function count(nights: Nights, day: number, by: number): void {
  nights.add(day, by < 0 ? Math.max(by, -nights.get(day)) : by);
}

/** Adds to `held` and `sold` of every night, and to the ceilings that count the move. */
export function moveUnits(
  state: State,
  room: RoomState,
  move: UnitMove,
  held: number,
  sold: number,
): void {
  const end = move.firstDay + move.nights;
  const start = Math.max(move.firstDay, pageStart(state.keptDay));
  const nights = { held: room.held, sold: room.sold };
  for (let day = start; day < end; day += 1) {
    if (held !== 0) count(nights.held, day, held);
    if (sold !== 0) count(nights.sold, day, sold);
  }
  if (held + sold === 0) return;
  state.tenant(move.tenant_id).index[move.mode]?.unitsChanged(room, start, end);
  for (const ceiling of room.ceilings) {
    if (!ceiling.used || !ceilingApplies(ceiling, move.rate_plan_id, move.agent_id)) continue;
    for (let day = start; day < end; day += 1) count(ceiling.used, day, held + sold);
  }
}

/** The units of a hold's stay. */
export function moveOf({ quote, agent_id }: Pick<Hold, "quote" | "agent_id">): UnitMove {
  return {
    tenant_id: quote.tenant_id,
    mode: quote.mode,
    rate_plan_id: quote.rate_plan_id,
    agent_id,
    firstDay: checkInDayOf(quote),
    nights: nightCountOf(quote),
  };
}

/** Adds a new hold with its units to memory. */
export function placeUnits(state: State, hold: Hold): void {
  const room = roomOf(state, hold.quote);
  moveUnits(state, room, moveOf(hold), 1, 0);
  state.holds.add(hold, room);
}

/** Ends a hold: its units are freed, or sold when it is consumed. */
export function holdEnded(
  state: State,
  hold: Hold,
  end: Extract<HoldState, "released" | "expired" | "consumed">,
  row: Row,
  sink: RecordSink | null,
): void {
  const room = state.holds.remove(hold);
  moveUnits(state, room, moveOf(hold), -1, end === "consumed" ? 1 : 0);
  hold.state = end;
  hold.ended_at = timeOf(row);
  if (hold.rows.at(-1) !== row.row) hold.rows.push(row.row);
  sink?.putHold(hold);
}
