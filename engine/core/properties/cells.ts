/**
 * Values of nights for operators: what is set and what is taken. They come from the functions that
 * decisions use, so that the calendar shows what is sold.
 */

import { priceInputAt } from "../availability/quoting.ts";
import { type RateSource, rateSource } from "../price/rate-source.ts";
import type { Restriction } from "../rules.ts";
import { windowEnd } from "../state/nights.ts";
import {
  type Ceiling,
  ceilingUsed,
  effectiveCapacity,
  type RoomState,
  UNSET_U16,
} from "../state/room-state.ts";
import type { Offer, State } from "../state/state.ts";
import type { Release, RoomType } from "../supply.ts";

/** A ceiling on a night; null in its scope means every rate plan or every agent. */
export interface CeilingCell {
  readonly rate_plan_id: string | null;
  readonly agent_id: string | null;
  readonly limit: number;
  readonly used: number;
  readonly release: Release | null;
}

/** A night of a room type. */
export interface RoomCell {
  readonly capacity: number;
  readonly out_of_order: number;
  readonly overbooking_limit: number;
  /** Units that may be taken, computed from the three above. */
  readonly effective: number;
  readonly sold: number;
  readonly held: number;
  /** Units left of them; ceilings may leave fewer. */
  readonly left: number;
  /** Units taken above `effective`: these guests must be moved. */
  readonly oversold: number;
  readonly restrictions: Restriction;
  readonly ceilings: readonly CeilingCell[];
}

/** The night of a room type, over all rate plans. */
export function roomCell(roomType: RoomType, room: RoomState, day: number): RoomCell {
  const effective = effectiveCapacity(roomType, room, day);
  const out_of_order = room.outOfOrder.get(day);
  const extra = room.overbooking.get(day);
  const overbooking_limit = extra === UNSET_U16 ? roomType.overbooking_limit : extra;
  const sold = room.sold.get(day);
  const held = room.held.get(day);
  return {
    capacity: effective + out_of_order - overbooking_limit,
    ...{ out_of_order, overbooking_limit, effective, sold, held },
    left: Math.max(0, effective - sold - held),
    oversold: Math.max(0, sold + held - Math.max(0, effective)),
    restrictions: room.restrictions.get(day)?.values ?? {},
    ceilings: room.ceilings.flatMap((ceiling) => ceilingCell(ceiling, room, day) ?? []),
  };
}

function ceilingCell(ceiling: Ceiling, room: RoomState, day: number): CeilingCell | null {
  const limit = ceiling.limit.get(day);
  if (limit === UNSET_U16) return null;
  const { rate_plan_id, agent_id } = ceiling;
  const release = ceiling.releases?.get(day) ?? null;
  return { rate_plan_id, agent_id, limit, used: ceilingUsed(ceiling, room, day), release };
}

/** A night of a rate plan. */
export interface PlanCell {
  /** Minor units of the plan's currency. */
  readonly amount: number;
  readonly extra_adult: number;
  readonly rate_source: RateSource;
  readonly restrictions: Restriction;
}

const ANYONE = { adults: 1, children: [] };

/** Nights of a rate plan from a day on. */
export function planCells(offer: Offer, firstDay: number, nights: number): PlanCell[] {
  const input = priceInputAt(offer, {
    ...{ checkInDay: firstDay, nights, party: ANYONE },
    todayDay: null,
  });
  const { nightly, extraAdult, sources } = input;
  return nightly.map((amount, i) => ({
    amount,
    extra_adult: typeof extraAdult === "number" ? extraAdult : extraAdult[i]!,
    rate_source: rateSource(sources[i]),
    restrictions: offer.planState.restrictions.get(firstDay + i)?.values ?? {},
  }));
}

/** The last night that can have values. */
export function lastKeptDay(state: State): number {
  return windowEnd(state.baseDay) - 1;
}
