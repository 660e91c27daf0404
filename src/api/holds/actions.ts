/** What follows a hold, by the state it is in. */
import type { QuoteRequest } from "../../../engine/core/quote.ts";
import { bookingBody, quoteBody, stayBody } from "../../actions/bodies.ts";
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
  /** Left out: extensions are left. */
  readonly may_extend?: boolean;
  /** Other live holds of the agent on the same quote (rules §6). */
  readonly other_live_holds?: readonly string[];
}

/** While it is `held`: book it, extend it, give it back, and give back its doubles. */
export function holdActions(hold: HoldStep, may?: May): NextAction[] {
  const { hold_id, quote_id, expires_at } = hold;
  const path = holdPath(hold_id);
  const body_hint = bookingBody({ hold_id, quote_id });
  const offers: Offer[] = [
    ["book", action("confirm", "POST", "/v1/bookings", { body_hint, expires_at })],
  ];
  if (hold.may_extend !== false) {
    offers.push(["extend_hold", action("extend", "POST", `${path}/extend`, { expires_at })]);
  }
  offers.push(["release_hold", action("release", "POST", `${path}/release`, { expires_at })]);
  offers.push(["get_hold", action("get", "GET", path)]);
  for (const id of hold.other_live_holds ?? []) {
    offers.push(["release_hold", action("release", "POST", `${holdPath(id)}/release`)]);
  }
  return offered(offers, may);
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
