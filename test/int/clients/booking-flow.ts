/**
 * A travel agent's program, written against nothing but the types that `openapi-typescript` makes
 * of the served document (`./api.d.ts` beside it): search, quote, hold, book, read, cancel, verify.
 * Arguments: base address, agent's secret, delegation token. Prints what it came to as JSON.
 */
import createClient from "openapi-fetch";
import type { components, paths } from "./api.d.ts";

type ErrorEnvelope = components["schemas"]["ErrorEnvelope"];

const [baseUrl = "", secret = "", delegation = ""] = process.argv.slice(2);
const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${secret}` } });
const newKey = () => crypto.randomUUID();

/** The data of an answer, or a throw that says what to do. */
function dataOf<T>(answer: { data?: { data: T }; error?: unknown }): T {
  if (answer.data) return answer.data.data;
  const { code, remediation } = (answer.error as ErrorEnvelope).error;
  throw new Error(`${code}: ${remediation}`);
}

const inDays = (days: number) => {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
};
const stay = { check_in: inDays(40), check_out: inDays(42) };
const guests = { adults: 2, children: [{ age: 7 }] };

const { results } = dataOf(await api.POST("/v1/search", { body: { stay, guests } }));
const found = results[0];
if (!found) throw new Error("nothing is on sale");
const { room_type_id, rate_plan_id } = found.best_offer;

const quote = dataOf(
  await api.POST("/v1/quotes", {
    body: { hotel_id: found.hotel_id, room_type_id, rate_plan_id, stay, guests },
  }),
);
const hold = dataOf(
  await api.POST("/v1/holds", {
    params: { header: { "Idempotency-Key": newKey() } },
    body: { quote_id: quote.quote_id },
  }),
);
const booked = await api.POST("/v1/bookings", {
  params: { header: { "Idempotency-Key": newKey(), "X-Delegated-User": delegation } },
  body: {
    hold_id: hold.hold_id,
    quote_id: quote.quote_id,
    guest: { primary: { full_name: "Ada Lovelace", email: "ada@example.com" } },
    payment: { method: "card", provider_token: "tok_test_ok" },
  },
});
const { booking_id: id } = dataOf(booked);
const read = dataOf(await api.GET("/v1/bookings/{id}", { params: { path: { id } } }));
const cancelled = dataOf(
  await api.POST("/v1/bookings/{id}/cancel", {
    params: { path: { id }, header: { "X-Delegated-User": delegation } },
    body: { reason_code: "changed_plans" },
  }),
);
const receipt = booked.data?.receipt;
if (!receipt) throw new Error("the booking came without a receipt");
const verified = dataOf(await api.POST("/v1/receipts/verify", { body: receipt }));

// A refusal is typed too: the code is one of the catalogue, not any text.
const again = await api.GET("/v1/bookings/{id}", { params: { path: { id: "bkg_unknown" } } });
const code: ErrorEnvelope["error"]["code"] | undefined = again.error?.error.code;

console.log(
  JSON.stringify({
    total: quote.price_breakdown.total,
    paid: read.payment?.amount,
    state: read.state,
    cancelled: cancelled.state,
    refunded: cancelled.refund?.amount ?? 0,
    valid: verified.valid,
    code,
  }),
);
