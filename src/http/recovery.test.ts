import { expect, test } from "bun:test";
import type { QuoteRequest } from "../../engine/core/price/quote.ts";
import { REFUSAL_CODES, type RefusalCode } from "../../engine/core/refusals.ts";
import { CONSENT } from "../actions/call-parts.ts";
import type { May } from "../actions/next-action.ts";
import { METHODS, RELS } from "../actions/steps.ts";
import { quoteRequest } from "../api/quotes/requests.ts";
import { ROUTES } from "../app.ts";
import { type Failure, recoveryActions } from "../refusals/recovery.ts";
import { sameCall } from "./same-call.ts";

const requote: QuoteRequest = {
  hotel_id: "h",
  room_type_id: "r",
  rate_plan_id: "p",
  stay: { check_in: "2026-12-20", check_out: "2026-12-23" },
  guests: { adults: 2, children: [] },
};
const secret = { payment: { provider_token: "tok_secret" }, guest: { email: "secret@x.example" } };
const call = { method: "POST", path: "/v1/bookings", sent: { ...secret, quote_id: "q_body" } };

type Asked = Parameters<typeof sameCall>[0];
type Refused = Omit<Failure, "again" | "trace_id" | "call"> & { readonly call: object };

function recovery(failure: Refused, may?: May) {
  const again = sameCall.bind(null, failure.call as Asked);
  return recoveryActions({ ...failure, trace_id: "trace", again }, may);
}
const short = (failure: Refused) =>
  recovery(failure).map(({ rel, method, href }) => `${rel} ${method} ${href}`);

/** A refused call of a route. */
function callOf(id: string, sent: unknown, headers: Record<string, string> = {}) {
  const route = ROUTES.byId(id);
  return {
    method: route.method,
    path: route.path,
    route,
    sent,
    request: { headers: new Headers(headers) },
  };
}

test("no code offers a template or repeats the caller's input", () => {
  for (const code of REFUSAL_CODES) {
    for (const detail of [{}, { hold_id: "hld_1", booking_id: "bkg_1", remaining: 5 }]) {
      const actions = recovery({ code, detail, hints: { requote }, call });
      for (const { rel, method, href } of actions) {
        expect(RELS).toContain(rel);
        expect(METHODS).toContain(method);
        expect(href).toMatch(/^\/[^{}]*$/);
      }
      expect(JSON.stringify(actions)).not.toContain("secret");
    }
  }
});

test("an expired hold offers the complete request for a new quote", () => {
  const detail = { hold_id: "hld_1" };
  const [action, ...rest] = recovery({
    code: "hold_expired",
    detail,
    hints: { requote },
    call,
  });
  expect(rest).toEqual([]);
  expect(action?.rel).toBe("requote");
  expect(quoteRequest.read(action?.body_hint, 0)).toEqual({ ok: true, value: requote });
});

test("an unavailable stay offers each alternative, then a search", () => {
  const other = { ...requote, room_type_id: "r2" };
  const alternatives = [{ kind: "room_type", sellable: 2, quote: other }];
  const actions = recovery({
    code: "allocation_failed",
    detail: { alternatives },
    hints: { requote },
    call: { method: "POST", path: "/v1/holds" },
  });
  expect(actions.map(({ rel }) => rel)).toEqual(["requote", "search"]);
  expect(quoteRequest.read(actions[0]?.body_hint, 0)).toEqual({ ok: true, value: other });
});

test("a stay without alternatives offers the same stay elsewhere, never the same quote", () => {
  const failure = { detail: { alternatives: [] }, hints: { requote }, call };
  for (const code of ["allocation_failed", "allotment_exhausted"] as const) {
    const { stay, guests } = requote;
    const actions = recovery({ code, ...failure });
    expect(actions).toMatchObject([
      { rel: "search", body_hint: { stay, guests }, changes: ["/destination"] },
    ]);
  }
});

test("a refused payment offers the booking again and the release of the hold", () => {
  const detail = { hold_id: "hld_1", payment_id: "pay_1" };
  const actions = recovery({ code: "payment_failed", detail, call });
  expect(actions[0]?.body_hint).toMatchObject({ hold_id: "hld_1", quote_id: "q_body" });
  expect(actions[1]?.href).toBe("/v1/holds/hld_1/release");
});

test("a booked hold offers its booking", () => {
  const code = "hold_not_active";
  const held = { code, detail: { hold_id: "hld_1" }, call } as const;
  const booked = { code, detail: { hold_id: "hld_1", booking_id: "bkg_1" }, call } as const;
  expect(short(held)[0]).toBe("get GET /v1/holds/hld_1");
  expect(short(booked)[0]).toBe("get GET /v1/bookings/bkg_1");
});

