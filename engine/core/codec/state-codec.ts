/**
 * State as text chunks, for snapshots and for comparing two states bit for bit. Derived look-ups
 * are left out and rebuilt. The order of every collection is fixed, so equal states encode to equal
 * bytes.
 */

import { roomOf } from "../holds/units.ts";
import { openIncident } from "../oversell/folds.ts";
import type { OpenIncident } from "../oversell-terms.ts";
import { quoteText, readQuote } from "../price/quote-codec.ts";
import { setNames } from "../properties/tree-fold.ts";
import type { Hold, Payment } from "../records.ts";
import { type RestrictedNight, type Restriction, restrictedNight } from "../rules.ts";
import { LastChanges } from "../state/last-changes.ts";
import { indexAwaited, indexPayment } from "../state/open-payments.ts";
import { type Ceiling, PlanState, type RealmSheets, RoomState } from "../state/room-state.ts";
import { type AwaitedRefund, type PropertyEntry, State } from "../state/state.ts";
import type { Release } from "../supply.ts";
import { packNights, Unpacker } from "./packed-nights.ts";

/** Incremented when the fold or this encoding changes meaning; older snapshots are then ignored. */
export const STATE_FORMAT = 1;

const HOLDS_PER_CHUNK = 2_000;

export interface Chunk {
  readonly name: string;
  readonly text: string;
}

