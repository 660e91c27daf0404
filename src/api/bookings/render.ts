/**
 * Outcomes to answers. Pure in what is stored: the outcome, immutable supply versions and the
 * booking's sealed traveler. The same outcome therefore gives the same bytes to the same agent
 * after any restart (rules §1).
 */
import type { Refusal, Success } from "../../../engine/core/outcomes.ts";
import { policySnapshot } from "../../../engine/core/policy.ts";
import { breakdownOf } from "../../../engine/core/price.ts";
import type { FrozenQuote } from "../../../engine/core/quote.ts";
import type { Settled } from "../../../jobs/submitter.ts";
import type { Call } from "../../http/call.ts";
import type { NextAction } from "../../http/envelope.ts";
import {
  action,
  bookingActions,
  cancellationActions,
  endedHoldActions,
  holdActions,
  permitted,
} from "../../http/next-actions.ts";
import { bad, good } from "../../http/respond.ts";
import { travelerOf } from "./traveler.ts";

/** Renders what a command came to. */
export function renderSettled(call: Call, settled: Settled): Response {
  const { outcome, replayed } = settled;
  return outcome.ok
    ? renderSuccess(call, outcome, replayed)
    : renderRefusal(call, outcome, replayed);
}

function renderRefusal(call: Call, outcome: Refusal, replayed: boolean): Response {
  const { code, detail, hints, retry_after, trace_id, docs } = outcome;
  return bad(call, {
    code,
    detail,
    trace_id,
    docs,
    replayed,
    ...(hints ? { hints } : {}),
    ...(retry_after === undefined ? {} : { retry_after }),
  });
}

type Data = Readonly<Record<string, unknown>>;

const text = (data: Data, name: string) => String(data[name]);

function renderSuccess(call: Call, outcome: Success, replayed: boolean): Response {
  const { data, trace_id, kind } = outcome;
  const base = { trace_id, replayed, ...("receipt" in outcome && { receipt: outcome.receipt }) };
  const { may } = call;
  switch (outcome.kind) {
    case "hold":
    case "hold_extended": {
      const expires_at = text(data, "expires_at");
      const actions = holdActions(holdStep(data), may);
      return good(call, {
        ...base,
        status: kind === "hold" ? 201 : 200,
        data,
        actions,
        expires_at,
      });
    }
    case "hold_released": {
      const { requote } = outcome.hints;
      return good(call, { ...base, data, actions: endedHoldActions(requote, may) });
    }
    case "booking": {
      const booking_id = text(data, "booking_id");
      const actions = bookingActions({ booking_id, state: "confirmed" }, may);
      return good(call, { ...base, status: 201, data: bookingData(call, data), actions });
    }
    case "cancellation": {
      const { refund } = outcome.data;
      const ids = { booking_id: text(data, "booking_id"), refund_id: refund?.refund_id ?? null };
      return good(call, { ...base, data, actions: cancellationActions(ids, may) });
    }
    case "property":
      return good(call, { ...base, status: 201, data, actions: draftActions(data, call) });
    case "promotion":
    case "ari":
    case "fx":
    case "internal":
      return good(call, { ...base, data });
  }
}

function holdStep(data: Data) {
  return {
    hold_id: text(data, "hold_id"),
    quote_id: text(data, "quote_id"),
    expires_at: text(data, "expires_at"),
    may_extend: (data.extensions ?? 0) !== 2,
    other_live_holds: (data.other_live_holds as string[] | undefined) ?? [],
  };
}

function draftActions(data: Data, call: Call): NextAction[] {
  const path = `/v1/admin/properties/${text(data, "property_id")}`;
  return permitted([action("get", "GET", path)], call.may);
}

/** The frozen quote unfolded: price and policy as the tree version it names had them. */
export function unfolded(call: Pick<Call, "deps">, quote: FrozenQuote) {
  const tree = call.deps.replica.state
    .property(quote, quote.hotel_id)
    ?.trees.get(quote.supply_version);
  if (!tree) throw new Error(`supply version ${quote.supply_version} of ${quote.hotel_id} is gone`);
  const { hash: price_hash, ...breakdown } = breakdownOf(tree, quote);
  return {
    price_breakdown: { ...breakdown, hash: price_hash },
    policy_snapshot: policySnapshot(tree, quote),
  };
}

/** The 201 of `POST /v1/bookings` (domain §0). */
function bookingData(call: Call, stored: Data): Data {
  const quote = stored.quote as FrozenQuote;
  const { booking_id, confirmation_code, state, hold_id, payment, created_at, version, seq } =
    stored;
  const iss = text(stored, "traveler_iss");
  return {
    ...{ booking_id, confirmation_code, state, hold_id },
    quote_id: quote.quote_id,
    property_id: quote.hotel_id,
    room_type_id: quote.room_type_id,
    rate_plan_id: quote.rate_plan_id,
    stay: quote.stay,
    guests: quote.guests,
    ...unfolded(call, quote),
    payment,
    traveler: travelerOf(call.deps, text(stored, "booking_id"), iss),
    ...{ created_at, version, seq },
  };
}
