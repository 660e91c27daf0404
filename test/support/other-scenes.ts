/** Scenes of the codes that need another way than a keyed call, time, or other settings. */
import {
  type Hold,
  newHold,
  newKey,
  newQuote,
  type Quote,
  sendBooking,
  stayRequest,
} from "./client.ts";
import { booking, freshHold, holding, quoteId, type Send, type Setting } from "./scenes.ts";
import { type Service, until } from "./service.ts";

type Scenes = Readonly<Record<string, readonly [code: string, Setting]>>;

/** A quote request with other members. */
function quoting(service: Service, body: object): Send {
  return () => service.api("POST", "/v1/quotes", { body });
}

/** Refusals of a service as it is, beside `PASSING` and `LASTING`. */
export const OTHERS: Scenes = {
  "a room type that the property does not have": [
    "room_type_not_found",
    async (service, hotel) => {
      const stay = stayRequest(hotel);
      const refused = quoting(service, { ...stay, room_type_id: "x" });
      return { refused, after: quoting(service, stay) };
    },
  ],
  "a rate plan that the room type does not have": [
    "rate_plan_not_found",
    async (service, hotel) => {
      const stay = stayRequest(hotel);
      const refused = quoting(service, { ...stay, rate_plan_id: "x" });
      return { refused, after: quoting(service, stay) };
    },
  ],
  "a key that was used with another body": [
    "idempotency_conflict",
    async (service, hotel) => {
      const [one, other] = [await quoteId(service, hotel), await quoteId(service, hotel)];
      const refused: Send = async (key) => {
        (await holding(service, one)(key)).ok(201);
        return holding(service, other)(key);
      };
      return { refused, after: () => holding(service, other)(newKey()) };
    },
  ],
  "a payment provider that fails": [
    "payment_provider_error",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const refused = booking(service, hold, { token: "tok_test_provider_error" });
      return { refused, after: () => booking(service, hold)(newKey()) };
    },
  ],
  "a payment that takes too long": [
    "payment_timeout",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const refused = booking(service, hold, { token: "tok_test_timeout_then_captured" });
      const after: Send = async (key) => {
        let answer = await refused(key);
        await until("the payment is decided", async () => {
          if (answer.status === 504) answer = await refused(key);
          return answer.status !== 504;
        });
        return answer;
      };
      return { refused, after };
    },
  ],
};

/** What `BRIEF` scenes start with: lives of a second, and no payment provider. */
export const BRIEF_SETTINGS = { PAYMENT_PROVIDER: "stripe", HOLD_TTL_S: "1", QUOTE_TTL_S: "1" };
const USUAL_SETTINGS = { PAYMENT_PROVIDER: "sandbox", HOLD_TTL_S: "", QUOTE_TTL_S: "" };

function untilOver(what: string, { expires_at }: Pick<Hold | Quote, "expires_at">): Promise<void> {
  return until(`the ${what} is over`, () => Date.now() > Date.parse(expires_at) + 100);
}

/** Refusals of a service with `BRIEF_SETTINGS`; the last one ends them. */
export const BRIEF: Scenes = {
  "a quote that was held too late": [
    "quote_expired",
    async (service, hotel) => {
      const quote = await newQuote(service, stayRequest(hotel));
      await untilOver("quote", quote);
      const after: Send = async (key) => holding(service, await quoteId(service, hotel))(key);
      return { refused: holding(service, quote.quote_id), after };
    },
  ],
  "a hold that was extended too late": [
    "hold_expired",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      await untilOver("hold", hold);
      const extending = (id: string): Send => {
        return (key) => {
          const headers = { "idempotency-key": key };
          return service.api("POST", `/v1/holds/${id}/extend`, { headers });
        };
      };
      const after: Send = async (key) => {
        return extending((await freshHold(service, hotel)).hold_id)(key);
      };
      return { refused: extending(hold.hold_id), after };
    },
  ],
  "a service without a payment provider": [
    "service_not_configured",
    async (service, hotel) => {
      const hold = await freshHold(service, hotel);
      const after: Send = async (key) => {
        return sendBooking(service, await newHold(service, stayRequest(hotel)), { key });
      };
      return {
        refused: booking(service, hold),
        mend: () => service.restart(USUAL_SETTINGS),
        after,
      };
    },
  ],
};