function sortedByKey<V>(map: ReadonlyMap<string, V>): [string, V][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function restrictionPairs(map: ReadonlyMap<number, RestrictedNight>): [number, Restriction][] {
  const order = (r: Restriction) => Object.fromEntries(Object.entries(r).sort());
  return [...map].sort(([a], [b]) => a - b).map(([day, { values }]) => [day, order(values)]);
}

function releasePairs(releases: ReadonlyMap<number, Release>): [number, Release][] {
  const ordered = (release: Release): Release => {
    const { strategy } = release;
    return strategy === "fixed"
      ? { strategy, at: release.at }
      : { strategy, days_before: release.days_before };
  };
  return [...releases].sort(([a], [b]) => a - b).map(([day, each]) => [day, ordered(each)]);
}

function roomJson(room: RoomState) {
  const { capacity, outOfOrder, overbooking, sold, held } = room;
  return {
    nights: [capacity, outOfOrder, overbooking, sold, held].map(packNights),
    restrictions: restrictionPairs(room.restrictions),
    ceilings: room.ceilings.map((ceiling) => ({
      rate_plan_id: ceiling.rate_plan_id,
      agent_id: ceiling.agent_id,
      limit: packNights(ceiling.limit),
      used: ceiling.used && { nights: packNights(ceiling.used) },
      ...(ceiling.releases?.size && { releases: releasePairs(ceiling.releases) }),
      ...changesJson(ceiling),
    })),
    plans: sortedByKey(room.plans).map(([id, plan]) => ({
      id,
      amount: packNights(plan.amount),
      extraAdult: packNights(plan.extraAdult),
      restrictions: restrictionPairs(plan.restrictions),
      ...changesJson(plan),
    })),
    ...changesJson(room),
  };
}

function changesJson({ changes }: { readonly changes: LastChanges | null }) {
  const packed = changes?.pack() ?? [];
  return packed.length > 0 ? { changes: packed } : {};
}

function cellsJson(rooms: ReadonlyMap<string, RoomState>): [string, ReturnType<typeof roomJson>][] {
  return sortedByKey(rooms).map(([id, room]) => [id, roomJson(room)]);
}

function propertyJson(property: PropertyEntry) {
  const { tenant_id, mode, state, version, first_live_row, supply_version, tree } = property;
  return {
    ...{ tenant_id, mode, state, version, first_live_row, supply_version, tree },
    changes_known_from: property.changesKnownFrom,
    versions: property.versions.map(({ row, timezone }) => [row, timezone] as const),
    rooms: cellsJson(property.rooms),
    retired: cellsJson(property.retired),
  };
}

function globalsJson(state: State) {
  return {
    row: state.row,
    stamp: state.stamp,
    baseDay: state.baseDay,
    keptDay: state.keptDay,
    forgottenDay: state.forgottenDay,
    tenants: sortedByKey(state.tenants).map(([id, tenant]) => ({
      id,
      seq: tenant.seq,
      rows: tenant.rows,
      fx: tenant.fx,
      authorization_policy: tenant.authorizationPolicy,
      test_clock: state.testClocks.get(id) ?? null,
    })),
    // In waiting order: `nextGivenUp` reads only the first, and ids follow a clock that may have
    // been set.
    payments: [...state.payments.values()],
    awaiting_refund: [...state.awaitingRefund.values()],
    incidents: [...state.incidents.values()],
  };
}

/** The whole state, chunk by chunk, in a fixed order. */
export function* encodeState(state: State): Iterable<Chunk> {
  yield { name: "globals", text: JSON.stringify(globalsJson(state)) };
  for (const [tenantId, { properties }] of sortedByKey(state.tenants)) {
    for (const property of [...properties.live.values(), ...properties.test.values()]) {
      const name = `property:${tenantId}:${property.mode}:${property.tree.id}`;
      yield { name, text: JSON.stringify(propertyJson(property)) };
    }
  }
  const holds = [...state.holds.values()].sort((a, b) => (a.hold_id < b.hold_id ? -1 : 1));
  for (let at = 0; at < holds.length; at += HOLDS_PER_CHUNK) {
    const slice = holds.slice(at, at + HOLDS_PER_CHUNK);
    const packed = slice.map((hold) => ({ ...hold, quote: quoteText(hold.quote) }));
    yield { name: `holds:${at}`, text: JSON.stringify(packed) };
  }
}

/** Nights with equal restrictions share one object. */
function restoreRestrictions(
  target: RoomState | PlanState,
  pairs: ReturnType<typeof restrictionPairs>,
): void {
  const nights = new Map<string, RestrictedNight>();
  for (const [day, values] of pairs) {
    const text = JSON.stringify(values);
    const night = nights.get(text) ?? restrictedNight(values);
    nights.set(text, night);
    target.restrict(day, night);
  }
}

function roomFrom(
  json: ReturnType<typeof roomJson>,
  sheets: RealmSheets,
  unpacker: Unpacker,
): RoomState {
  const room = new RoomState(sheets);
  const targets = [room.capacity, room.outOfOrder, room.overbooking, room.sold, room.held];
  targets.forEach((nights, i) => {
    unpacker.unpack(nights, json.nights[i] ?? null);
  });
  restoreRestrictions(room, json.restrictions);
  room.changes = LastChanges.unpack(json.changes ?? []);
  for (const { rate_plan_id, agent_id, limit, used, releases, changes } of json.ceilings) {
    const ceiling: Ceiling = {
      rate_plan_id,
      agent_id,
      limit: unpacker.unpack(sheets.ceilingLimit.take(), limit),
      used: used && unpacker.unpack(sheets.ceilingUsed.take(), used.nights),
      releases: releases ? new Map(releases) : null,
      changes: LastChanges.unpack(changes ?? []),
    };
    room.ceilings.push(ceiling);
  }
  for (const { id, amount, extraAdult, restrictions, changes } of json.plans) {
    const plan = new PlanState(sheets);
    unpacker.unpack(plan.amount, amount);
    unpacker.unpack(plan.extraAdult, extraAdult);
    restoreRestrictions(plan, restrictions);
    plan.changes = LastChanges.unpack(changes ?? []);
    room.plans.set(id, plan);
  }
  return room;
}

function restoreProperty(
  state: State,
  json: ReturnType<typeof propertyJson>,
  unpacker: Unpacker,
): void {
  const { tenant_id, mode, state: propertyState, version, first_live_row, supply_version } = json;
  const entry = { tenant_id, mode, state: propertyState, version, first_live_row, supply_version };
  const { tree } = json;
  const versions = json.versions.map(([row, timezone]) => ({ row, timezone }));
  const tenant = state.tenant(tenant_id);
  const sheets = tenant.sheets[mode];
  const byId = new Map(json.rooms);
  const cells = (room: ReturnType<typeof roomJson>) => roomFrom(room, sheets, unpacker);
  const rooms = new Map(tree.room_types.map(({ id }) => [id, cells(byId.get(id)!)]));
  const retired = new Map(json.retired.map(([id, room]) => [id, cells(room)]));
  // Snapshots of 0.3.0 have no changes: what was set before them counts as set at their end.
  const changesKnownFrom = json.changes_known_from ?? tenant.seq[mode];
  const cellsAndTree = { tree, versions, changesKnownFrom, rooms, retired };
  tenant.properties[mode].set(tree.id, { ...entry, ...cellsAndTree });
  setNames(tenant, mode, tree);
}

function restoreGlobals(state: State, json: ReturnType<typeof globalsJson>): void {
  state.row = json.row;
  state.stamp = json.stamp;
  state.baseDay = json.baseDay;
  state.keptDay = json.keptDay;
  state.forgottenDay = json.forgottenDay;
  for (const { id, seq, rows, fx, authorization_policy, test_clock } of json.tenants) {
    const tenant = state.tenant(id);
    Object.assign(tenant.seq, seq);
    Object.assign(tenant.rows, rows);
    tenant.fx = fx;
    // Snapshots of 0.3.0 have no policy and no test clock.
    Object.assign(tenant.authorizationPolicy, authorization_policy);
    if (test_clock) state.testClocks.set(id, test_clock);
  }
  for (const payment of json.payments as Payment[]) {
    indexPayment(state, payment);
  }
  for (const awaited of json.awaiting_refund as AwaitedRefund[]) {
    indexAwaited(state, awaited);
  }
}

/**
 * Restores what `encodeState` wrote.
 *
 * @throws Error for an unknown chunk name.
 */
export function decodeState(
  chunks: Iterable<Chunk>,
  options: { readonly tracksExpiry: boolean },
): State {
  const state = new State(options);
  const unpacker = new Unpacker();
  /** Entered when their rooms are there; snapshots of 0.3.0 have none. */
  let incidents: readonly OpenIncident[] = [];
  for (const { name, text } of chunks) {
    const [kind] = name.split(":");
    const json = JSON.parse(text);
    if (kind === "globals") {
      restoreGlobals(state, json);
      incidents = json.incidents ?? [];
    } else if (kind === "property") restoreProperty(state, json, unpacker);
    else if (kind === "holds") for (const packed of json) restoreHold(state, packed);
    else throw new Error(`unknown snapshot chunk ${name}`);
  }
  rebuildRunningKeys(state);
  for (const incident of incidents) openIncident(state, incident);
  return state;
}

function restoreHold(state: State, packed: Omit<Hold, "quote"> & { readonly quote: string }): void {
  const quote = readQuote(packed.quote, packed.tenant_id, packed.mode);
  state.holds.add({ ...packed, quote }, roomOf(state, quote));
}

/** A key is running while its payment's hold waits for the payment. */
function rebuildRunningKeys(state: State): void {
  for (const payment of state.payments.values()) {
    const hold = state.holds.get(payment.hold_id);
    if (hold?.state === "confirming" && hold.payment_id === payment.payment_id) {
      state.runningKeys.set(payment.key, payment.payment_id);
    }
  }
}
