/**
 * A search on the front page of a demo, run by the demo agent through the public route with its own
 * rights.
 */

import { dateOf, dayOf } from "../../../engine/core/calendar.ts";
import { placesBegun } from "../../../engine/core/search/destinations.ts";
import type { KnownPlace } from "../../../engine/core/search/places/suggestions.ts";
import type { State } from "../../../engine/core/state/state.ts";
import type { NextAction } from "../../actions/next-action.ts";
import type { PublicCall } from "../../http/call.ts";
import type { DemoDesk } from "../../http/context.ts";

/** The form's values, with defaults for invalid ones. */
export interface SearchForm {
  /** A place name or a `geo:` URI. */
  readonly destination: string;
  readonly check_in: string;
  readonly check_out: string;
  readonly adults: number;
}

/** The facts of a result that the page shows. */
export interface Found {
  readonly hotel_id: string;
  readonly name: string;
  readonly image: string | null;
  readonly explanation: readonly string[];
  readonly best_offer: {
    readonly room_type_name: string;
    readonly bed_type: string | null;
    readonly sellable: number;
    readonly currency: string;
    readonly total: number;
    readonly due_now: number;
    readonly due_at_property: number;
  };
}

/** The search and its results. */
export interface DemoSearch {
  readonly form: SearchForm;
  /** Places with hotels, most hotels first. */
  readonly places: readonly KnownPlace[];
  readonly body: object;
  readonly results: readonly Found[];
  /** Suggestions for an unknown place or an empty point. */
  readonly suggestions: readonly KnownPlace[];
  readonly actions: readonly NextAction[];
  /** The route's error. */
  readonly fault: string | null;
}

export const ADULTS_MAX = 20;
export const DESTINATION_MAX = 100;
const NIGHTS_MAX = 30;

/** `YYYY-MM-DD` as a day, or null if invalid. */
function dayIn(text = ""): number | null {
  const day = dayOf(text);
  return Number.isNaN(day) ? null : day;
}

/** The form of a query; invalid values are ignored. */
export function readForm(
  query: ReadonlyMap<string, string>,
  places: readonly Pick<KnownPlace, "kind" | "name">[],
  engineNowMs: number,
): SearchForm {
  const usual = firstStay(engineNowMs);
  const from = dayIn(query.get("check_in")) ?? usual.fromDay;
  const fromDay = from < usual.todayDay ? usual.fromDay : from;
  const to = dayIn(query.get("check_out")) ?? fromDay + 2;
  const toDay = to <= fromDay || to > fromDay + NIGHTS_MAX ? fromDay + 2 : to;
  const adults = Number(query.get("adults") ?? 2);
  const said = (query.get("destination") ?? "").trim();
  return {
    destination: said === "" || said.length > DESTINATION_MAX ? busiestCity(places) : said,
    ...{ check_in: dateOf(fromDay), check_out: dateOf(toDay) },
    adults: Number.isInteger(adults) && adults >= 1 && adults <= ADULTS_MAX ? adults : 2,
  };
}

/** Runs the form's search. */
export async function demoSearch(
  { context, clientAddress }: PublicCall,
  desk: DemoDesk,
  form: SearchForm,
  places: readonly KnownPlace[],
): Promise<DemoSearch> {
  const { check_in, check_out, adults } = form;
  const destination = { type: "area", value: form.destination };
  const body = { destination, stay: { check_in, check_out }, guests: { adults } };
  const headers = {
    authorization: `Bearer ${desk.agentSecret}`,
    "content-type": "application/json",
  };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const request = new Request("http://localhost/v1/search", init);
  const answer = await context.dispatch("search", request, {}, { clientAddress });
  const { data, next_actions, error } = (await answer.json()) as {
    readonly data?: Partial<Pick<DemoSearch, "results" | "suggestions">>;
    readonly next_actions?: readonly NextAction[];
    readonly error?: { readonly message: string };
  };
  const { results = [], suggestions = [] } = data ?? {};
  const found = { results, suggestions, actions: next_actions ?? [] };
  return { form, places, body, ...found, fault: error?.message ?? null };
}

/** The default stay: two nights, a month ahead. */
const DAY_MS = 86_400_000;
/** Far enough ahead that most rates are still free to cancel. */
const IN_DAYS = 30;
const NIGHTS = 2;

/** Days of the stay, and today's. */
export function firstStay(engineNowMs: number) {
  const todayDay = Math.floor(engineNowMs / DAY_MS);
  const fromDay = todayDay + IN_DAYS;
  return { todayDay, fromDay, toDay: fromDay + NIGHTS };
}

/** Enough for name completion. */
const PLACES_MAX = 300;

/** Places where a tenant has properties on sale: most hotels first, then by name. */
export function placesOf(state: State, tenant_id: string): KnownPlace[] {
  return placesBegun(state, "", PLACES_MAX, { tenant_id, mode: "live" });
}

/** The city with most hotels; empty without hotels. */
export function busiestCity(places: readonly Pick<KnownPlace, "kind" | "name">[]): string {
  return places.find(({ kind }) => kind === "city")?.name ?? "";
}
