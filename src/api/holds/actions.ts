/** Next actions of a hold, by state. */
import { EXTENSIONS_MAX } from "../../../engine/core/holds/hold.ts";
import type { QuoteRequest } from "../../../engine/core/price/quote.ts";
import {
  type Authorized,
  authorizedBy,
  BOOKING_FILL_IN,
  blanksIn,
  bookingBody,
  offeredKey,
  quoteBody,
  stayBody,
} from "../../actions/call-parts.ts";
import {
  action,
  type May,
  type NextAction,
  type Offer,
  offered,
  permitted,
  post,
} from "../../actions/next-action.ts";

export interface HoldStep extends Authorized {
  readonly hold_id: string;
  readonly quote_id: string;
  readonly expires_at: string;
  /** It is the caller's own, so that the caller may hand it over. */
  readonly isOwn: boolean;
  /** How often it was extended. */
  readonly extensions: number;
  /** Instant of the read, epoch milliseconds; makes the keys of its offers distinct. */
  readonly readAtMs?: number;
  /** Other live holds of the agent on the same quote. */
  readonly other_live_holds?: readonly string[];
}

const DESK_BOOKINGS = "/v1/admin/bookings";

/** The booking of a hold: by the property itself if it may, as it has no token of a traveler. */
function bookingOffer(hold: HoldStep, idempotency_key: string, may?: May): Offer {
  const { hold_id, quote_id, expires_at } = hold;
  const ids = { hold_id, quote_id, idempotency_key };
  if (hold.isOwn && may?.("POST", DESK_BOOKINGS, "admin_book")) {
    const body = bookingBody(ids);
    const parts = { fill_in: blanksIn(body), expires_at };
    return ["admin_book", post("confirm", DESK_BOOKINGS, body, parts)];
  }
  const parts = { fill_in: BOOKING_FILL_IN, expires_at };
  const body = bookingBody({ ...ids, ...authorizedBy(hold) });
  return ["book", post("confirm", "/v1/bookings", body, parts)];
}

/** While it is `held`: book, extend, release, hand over to the traveler, release its doubles. */
export function holdActions(hold: HoldStep, may?: May): NextAction[] {
  const { hold_id, expires_at, extensions, readAtMs = extensions } = hold;
  const path = holdPath(hold_id);
  const { idempotency_key } = keyOf("book", hold_id, readAtMs);
  const offers: Offer[] = [bookingOffer(hold, idempotency_key, may)];
  if (extensions < EXTENSIONS_MAX) {
    const body = keyOf("extend", hold_id, readAtMs);
    offers.push(["extend_hold", post("extend", `${path}/extend`, body, { expires_at })]);
  }
  const body = keyOf("release", hold_id, readAtMs);
  offers.push(["release_hold", post("release", `${path}/release`, body, { expires_at })]);
  offers.push(["get_hold", action("get", "GET", path)]);
  // The traveler books in the agent's name, which must be allowed to.
  if (hold.isOwn && (may === undefined || may("POST", "/v1/bookings", "book"))) {
    const handover = { hold_id, ...keyOf("checkout", hold_id, readAtMs) };
    const page = post("confirm", "/v1/checkout/sessions", handover, { expires_at });
    offers.push(["create_checkout_session", page]);
  }
  for (const id of hold.other_live_holds ?? []) {
    offers.push(["release_hold", releaseOf(id, hold_id)]);
  }
  return offered(offers, may);
}

/** The release of a hold; `nth` makes its key distinct (`offeredKey`). */
export function releaseOf(holdId: string, nth: string | number): NextAction {
  return post("release", `${holdPath(holdId)}/release`, keyOf("release", holdId, nth));
}

function keyOf(call: string, holdId: string, nth: string | number) {
  return { idempotency_key: offeredKey(call, holdId, nth) };
}

/** For an ended hold: quote the same stay again, or search. */
export function endedHoldActions(requote: QuoteRequest | undefined, may?: May): NextAction[] {
  if (!requote) return [];
  const quote = post("quote", "/v1/quotes", quoteBody(requote));
  return permitted([quote, post("search", "/v1/search", stayBody(requote))], may);
}

/** For a hold with an open payment: read it again. */
export function confirmingHoldActions(holdId: string, may?: May): NextAction[] {
  return offered([["get_hold", action("get", "GET", holdPath(holdId))]], may);
}

/** Our ids need no escaping in a path. */
function holdPath(holdId: string): string {
  return `/v1/holds/${holdId}`;
}
