/** Body of `POST /v1/checkout/sessions`. */
import { type Static, Type } from "@sinclair/typebox";
import {
  BodyKey,
  closed,
  describedAs,
  describedInShort,
  idOf,
  text,
} from "../../http/schema/request-parts.ts";

const URL_MAX = 2000;
/** Also what a fault says is expected. */
export const RETURN_URL = "an address at an origin of the agent's `return_origins`";

export const CheckoutBody = closed({
  hold_id: idOf("data.hold_id of the hold"),
  return_url: Type.Optional(
    describedInShort(describedAs(text(1, URL_MAX), RETURN_URL), "at one of your return_origins"),
  ),
  idempotency_key: BodyKey,
});
export type CheckoutRequest = Static<typeof CheckoutBody>;
