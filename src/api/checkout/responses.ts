/** Checkout sessions. */
import { Type } from "@sinclair/typebox";
import { vocabulary } from "../../http/schema/annotations.ts";
import { Id, Instant, named, orNull } from "../../http/schema/answer-parts.ts";
import { CHECKOUT_STATES } from "./state.ts";

export const CheckoutSessionOut = named(
  "CheckoutSession",
  "A page on which a person can book a hold.",
  {
    session_id: Id,
    hold_id: Id,
    state: vocabulary(
      "CheckoutState",
      CHECKOUT_STATES,
      "`open`: the person can book or is paying. `completed`: the hold became a booking, on the " +
        "page or through the API. `expired`: the hold has expired. `cancelled`: the page was taken " +
        "back, or the hold released.",
    ),
    url: Type.String({
      format: "uri",
      description: "The page. Who has the address can book: give it to the traveler alone.",
    }),
    continue_url: Type.String({ format: "uri", description: "The same as `url`." }),
    return_url: orNull(
      Type.String({ format: "uri", description: "Where the page leads back to when it is over." }),
    ),
    booking_id: orNull(Id),
    expires_at: Instant,
  },
);