test("a conflict offers the resource it names, and a repetition only if that can succeed", () => {
  const path = "/v1/holds/hld_1/extend";
  const extend = { method: "POST", path };
  const named = { code: "conflict", detail: { hold_id: "hld_1" }, call: extend } as const;
  expect(short(named)).toEqual(["get GET /v1/holds/hld_1"]);
  expect(short({ ...named, detail: {} })).toEqual([]);
  const passing = { ...named, detail: { reason: "version_mismatch", version: 7 } };
  expect(recovery(passing)).toMatchObject([
    { rel: "retry", fill_in: [{ path: "If-Match", meaning: '"7"' }] },
  ]);
});

test("a booking that needs an authorization offers to read it, then cheaper ones", () => {
  const max_price_per_night = { amount: 9_000, currency: "EUR" };
  const hints = { requote, max_price_per_night };
  const detail = { hold_id: "hld_1" };
  const cheaper = ["search POST /v1/search", "search POST /v1/search"];
  const hold = ["get GET /v1/holds/hld_1", "release POST /v1/holds/hld_1/release"];
  const code = "authorization_required";
  const asked = { ...detail, authorization_id: "aut_1", state: "pending" };
  const read = "get GET /v1/booking-authorizations/aut_1";
  expect(short({ code, detail: asked, hints, call })).toEqual([read, ...cheaper, ...hold]);
  const [, there] = recovery({ code, detail: asked, hints, call });
  expect(there?.body_hint).toMatchObject({
    destination: { type: "property", value: "h" },
    constraints: { max_price_per_night },
  });
  const [ready] = recovery({ code, detail: { ...asked, state: "approved" }, hints, call });
  expect(ready).toMatchObject({ rel: "confirm", body_hint: { authorization_id: "aut_1" } });
  const invalid = { code: "booking_authorization_invalid", detail: asked, hints, call } as const;
  expect(short(invalid)).toEqual(["confirm POST /v1/bookings", ...cheaper, ...hold]);
  expect(JSON.stringify(recovery(invalid))).not.toContain("aut_1");
  const within = {
    code: "booking_authorization_invalid",
    detail,
    hints: { requote },
    call,
  } as const;
  const [confirm] = recovery(within);
  expect(confirm).toMatchObject({ rel: "confirm", changes: ["/authorization_id"] });
  expect(confirm?.body_hint).not.toContainKey("authorization_id");
});

test("a call is offered again with its ids and dates, and blanks for the rest", () => {
  const sent = { ...secret, hold_id: "hld_1", quote_id: "q", payment: "x", idempotency_key: "k" };
  const again = (code: RefusalCode, body: unknown, headers = {}) =>
    recovery({ code, detail: {}, call: callOf("book", body, headers) })[0];
  expect(again("payment_timeout", sent)).toEqual({
    ...{ rel: "retry", method: "POST", href: "/v1/bookings" },
    body_hint: {
      ...{ payment: "<as you sent it>", guest: "<as you sent it>" },
      ...{ hold_id: "hld_1", quote_id: "q", idempotency_key: "k" },
    },
    fill_in: [
      { path: "/payment", meaning: "as you sent it" },
      { path: "/guest", meaning: "as you sent it" },
    ],
  });
  const { idempotency_key: _, ...keyless } = sent;
  const keyOf = (code: RefusalCode, headers = {}) =>
    again(code, keyless, headers)?.body_hint?.idempotency_key;
  expect(keyOf("payment_timeout", { "idempotency-key": "h" })).toBe("h");
  expect(keyOf("idempotency_conflict", { "idempotency-key": "h~9" })).toBe("h~10");
  expect(keyOf("validation_failed")).toBe("key-trace-0");
});

test("a booking without a traveler's token offers to hand its hold over, a cancellation not", () => {
  const refused = (id: string) => {
    const call = callOf(id, undefined);
    return recovery({ code: "delegation_required", detail: {}, call: call as object });
  };
  expect(refused("book")[1]).toEqual({
    ...{ rel: "confirm", method: "POST", href: "/v1/checkout/sessions" },
    body_hint: { hold_id: "<hold id>", idempotency_key: "checkout--trace" },
    fill_in: [{ path: "/hold_id", meaning: "hold id" }],
  });
  expect(refused("cancel").map(({ rel }) => rel)).toEqual(["retry", "get"]);
});

test("an unread body is offered again as a whole, with the key of its header", () => {
  const headers = { "content-length": "9", "idempotency-key": "h" };
  const call = callOf("book", undefined, headers);
  expect(recovery({ code: "delegation_required", detail: {}, call })[0]).toEqual({
    ...{ rel: "retry", method: "POST", href: "/v1/bookings" },
    fill_in: [
      { path: "", meaning: "the body as you sent it" },
      { path: "Idempotency-Key", meaning: "the key h" },
      CONSENT,
    ],
  });
});

test("a missing bound of a query is a blank to fill in", () => {
  const field_errors = [{ path: "?arrivals", message: "is missing", expected: "a date" }];
  const call = { ...callOf("admin_list_bookings", undefined), query: new Map() };
  expect(recovery({ code: "validation_failed", detail: { field_errors }, call })).toMatchObject([
    { rel: "retry", fill_in: [{ path: "?arrivals", meaning: "a date" }] },
  ]);
});

