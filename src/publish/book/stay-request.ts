/**
 * Reads a partner's address. Partners leave variables empty or unreplaced, send default dates, and
 * keep links for years: nothing is refused, and assumptions are reported.
 */

import { isWithinHorizon } from "../../../engine/core/availability/horizon.ts";
import { dateOf, dayOf } from "../../../engine/core/calendar.ts";
import { STAY_NIGHTS_MAX } from "../../../engine/core/price/quote.ts";
import { profileOf } from "../../../feeds/partners.ts";
import { google } from "../../../feeds/profiles/google.ts";
import type { Profile } from "../../../feeds/profiles/profile.ts";
import type { Assumption } from "../../languages/words.ts";

type Query = ReadonlyMap<string, string>;

export interface Asked {
  readonly partner: Profile;
  readonly checkInDay: number;
  readonly nights: number;
  readonly adults: number;
  /** Clicked room type and rate plan. */
  readonly room: string | null;
  readonly rate: string | null;
  /** Additional currency for prices, ISO 4217. */
  readonly currency: string | null;
  readonly assumed: readonly Assumption[];
}

/** The occupancy of partners' prices. */
const ADULTS_USUAL = 2;
export const ADULTS_MAX = 20;

/** The value; undefined where empty or an unreplaced variable. */
function sent(query: Query, name: string): string | undefined {
  const value = query.get(name)?.trim();
  return value === undefined || value === "" || /[()]/.test(value) ? undefined : value;
}

/** Accepts one-digit months and days: 2026-3-5. */
function dayIn(query: Query, name: string): number | null {
  const day = dayOf((sent(query, name) ?? "").replaceAll(/-(?=\d(?!\d))/g, "-0"));
  return Number.isNaN(day) ? null : day;
}

function wholeIn(query: Query, name: string): number | null {
  const value = sent(query, name) ?? "";
  return /^\d{1,4}$/.test(value) ? Number(value) : null;
}

/** A check-in in three parts; some partners count months from 0. */
function splitDayIn(query: Query, { monthBase }: Profile): number | null {
  const [year, month, day] = ["ci_y", "ci_m", "ci_d"].map((name) => wholeIn(query, name));
  if (year == null || month == null || day == null) return null;
  const two = (value: number) => String(value).padStart(2, "0");
  const found = dayOf(`${year}-${two(month + 1 - monthBase)}-${two(day)}`);
  return Number.isNaN(found) ? null : found;
}

interface AskedStay {
  readonly checkInDay: number;
  readonly nights: number;
  readonly assumed: Assumption[];
}

function stayIn(query: Query, partner: Profile, todayDay: number): AskedStay {
  const assumed: Assumption[] = [];
  const asked = wholeIn(query, "nights");
  const checkOut = dayIn(query, "check_out");
  const checkIn = dayIn(query, "check_in") ?? splitDayIn(query, partner);
  let nights = asked !== null && asked > 0 ? asked : 1;
  if (checkIn !== null && checkOut !== null) {
    if (checkOut > checkIn) nights = checkOut - checkIn;
    else assumed.push("dates_order");
  }
  if (nights > STAY_NIGHTS_MAX) {
    assumed.push("stay_long");
    nights = STAY_NIGHTS_MAX;
  }
  const checkInDay = checkIn ?? (checkOut === null ? null : checkOut - nights);
  if (checkInDay === null) {
    assumed.push("no_dates");
    return { checkInDay: todayDay, nights, assumed };
  }
  if (isWithinHorizon(checkInDay, nights, todayDay)) return { checkInDay, nights, assumed };
  assumed.push(checkInDay < todayDay ? "dates_past" : "dates_far");
  // For a stay that has begun, the rest of it; else as many nights.
  const left = checkInDay < todayDay ? checkInDay + nights - todayDay : 0;
  return { checkInDay: todayDay, nights: left > 0 ? left : nights, assumed };
}

/** The requested stay; `todayDay` is today at the property. */
export function readAsked(query: Query, todayDay: number): Asked {
  const partner = profileOf(sent(query, "partner")?.toLowerCase() ?? "") ?? google;
  const { assumed, ...stay } = stayIn(query, partner, todayDay);
  const adults = wholeIn(query, "adults");
  const hasAdults = adults !== null && adults >= 1 && adults <= ADULTS_MAX;
  if (!hasAdults && sent(query, "adults") !== undefined) assumed.push("adults");
  const currency = sent(query, "currency")?.toUpperCase() ?? "";
  return {
    partner,
    ...stay,
    adults: hasAdults ? adults : ADULTS_USUAL,
    room: sent(query, "room")?.toLowerCase() ?? null,
    rate: sent(query, "rate")?.toLowerCase() ?? null,
    currency: /^[A-Z]{3}$/.test(currency) ? currency : null,
    assumed,
  };
}

/** The query of the same page for another stay or choice, by names that partners do not send. */
export function queryFor(
  query: Query,
  { partner, ...stay }: Pick<Asked, "partner" | "checkInDay" | "nights" | "adults">,
  choice: { readonly room: string; readonly rate: string } | null,
): URLSearchParams {
  const params = new URLSearchParams({ partner: partner.name });
  for (const name of ["tenant_id", "lang", "currency"]) {
    const value = sent(query, name);
    if (value !== undefined) params.set(name, value);
  }
  params.set("check_in", dateOf(stay.checkInDay));
  params.set("check_out", dateOf(stay.checkInDay + stay.nights));
  params.set("adults", String(stay.adults));
  if (choice) {
    params.set("room", choice.room);
    params.set("rate", choice.rate);
  }
  return params;
}
