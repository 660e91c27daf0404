/**
 * Simulated refusals: of a call that has passed its checks, with the recovery that this call would
 * get. The handler is not called: nothing is written, and the idempotency key stays unused.
 */
import { alternativesTo } from "../../engine/core/availability/alternatives.ts";
import { dateOf } from "../../engine/core/calendar.ts";
import { queryOf, requoteHint } from "../../engine/core/holds/hold.ts";
import type { Hints } from "../../engine/core/outcomes.ts";
import type { FrozenQuote, QuoteRequest } from "../../engine/core/price/quote.ts";
import { checkInDayOf, readQuote } from "../../engine/core/price/quote-codec.ts";
import type { RefusalCode } from "../../engine/core/refusals.ts";
import { findOffer } from "../../engine/core/state/state.ts";
import { sightOf } from "../../engine/core/visibility.ts";
import { NoOutcome } from "../../jobs/lanes/submitter.ts";
import type { PrincipalKind } from "../access/control/principal.ts";
import { belowPrice, type Simulation, simulatedRefusal } from "../refusals/simulated.ts";
import { type Refusal, refuse } from "./answer.ts";
import { type Call, callerOf } from "./call.ts";
import { challenged } from "./challenges.ts";
import type { Contract } from "./contract.ts";
import { untilFresh } from "./freshness.ts";
import type { ProtectedRoute } from "./route.ts";

/** The refusal of a call that has passed its checks, as that code would be. */
export async function simulate(
  route: ProtectedRoute,
  call: Call,
  code: RefusalCode,
): Promise<Refusal> {
  await untilFresh(call.context.replica);
  const pathIds = idsOfPath(route, call.params);
  const named = { ...idsSent(call.sent), ...pathIds };
  const quote = await quoteOf(call, named);
  const about = aboutCall(route, call, { pathIds, named, quote });
  const { detail, ...more } = simulatedRefusal(code, about);
  const { headers } = challenged(route, call, { ok: false, code, detail } as Denied);
  const hints = hintsOf(call, quote, about.total);
  return refuse(code, detail, { ...more, hints, ...(headers && { headers }) });
}

type Denied = Parameters<typeof challenged>[2];

/** Collection in a path → name of its members' ids. */
const ID_NAMES: Readonly<Record<string, string>> = {
  properties: "property_id",
  quotes: "quote_id",
  holds: "hold_id",
  bookings: "booking_id",
  refunds: "refund_id",
  agents: "agent_id",
  credentials: "credential_id",
  sessions: "session_id",
  webhooks: "endpoint_id",
  "webhook-deliveries": "delivery_id",
  "delegation-issuers": "issuer_id",
  "booking-authorizations": "authorization_id",
  "oversell-incidents": "incident_id",
};

function idsOfPath({ path }: Contract, params: Readonly<Record<string, string>>) {
  const parts = path.split("/");
  const ids = parts.flatMap((part, i) => {
    const name = part.startsWith(":") && ID_NAMES[parts[i - 1]!];
    return name ? [[name, params[part.slice(1)]!] as const] : [];
  });
  return Object.fromEntries(ids);
}

function idsSent(sent: unknown): Record<string, string> {
  if (typeof sent !== "object" || sent === null) return {};
  const ids = Object.entries(sent).filter(([name, value]) => {
    return name.endsWith("_id") && typeof value === "string";
  });
  const { hotel_id, ...rest } = Object.fromEntries(ids) as Record<string, string>;
  return hotel_id === undefined ? rest : { ...rest, property_id: hotel_id };
}

