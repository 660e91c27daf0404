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
    "search POST /v1/search",
  ]);
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
