/** What the pages of figures read, and the form that chooses it. */
import type { Static } from "@sinclair/typebox";
import { instantIso } from "../../../engine/core/calendar.ts";
import type { Kpis } from "../../api/kpis/responses.ts";
import { type Answered, ask } from "../frame/api.ts";
import { textQuery } from "../frame/console-route.ts";
import type { Visit } from "../frame/visit.ts";
import { type Days, nameOf, type Range, rangeOf } from "./range.ts";

export type Figures = Static<typeof Kpis>;
export type Period = Figures["items"][number];
export type Money = Period["by_currency"][number];

export const PATH = "/console/figures";
export const PICKUP_DAYS = 7;

/** Fields of the form. */
export const FIGURES_QUERY = {
  property_id: textQuery("The hotel."),
  month: textQuery("The month."),
  from: textQuery("The first day."),
  to: textQuery("The last day."),
  compare_from: textQuery("The first day to compare with."),
};

/** Today by UTC, in the time of the visitor's mode. */
export function todayOf({ call: { context, principal } }: Visit): string {
  return instantIso(context.timeIn(principal)).slice(0, 10);
}

/** The range that the form asks for. */
export function askedRange(visit: Visit): Range {
  return rangeOf(visit.call.query, todayOf(visit));
}

/** Parameters of the API for the range; `property_id` in place of the form's. */
export function kpisQuery(visit: Visit, range: Range, property_id?: string) {
  const { from, to, granularity } = range;
  const hotel = property_id ?? visit.call.query.get("property_id") ?? "";
  const there = hotel === "" ? {} : { property_id: hotel };
  return { from, to, granularity, pickup_days: String(PICKUP_DAYS), ...there };
}

/** Figures of a range and of the days that it is compared with; null for those without days. */
export async function comparedFigures(visit: Visit, range: Range, property_id?: string) {
  const read = ({ from, to }: Days) =>
    ask<Figures>(visit, {
      ...{ id: "admin_get_kpis", query: { ...kpisQuery(visit, range, property_id), from, to } },
    });
  const [now, earlier] = await Promise.all([read(range), range.before && read(range.before)]);
  return { now, earlier };
}

/** The days before, and what they are called. */
export interface Before {
  readonly figures: Figures;
  readonly name: string;
}

/** Null where nothing is compared. */
export function beforeOf(earlier: Answered<Figures> | null): Before | null {
  return earlier?.ok ? { figures: earlier.data, name: nameOf(earlier.data) } : null;
}

/** The query of the same figures, of the form's hotels or of another one. */
export function keptQuery({ call: { query } }: Visit, property_id?: string): string {
  const kept = new URLSearchParams();
  for (const name of Object.keys(FIGURES_QUERY)) {
    const value = name === "property_id" ? (property_id ?? query.get(name)) : query.get(name);
    if (value) kept.set(name, value);
  }
  return kept.size === 0 ? "" : `?${kept}`;
}
