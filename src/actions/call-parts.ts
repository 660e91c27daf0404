/**
 * Bodies and idempotency keys of offered calls. Pure, with members in a fixed order: a sealed
 * answer rendered again has the same bytes. Keys derive from ids, so a repeated call has one
 * effect; they are scoped to agent, method and path, so guessing one is useless.
 */
import type { QuoteRequest } from "../../engine/core/price/quote.ts";
import type { ActionParts, FillIn } from "./next-action.ts";

/** Placeholder for personal data. */
export const AS_SENT = "<as you sent it>";

/** Body of `POST /v1/quotes`; the next actions carry the authorization on to the booking. */
export function quoteBody(
  request: QuoteRequest,
  authorization?: Authorized,
): Record<string, unknown> {
  const { hotel_id, room_type_id, rate_plan_id } = request;
  return { hotel_id, room_type_id, rate_plan_id, ...stayBody(request), ...authorization };
}

/** The authorization of a body, to be repeated in the next one; nothing without one. */
export interface Authorized {
  readonly authorization_id?: string;
}

/** The same of a request's body as it was sent. */
export function authorizedBy(sent: unknown): Authorized {
  const { authorization_id } = (sent ?? {}) as Authorized;
  return authorization_id === undefined ? {} : { authorization_id };
}

/** Body of `POST /v1/search` for the same dates and party, anywhere. */
export function stayBody(request: Pick<QuoteRequest, "stay" | "guests">): Record<string, unknown> {
  const { stay, guests } = request;
  return {
    stay: { check_in: stay.check_in, check_out: stay.check_out },
    guests: { adults: guests.adults, children: guests.children.map(({ age }) => ({ age })) },
  };
}

/** The traveler's consent, which `book` and `cancel` need. */
export const CONSENT: FillIn = {
  path: "X-Delegated-User",
  meaning: "the traveler's consent: a JWT of a trusted issuer",
};

/** Parts of a booking that only the caller knows. */
export const BOOKING_FILL_IN: readonly FillIn[] = [
  { path: "/guest/primary/full_name", meaning: "full name" },
  { path: "/guest/primary/email", meaning: "email address" },
  { path: "/payment/provider_token", meaning: "token from the payment provider" },
  CONSENT,
];

/** Body of `POST /v1/bookings`; the caller fills in `BOOKING_FILL_IN`. */
export function bookingBody(
  ids: Authorized & {
    readonly hold_id: string;
    readonly quote_id: string;
    readonly idempotency_key: string;
  },
): Record<string, unknown> {
  return {
    ...ids,
    guest: { primary: { full_name: "<full name>", email: "<email address>" } },
    payment: { method: "card", provider_token: "<token from the payment provider>" },
  };
}

const BLANK = /^<(.*)>$/s;

/** The blanks of a body (`<meaning>`) as items to fill in. */
export function blanksIn(value: unknown, at = ""): FillIn[] {
  if (typeof value === "string") {
    const meaning = BLANK.exec(value)?.[1];
    return meaning === undefined ? [] : [{ path: at, meaning }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    return blanksIn(each, `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  });
}

/**
 * `nth` distinguishes offers of the same call: a counter, an id, or the instant of a read in ms.
 */
export function offeredKey(call: string, id: string, nth: number | string): string {
  return `${call}-${id}-${nth}`;
}

const KEY_CHARS_MAX = 240;

/** The key after a decided one: `k` → `k~2` → `k~3`. */
export function nextKey(spent: string): string {
  const [, base = spent, count = "1"] = /^(.*)~(\d{1,9})$/.exec(spent) ?? [];
  return `${base.slice(0, KEY_CHARS_MAX)}~${Number(count) + 1}`;
}

type Changes = Pick<ActionParts, "changes">;

/** A search at another place, or anywhere. */
export const ELSEWHERE: Changes = { changes: ["/destination"] };

const OFFER = ["hotel_id", "room_type_id", "rate_plan_id"] as const;
const DATES = ["check_in", "check_out"] as const;

/** The dates that differ between two quote requests. */
export function datesChanged(asked: QuoteRequest["stay"], other: QuoteRequest["stay"]) {
  return DATES.filter((name) => asked[name] !== other[name]).map((name) => `/stay/${name}`);
}

/** The members that differ between two quote requests. */
export function changesOf(asked: QuoteRequest, other: QuoteRequest): Changes | undefined {
  const offer = OFFER.filter((name) => asked[name] !== other[name]).map((name) => `/${name}`);
  const changes = [...offer, ...datesChanged(asked.stay, other.stay)];
  return changes.length > 0 ? { changes } : undefined;
}