/** The quote that a call is about, if the caller may see it. */
async function quoteOf(
  call: Call,
  { hold_id, booking_id, quote_id }: Readonly<Record<string, string>>,
): Promise<FrozenQuote | null> {
  const { replica, quotes } = call.context;
  const { state, records } = replica;
  const { tenant_id, mode } = call.principal;
  let quote: FrozenQuote | null = null;
  if (hold_id !== undefined) {
    quote = (state.holds.get(hold_id) ?? records.hold(hold_id))?.quote ?? null;
  } else if (booking_id !== undefined) quote = records.booking(booking_id)?.quote ?? null;
  else if (quote_id !== undefined) {
    const text = await quotes.get(tenant_id, mode, quote_id).catch(ifNoOutcome);
    quote = text === null ? null : readQuote(text, tenant_id, mode);
  }
  const isSeen = quote && sightOf(callerOf(call), quote, quote.property_id) === "visible";
  return isSeen ? quote : null;
}

/** The quote is only for better recoveries. */
function ifNoOutcome(error: unknown): null {
  if (error instanceof NoOutcome) return null;
  throw error;
}

interface Named {
  readonly pathIds: Readonly<Record<string, string>>;
  readonly named: Readonly<Record<string, string>>;
  readonly quote: FrozenQuote | null;
}

const SOME_PRICE = { amount: 10_000, currency: "EUR" };
const KINDS: readonly PrincipalKind[] = ["operator", "agent", "service", "partner"];

function aboutCall(route: ProtectedRoute, call: Call, about: Named): Simulation {
  const { pathIds, named, quote } = about;
  const { principal, context, sent, traceId } = call;
  const { kinds, scope } = route.access;
  const offer = quote && {
    property_id: quote.property_id,
    room_type_id: quote.room_type_id,
    rate_plan_id: quote.rate_plan_id,
  };
  const { difference } = (sent ?? {}) as { readonly difference?: unknown };
  const foreign = KINDS.find((each) => !kinds.includes(each));
  return {
    ids: { ...offer, ...named },
    pathIds,
    nights: quote ? nightsOf(quote) : [],
    total: quote ? { amount: quote.total, currency: quote.currency } : SOME_PRICE,
    alternatives: quote ? alternativesFor(call, quote) : [],
    asked: typeof difference === "string" ? difference : undefined,
    seenVersion: route.takesIfMatch ? (call.seenVersion ?? 0) : undefined,
    isDelegated: route.isDelegated === true,
    scope,
    kind: foreign ?? principal.kind,
    allowedKinds: kinds,
    nowMs: context.timeIn(principal),
    traceId,
  };
}

function nightsOf(quote: FrozenQuote): string[] {
  const first = checkInDayOf(quote);
  return quote.nightly.map((_, i) => dateOf(first + i));
}

function alternativesFor({ context, principal }: Call, quote: FrozenQuote) {
  const property = context.replica.state.property(principal, quote.property_id);
  const offer = property && findOffer(property, quote.room_type_id, quote.rate_plan_id);
  if (!property || !offer || typeof offer === "string") return [];
  return alternativesTo(
    offer,
    queryOf(quote, principal.agent_id, property, context.timeIn(principal)),
  );
}

/** What recoveries need beside ids. */
function hintsOf(call: Call, quote: FrozenQuote | null, total: Simulation["total"]): Hints {
  const { context, principal, body } = call;
  if (quote === null) return isQuoteRequest(body) ? { requote: requoteOf(body) } : {};
  const now = context.timeIn(principal);
  const limit = belowPrice(total);
  const amount = Math.floor(limit.amount / quote.nightly.length);
  return {
    ...requoteHint(quote, { state: context.replica.state, now }),
    quote_id: quote.quote_id,
    max_price_per_night: { amount, currency: limit.currency },
  };
}

const OFFER = ["hotel_id", "room_type_id", "rate_plan_id", "stay", "guests"] as const;

function isQuoteRequest(body: unknown): body is QuoteRequest {
  return typeof body === "object" && body !== null && OFFER.every((name) => name in body);
}

/** Not every body that asks for an offer has its guests completed. */
function requoteOf({ hotel_id, room_type_id, rate_plan_id, stay, guests }: QuoteRequest) {
  const { adults, children = [] } = guests;
  return { hotel_id, room_type_id, rate_plan_id, stay, guests: { adults, children } };
}
