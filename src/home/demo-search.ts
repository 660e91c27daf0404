/**
 * A search on the front page of a demo: asked for by a plain form, and made by the demo agent
 * through the route that everybody calls, with its own rights.
 */
import { dateOf, dayOf } from "../../engine/core/calendar.ts";
import type { NextAction } from "../actions/next-action.ts";
import type { PublicCall } from "../http/call.ts";
import type { DemoDesk } from "../http/context.ts";
import { firstStay } from "./first-stay.ts";

/** What the form says, made good where it says nothing that can be. */
export interface SearchForm {
  readonly city: string;
  readonly check_in: string;
  readonly check_out: string;
  readonly adults: number;
}

export interface Found {
  readonly hotel_id: string;
  readonly name: string;
  readonly explanation: readonly string[];
  readonly best_offer: {
    readonly rate_plan_id: string;
    readonly price_per_night: { readonly amount: number; readonly currency: string };
  };
}

/** The search as it was sent, and what came back. */
export interface DemoSearch {
  readonly form: SearchForm;
  /** Where there is something to find. */
  readonly cities: readonly string[];
  readonly body: object;
  readonly results: readonly Found[];
  readonly actions: readonly NextAction[];
  /** What the route said instead of results. */
  readonly fault: string | null;
}

const ADULTS_MAX = 20;
const NIGHTS_MAX = 30;

/** `YYYY-MM-DD` as a day, or null for what is none. */
function dayIn(text = ""): number | null {
  const day = dayOf(text);
  return Number.isNaN(day) ? null : day;
}

/** The form of a query; whatever cannot be is as if it had not been said. */
export function readForm(
  query: ReadonlyMap<string, string>,
  cities: readonly string[],
  engineNowMs: number,
): SearchForm {
  const usual = firstStay(engineNowMs);
  const from = dayIn(query.get("check_in")) ?? usual.fromDay;
  const fromDay = from < usual.todayDay ? usual.fromDay : from;
  const to = dayIn(query.get("check_out")) ?? fromDay + 2;
  const toDay = to <= fromDay || to > fromDay + NIGHTS_MAX ? fromDay + 2 : to;
  const adults = Number(query.get("adults") ?? 2);
  const city = query.get("city") ?? "";
  return {
    city: cities.includes(city) ? city : (cities[0] ?? ""),
    ...{ check_in: dateOf(fromDay), check_out: dateOf(toDay) },
    adults: Number.isInteger(adults) && adults >= 1 && adults <= ADULTS_MAX ? adults : 2,
  };
}

/** Makes the search that the form asks for. */
export async function demoSearch(
  { context, clientAddress }: PublicCall,
  desk: DemoDesk,
  form: SearchForm,
  cities: readonly string[],
): Promise<DemoSearch> {
  const { city, check_in, check_out, adults } = form;
  const destination = { type: "area", value: city };
  const body = { destination, stay: { check_in, check_out }, guests: { adults } };
  const headers = {
    authorization: `Bearer ${desk.agentSecret}`,
    "content-type": "application/json",
  };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const request = new Request("http://localhost/v1/search", init);
  const answer = await context.dispatch("search", request, {}, { clientAddress });
  const { data, next_actions, error } = (await answer.json()) as {
    readonly data?: { readonly results: readonly Found[] };
    readonly next_actions?: readonly NextAction[];
    readonly error?: { readonly message: string };
  };
  const found = { results: data?.results ?? [], actions: next_actions ?? [] };
  return { form, cities, body, ...found, fault: error?.message ?? null };
}