test("an unknown room type offers its property", () => {
  const quotes = { method: "POST", path: "/v1/quotes", sent: { hotel_id: "h/1" } };
  expect(short({ code: "room_type_not_found", detail: {}, call: quotes })).toEqual([
    "get GET /v1/properties/h%2F1",
    "search POST /v1/search",
  ]);
  const failure = { code: "room_type_not_found", detail: {}, hints: { requote }, call: quotes };
  expect(short(failure as Refused)[1]).toBe("search POST /v1/search");
});

test("an unknown id offers the list, and a search and a quote with blanks", () => {
  const hold = { method: "POST", path: "/v1/holds" };
  const made = ["search POST /v1/search", "quote POST /v1/quotes", "get GET /v1/properties"];
  const found = (code: RefusalCode) => short({ code, detail: {}, call: hold });
  expect(found("quote_not_found")).toEqual(made);
  const [search, quote, properties] = made as [string, string, string];
  const holds = "get GET /v1/holds";
  expect(found("hold_not_found")).toEqual([search, quote, holds, properties]);
  expect(found("booking_not_found")).toEqual([search, "get GET /v1/bookings", properties]);
  const [first] = recovery({ code: "quote_not_found", detail: {}, call: hold });
  expect(first?.fill_in?.map(({ path }) => path)).toEqual([
    ...["/stay/check_in", "/stay/check_out", "/guests/adults"],
  ]);
});

test("a repeated call keeps its query except the parameters at fault", () => {
  const route = { query: { full: {}, currency: {} } };
  const path = "/v1/properties/h";
  const read = { method: "GET", path, route, query: new Map([["full", "true"]]) };
  const again = "retry GET /v1/properties/h?full=true";
  expect(short({ code: "rate_limited", detail: {}, call: read })).toEqual([again]);
  const query = new Map([...read.query, ["currency", "euro"]]);
  const detail = { field_errors: [{ path: "?currency" }] };
  expect(short({ code: "validation_failed", detail, call: { ...read, query } })).toEqual([again]);
});

test("an offered query contains neither personal values nor unknown parameters", () => {
  const route = { query: { guest: { isPersonal: true }, state: {} } };
  const sent = { guest: "ada@example.com", email: "ada@example.com", state: "confirmed" };
  const query = new Map(Object.entries(sent));
  const call = { method: "GET", path: "/v1/admin/bookings", route, query };
  expect(short({ code: "unauthenticated", detail: {}, call })).toEqual([
    "retry GET /v1/admin/bookings?state=confirmed",
  ]);
  const [retry] = recovery({ code: "unauthenticated", detail: {}, call });
  expect(retry?.fill_in).toContainEqual({ path: "?guest", meaning: "as you sent it" });
});

test("a permanent conflict offers no other try", () => {
  const call = { method: "POST", path: "/v1/holds/hld_1/extend" };
  const detail = { reason: "max_extensions", hold_id: "hld_1" };
  expect(short({ code: "conflict", detail, call })).toEqual(["get GET /v1/holds/hld_1"]);
});

test("while a hold's payment is open, a read and a retry are offered, but no other room", () => {
  const call = { method: "POST", path: "/v1/bookings" };
  const detail = { hold_id: "hld_1", state: "confirming" };
  expect(short({ code: "hold_not_active", detail, hints: { requote }, call })).toEqual([
    "get GET /v1/holds/hld_1",
    "retry POST /v1/bookings",
  ]);
});

test("a delegation of an unknown issuer offers the issuers that the caller's tenant trusts", () => {
  const path = "/.well-known/delegation-issuers";
  const failure = { code: "delegation_issuer_unknown", detail: {} } as const;
  const realm = { tenant_id: "t1", mode: "test" };
  const sent = { tenant_id: "t2", mode: "live" };
  expect(short({ ...failure, call: { ...call, realm, sent } })).toEqual([
    `get GET ${path}?tenant_id=t1&mode=test`,
  ]);
  expect(short({ ...failure, call: { ...call, sent } })).toEqual([`get GET ${path}`]);
});

test("a method that next actions lack is offered as its equivalent, or not at all", () => {
  const failure = { code: "rate_limited", detail: {} } as const;
  expect(short({ ...failure, call: { method: "HEAD", path: "/v1/properties" } })).toEqual([
    "retry GET /v1/properties",
  ]);
  expect(short({ ...failure, call: { method: "TRACE", path: "/" } })).toEqual([]);
});

test("a recovery outside the caller's scopes is not offered", () => {
  const failure = { code: "property_not_promotable", detail: { property_id: "p" }, call } as const;
  expect(recovery(failure, (_method, href) => !href.startsWith("/v1/admin/"))).toEqual([]);
});
