/**
 * Units in cells: the only code that moves `held` and `sold`, so the counting rule of
 * `room-state.ts` is kept in one place. Nights that are forgotten are skipped.
 */
import type { Row } from "../events.ts";
import { ExpiryHeap } from "../expiry-heap.ts";
import { type Nights, pageStart } from "../nights.ts";
import { checkInDayOf, nightCountOf } from "../quote-codec.ts";
import type { Hold, HoldState, RecordSink } from "../records.ts";
import { ceilingApplies, type RoomState } from "../room-state.ts";
import { cellsOf, type State } from "../state.ts";
import type { Realm } from "../supply.ts";

export interface UnitMove extends Realm {
  readonly property_id: string;
  readonly room_type_id: string;
  readonly rate_plan_id: string;
  readonly agent_id: string;
  readonly firstDay: number;
  readonly nights: number;
}

function roomOf(state: State, move: UnitMove): RoomState {
  return cellsOf(state.property(move, move.property_id)!, move.room_type_id)!;
}

/**
 * Counts units of a night. One that was forgotten and came again, because the clock was set back
 * over the end of a page, does not know who has taken it: then there is less to give back.
 */
function count(nights: Nights, day: number, by: number): void {
  nights.add(day, by < 0 ? Math.max(by, -nights.get(day)) : by);
}

/** Adds to `held` and `sold` of every night, and to the ceilings that count the move. */
export function moveUnits(state: State, move: UnitMove, held: number, sold: number): void {
  const room = roomOf(state, move);
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
    const from = Math.max(start, ceiling.usedFrom);
    for (let day = from; day < end; day += 1) count(ceiling.used, day, held + sold);
  }
}

/** The move a hold's stay stands for. */
export function moveOf(hold: Pick<Hold, "quote" | "agent_id">): UnitMove {
  const { quote } = hold;
  return {
    tenant_id: quote.tenant_id,
    mode: quote.mode,
    property_id: quote.property_id,
    room_type_id: quote.room_type_id,
    rate_plan_id: quote.rate_plan_id,
    agent_id: hold.agent_id,
    firstDay: checkInDayOf(quote),
    nights: nightCountOf(quote),
  };
}

/** A new hold enters memory: units, indexes, expiry. */
export function placeUnits(state: State, hold: Hold): void {
  moveUnits(state, moveOf(hold), 1, 0);
  indexHold(state, hold);
}

/**
 * A hold that is in memory, by its id and, where decisions are made, by quote, agent and expiry.
 * Those look-ups follow from the set of open holds; a restored snapshot rebuilds them.
 */
export function indexHold(state: State, hold: Hold): void {
  state.holds.set(hold.hold_id, hold);
  if (!state.expiries) return;
  state.holdsByQuote.add(hold);
  const { openHolds } = state.tenant(hold.tenant_id);
  const ofAgent = openHolds.get(hold.agent_id);
  if (ofAgent) ofAgent.add(hold.hold_id);
  else openHolds.set(hold.agent_id, new Set([hold.hold_id]));
  if (hold.state === "held") noteExpiry(state, hold);
}

/**
 * A held hold will fall due at its instant: found by the tick, which takes whatever is due, and by
 * its room type, so that a command on it need not wait for all that is due elsewhere.
 */
export function noteExpiry(state: State, hold: Hold): void {
  if (!state.expiries) return;
  state.expiries.push(hold.expires_at, hold.hold_id);
  const room = roomOf(state, moveOf(hold));
  room.expiries ??= new ExpiryHeap();
  room.expiries.push(hold.expires_at, hold.hold_id);
}

function forget(state: State, hold: Hold): void {
  state.holds.delete(hold.hold_id);
  if (!state.expiries) return;
  state.holdsByQuote.remove(hold);
  const { openHolds } = state.tenant(hold.tenant_id);
  const ofAgent = openHolds.get(hold.agent_id)!;
  ofAgent.delete(hold.hold_id);
  if (ofAgent.size === 0) openHolds.delete(hold.agent_id);
  // The tick empties the one heap; a room's would grow for ever if nobody were refused there.
  const isEnded = (at: number, id: string) => state.holds.get(id)?.expires_at !== at;
  roomOf(state, moveOf(hold)).expiries?.dropWhile(isEnded);
}

/** A hold ends: units go back, or become sold when it is consumed. */
export function holdEnded(
  state: State,
  hold: Hold,
  end: Extract<HoldState, "released" | "expired" | "consumed">,
  row: Row,
  sink: RecordSink | null,
): void {
  moveUnits(state, moveOf(hold), -1, end === "consumed" ? 1 : 0);
  forget(state, hold);
  hold.state = end;
  hold.ended_at = row.stamp;
  if (hold.rows.at(-1) !== row.row) hold.rows.push(row.row);
  sink?.putHold(hold);
}
