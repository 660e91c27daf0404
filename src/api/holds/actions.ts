/** What follows a hold, by the state it is in. */
import { EXTENSIONS_MAX } from "../../../engine/core/decide/hold.ts";
import type { QuoteRequest } from "../../../engine/core/quote.ts";
import { BOOKING_FILL_IN, bookingBody, quoteBody, stayBody } from "../../actions/bodies.ts";
import { offeredKey } from "../../actions/keys.ts";
import {
  action,
  type May,
  type NextAction,
  type Offer,
  offered,
  permitted,
  post,
} from "../../actions/next-action.ts";

export interface HoldStep {
  readonly hold_id: string;
  readonly quote_id: string;
  readonly expires_at: string;
  /** How often it was extended. */
  readonly extensions: number;
  /** Tells what a read offers from what was offered before: its instant, epoch milliseconds. */
  readonly readAtMs?: number;
  /** Other live holds of the agent on the same quote (rules §6). */
  readonly other_live_holds?: readonly string[];
}

/** While it is `held`: book it, extend it, give it back, and give back its doubles. */
export function holdActions(hold: HoldStep, may?: May): NextAction[] {
  const { hold_id, quote_id, expires_at, extensions, readAtMs = extensions } = hold;
  const path = holdPath(hold_id);
  const body_hint = bookingBody({ hold_id, quote_id, ...keyOf("book", hold_id, readAtMs) });
  const booking = { body_hint, fill_in: BOOKING_FILL_IN, expires_at };
  const offers: Offer[] = [["book", action("confirm", "POST", "/v1/bookings", booking)]];
  if (extensions < EXTENSIONS_MAX) {
    const key = keyOf("extend", hold_id, readAtMs);
    offers.push(["extend_hold", post("extend", `${path}/extend`, key, { expires_at })]);
  }
  const key = keyOf("release", hold_id, readAtMs);
  offers.push(["release_hold", post("release", `${path}/release`, key, { expires_at })]);
  offers.push(["get_hold", action("get", "GET", path)]);
  for (const id of hold.other_live_holds ?? []) {
    offers.push(["release_hold", releaseOf(id, hold_id)]);
  }
  return offered(offers, may);
}

/** The release of a hold; `nth` tells it from other offers of the same (`offeredKey`). */
export function releaseOf(holdId: string, nth: string | number): NextAction {
  return post("release", `${holdPath(holdId)}/release`, keyOf("release", holdId, nth));
}

function keyOf(call: string, holdId: string, nth: string | number) {
  return { idempotency_key: offeredKey(call, holdId, nth) };
}

/** After a release, or at a hold that has ended: price the same stay again or search, if it can. */
export function endedHoldActions(requote: QuoteRequest | undefined, may?: May): NextAction[] {
  if (!requote) return [];
  const quote = post("quote", "/v1/quotes", quoteBody(requote));
  return permitted([quote, post("search", "/v1/search", stayBody(requote))], may);
}

/** At a hold whose payment is open: look again. */
export function confirmingHoldActions(holdId: string, may?: May): NextAction[] {
  return offered([["get_hold", action("get", "GET", holdPath(holdId))]], may);
}

/** Ids of ours have nothing in them that a path would have to escape. */
function holdPath(holdId: string): string {
  return `/v1/holds/${holdId}`;
}
