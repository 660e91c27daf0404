import { expect, test } from "bun:test";
import type { QuoteRequest } from "../../engine/core/quote.ts";
import { REFUSAL_CODES } from "../../engine/core/refusals.ts";
import { METHODS, RELS } from "../actions/steps.ts";
import { quoteRequest } from "../api/quotes/schemas.ts";
import { type Failure, recoveryActions } from "./recovery.ts";

const requote: QuoteRequest = {
  hotel_id: "h",
  room_type_id: "r",
  rate_plan_id: "p",
  stay: { check_in: "2026-12-20", check_out: "2026-12-23" },
  guests: { adults: 2, children: [] },
};
const secret = { payment: { provider_token: "tok_secret" }, guest: { email: "secret@x.example" } };
const call = { method: "POST", path: "/v1/bookings", sent: { ...secret, quote_id: "q_body" } };
const short = (failure: Failure) =>
  recoveryActions(failure).map(({ rel, method, href }) => `${rel} ${method} ${href}`);

test("no code ever offers a template or repeats what the caller sent", () => {
  for (const code of REFUSAL_CODES) {
    for (const detail of [{}, { hold_id: "hld_1", booking_id: "bkg_1", remaining: 5 }]) {
      const actions = recoveryActions({ code, detail, hints: { requote }, call });
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
  const [action, ...rest] = recoveryActions({
    code: "hold_expired",
    detail,
    hints: { requote },
    call,
  });
  expect(rest).toEqual([]);
  expect(action?.rel).toBe("requote");
  expect(quoteRequest.read(action?.body_hint, 0)).toEqual({ ok: true, value: requote });
});

test("a stay that cannot be held offers each alternative, then a search", () => {
  const other = { ...requote, room_type_id: "r2" };
  const alternatives = [{ kind: "room_type", sellable: 2, quote: other }];
  const actions = recoveryActions({
    code: "allocation_failed",
    detail: { alternatives },
    hints: { requote },
    call: { method: "POST", path: "/v1/holds" },
  });
  expect(actions.map(({ rel }) => rel)).toEqual(["requote", "search"]);
  expect(quoteRequest.read(actions[0]?.body_hint, 0)).toEqual({ ok: true, value: other });
});

test("a stay without alternatives offers the same quote again", () => {
  const failure = { detail: { alternatives: [] }, hints: { requote }, call };
  const [action] = recoveryActions({ code: "allotment_exhausted", ...failure });
  expect(quoteRequest.read(action?.body_hint, 0)).toEqual({ ok: true, value: requote });
});

test("a refused payment offers the booking again and the hold's release", () => {
  const detail = { hold_id: "hld_1", payment_id: "pay_1" };
  const actions = recoveryActions({ code: "payment_failed", detail, call });
  expect(actions[0]?.body_hint).toMatchObject({ hold_id: "hld_1", quote_id: "q_body" });
  expect(actions[1]?.href).toBe("/v1/holds/hld_1/release");
});

test("a hold that became a booking leads to the booking", () => {
  const code = "hold_not_active";
  const held = { code, detail: { hold_id: "hld_1" }, call } as const;
  const booked = { code, detail: { hold_id: "hld_1", booking_id: "bkg_1" }, call } as const;
  expect(short(held)[0]).toBe("get GET /v1/holds/hld_1");
  expect(short(booked)[0]).toBe("get GET /v1/bookings/bkg_1");
});

test("a conflict leads to the resource it names, and to nothing when it names none", () => {
  const path = "/v1/holds/hld_1/extend";
  const extend = { method: "POST", path };
  const named = { code: "conflict", detail: { hold_id: "hld_1" }, call: extend } as const;
  expect(short(named)).toEqual(["get GET /v1/holds/hld_1", `retry POST ${path}`]);
  expect(short({ ...named, detail: {} })).toEqual([`retry POST ${path}`]);
});

test("a missing authorization asks for the booking again with an authorization", () => {
  const [action] = recoveryActions({ code: "authorization_required", detail: {}, call });
  expect(action?.rel).toBe("retry");
  expect(action?.body_hint?.authorization_id).toBe("<approved authorization id>");
});

test("an unknown room type leads to its property", () => {
  const quotes = { method: "POST", path: "/v1/quotes", sent: { hotel_id: "h/1" } };
  expect(short({ code: "room_type_not_found", detail: {}, call: quotes })).toEqual([
    "get GET /v1/properties/h%2F1",
  ]);
  const failure = { code: "room_type_not_found", detail: {}, hints: { requote }, call: quotes };
  expect(short(failure as Failure)[1]).toBe("search POST /v1/search");
});

test("a call whose body nobody knows is not offered, the list of what there is instead", () => {
  const list = ["get GET /v1/properties"];
  const hold = { method: "POST", path: "/v1/holds" };
  for (const code of ["quote_not_found", "hold_not_found", "booking_not_found"] as const) {
    expect(short({ code, detail: {}, call: hold })).toEqual(list);
  }
});

test("the same call keeps its query, but for what is at fault", () => {
  const route = { query: { full: {}, currency: {} } };
  const path = "/v1/properties/h";
  const read = { method: "GET", path, route, query: new Map([["full", "true"]]) };
  const again = "retry GET /v1/properties/h?full=true";
  expect(short({ code: "rate_limited", detail: {}, call: read })).toEqual([again]);
  const query = new Map([...read.query, ["currency", "euro"]]);
  const detail = { field_errors: [{ path: "?currency" }] };
  expect(short({ code: "validation_failed", detail, call: { ...read, query } })).toEqual([again]);
});

test("neither who is looked for nor a name that nobody knows comes back in a query", () => {
  const route = { query: { guest: { isPersonal: true }, state: {} } };
  const sent = { guest: "ada@example.com", email: "ada@example.com", state: "confirmed" };
  const query = new Map(Object.entries(sent));
  const call = { method: "GET", path: "/v1/admin/bookings", route, query };
  expect(short({ code: "unauthenticated", detail: {}, call })).toEqual([
    "retry GET /v1/admin/bookings?guest=%3Cas+you+sent+it%3E&state=confirmed",
  ]);
});

test("a conflict that nothing gets past offers no other try", () => {
  const call = { method: "POST", path: "/v1/holds/hld_1/extend" };
  const detail = { reason: "max_extensions", hold_id: "hld_1" };
  expect(short({ code: "conflict", detail, call })).toEqual(["get GET /v1/holds/hld_1"]);
});

test("while a hold's payment is open, looking and trying again are offered, no other room", () => {
  const call = { method: "POST", path: "/v1/bookings" };
  const detail = { hold_id: "hld_1", state: "confirming" };
  expect(short({ code: "hold_not_active", detail, hints: { requote }, call })).toEqual([
    "get GET /v1/holds/hld_1",
    "retry POST /v1/bookings",
  ]);
});

test("a stranger's delegation leads to the issuers that the caller's tenant trusts", () => {
  const path = "/.well-known/delegation-issuers";
  const failure = { code: "delegation_issuer_unknown", detail: {} } as const;
  const realm = { tenant_id: "t1", mode: "test" };
  const sent = { tenant_id: "t2", mode: "live" };
  expect(short({ ...failure, call: { ...call, realm, sent } })).toEqual([
    `get GET ${path}?tenant_id=t1&mode=test`,
  ]);
  expect(short({ ...failure, call: { ...call, sent } })).toEqual([`get GET ${path}`]);
});

test("a method that is no next-action method is offered as what it stands for, or not", () => {
  const failure = { code: "rate_limited", detail: {} } as const;
  expect(short({ ...failure, call: { method: "HEAD", path: "/v1/properties" } })).toEqual([
    "retry GET /v1/properties",
  ]);
  expect(short({ ...failure, call: { method: "TRACE", path: "/" } })).toEqual([]);
});

test("a recovery outside the caller's scopes is not offered", () => {
  const failure = { code: "property_not_promotable", detail: { property_id: "p" }, call } as const;
  expect(recoveryActions(failure, (_method, href) => !href.startsWith("/v1/admin/"))).toEqual([
    { rel: "retry", method: "POST", href: "/v1/bookings" },
  ]);
});
