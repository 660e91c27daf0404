/** `POST /v1/holds` and what follows a hold (spec 4.6, rules §6). */
import { instantIso } from "../../../engine/core/calendar.ts";
import type { AgentLimits } from "../../../engine/core/commands.ts";
import { EXTENSIONS_MAX, requoteOf } from "../../../engine/core/decide/hold.ts";
import type { Hold } from "../../../engine/core/records.ts";
import { isHiddenFrom } from "../../../engine/core/visibility.ts";
import { NoOutcome } from "../../../jobs/submitter.ts";
import { type Call, commandMeta, type ProtectedRoute } from "../../http/call.ts";
import { execute, unavailable } from "../../http/execute.ts";
import {
  bookingActions,
  confirmingHoldActions,
  endedHoldActions,
  holdActions,
} from "../../http/next-actions.ts";
import { bad, good } from "../../http/respond.ts";
import { checkEmpty, checkHold } from "../bookings/schemas.ts";
import { quoteIdTime } from "../quotes/quote-id.ts";

const ACCESS = { kinds: ["agent", "operator", "service"], scope: "holds" } as const;

/** The two limits the engine decides by. */
export function agentLimits(call: Call): AgentLimits {
  const { max_open_holds, max_booking_amount } = call.principal.limits;
  return { max_open_holds, max_booking_amount };
}

/** Sends `PlaceHold` even without a quote: the engine must see the key first (rules §1). */
async function place(call: Call): Promise<Response> {
  const { quote_id } = call.body as { readonly quote_id: string };
  const { deps } = call;
  const { tenant_id, mode } = call.principal;
  let quote: string | null;
  try {
    quote = await deps.quotes.get(tenant_id, mode, quote_id);
  } catch (error) {
    if (error instanceof NoOutcome) return bad(call, unavailable(error));
    throw error;
  }
  return execute(call, {
    ...commandMeta(call),
    type: "PlaceHold",
    quote_id,
    quote,
    ttl_ms: deps.config.holdTtlMs,
    limits: agentLimits(call),
    ...(quote === null ? { missing: whyMissing(call, quote_id) } : {}),
  });
}

function whyMissing(call: Call, quoteId: string) {
  const { deps, principal } = call;
  const madeAt = quoteIdTime(deps.keys.hmac, principal.tenant_id, quoteId);
  const isOld = madeAt !== null && deps.now() >= madeAt + deps.config.quoteTtlMs;
  return isOld ? ("quote_expired" as const) : ("quote_not_found" as const);
}

/** The caller in the shape that visibility is asked with. */
export function callerOf({ principal }: Call) {
  const { tenant_id, mode, kind, agent_id } = principal;
  return { tenant_id, mode, actor: { kind, id: agent_id } };
}

function holdIdOf(call: Call): string {
  return call.params.id ?? "";
}

function release(call: Call): Promise<Response> {
  return execute(call, { ...commandMeta(call), type: "ReleaseHold", hold_id: holdIdOf(call) });
}

function extend(call: Call): Promise<Response> {
  const ttl_ms = call.deps.config.holdTtlMs;
  const hold_id = holdIdOf(call);
  return execute(call, { ...commandMeta(call), type: "ExtendHold", hold_id, ttl_ms });
}

function show(call: Call): Response {
  const { replica } = call.deps;
  replica.catchUp(2);
  const id = holdIdOf(call);
  const hold = replica.state.holds.get(id) ?? replica.records.hold(id);
  if (!hold || isHiddenFrom(callerOf(call), hold)) {
    return bad(call, { code: "hold_not_found", detail: { hold_id: id } });
  }
  const { quote } = hold;
  const expires_at = instantIso(hold.expires_at);
  const data = {
    hold_id: hold.hold_id,
    quote_id: quote.quote_id,
    state: hold.state,
    expires_at,
    property_id: quote.hotel_id,
    room_type_id: quote.room_type_id,
    rate_plan_id: quote.rate_plan_id,
    stay: quote.stay,
    guests: quote.guests,
    total: { amount: quote.total, currency: quote.currency },
    extensions: hold.extensions,
    created_at: instantIso(hold.created_at),
    ended_at: hold.ended_at === null ? null : instantIso(hold.ended_at),
    booking_id: hold.booking_id,
    payment: paymentOf(call, hold),
  };
  return good(call, { data, actions: actionsOf(call, hold, expires_at), expires_at });
}

function paymentOf(call: Call, hold: Hold) {
  if (hold.payment_id === null) return null;
  const { state, records } = call.deps.replica;
  const payment = state.payments.get(hold.payment_id) ?? records.payment(hold.payment_id);
  return { payment_id: hold.payment_id, state: payment?.state ?? "pending" };
}

function actionsOf(call: Call, hold: Hold, expires_at: string) {
  const { may } = call;
  const { hold_id, quote } = hold;
  switch (hold.state) {
    case "held": {
      const may_extend = hold.extensions < EXTENSIONS_MAX;
      return holdActions({ hold_id, quote_id: quote.quote_id, expires_at, may_extend }, may);
    }
    case "confirming":
      return confirmingHoldActions(hold_id, may);
    case "consumed":
      return bookingActions({ booking_id: hold.booking_id ?? "", state: "confirmed" }, may);
    case "released":
    case "expired":
      return endedHoldActions(requoteOf(quote), may);
  }
}

const WRITE = { access: ACCESS, reads: "json", key: "accepted" } as const;
const EMPTY = { check: checkEmpty, isBodyOptional: true } as const;

export const holdRoutes: readonly ProtectedRoute[] = [
  { ...WRITE, method: "POST", path: "/v1/holds", key: "required", check: checkHold, handle: place },
  { method: "GET", path: "/v1/holds/:id", access: ACCESS, handle: show },
  { ...WRITE, ...EMPTY, method: "POST", path: "/v1/holds/:id/release", handle: release },
  { ...WRITE, ...EMPTY, method: "POST", path: "/v1/holds/:id/extend", handle: extend },
];
