/** Body of `POST /v1/checkout/sessions`. */
import type { Static } from "@sinclair/typebox";
import { BodyKey, closed, idOf } from "../../http/schema/request-parts.ts";

export const CheckoutBody = closed({
  hold_id: idOf("data.hold_id of the hold"),
  idempotency_key: BodyKey,
});
export type CheckoutRequest = Static<typeof CheckoutBody>;
