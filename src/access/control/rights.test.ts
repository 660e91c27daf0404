/** Goal: a credential has exactly what is within its scopes, properties and limits. */
import { expect, test } from "bun:test";
import { DEFAULT_LIMITS, NO_LIMITS } from "./agents.ts";
import type { Principal } from "./principal.ts";
import { lacking, limitsWithin, type Rights } from "./rights.ts";

const NOTHING: Rights = { scopes: [], property_ids: [], limits: DEFAULT_LIMITS };

function holder(terms: Partial<Pick<Principal, "limits">> & Partial<Rights> = {}): Principal {
  const { scopes = [], property_ids = null, limits = DEFAULT_LIMITS } = terms;
  return {
    ...{ tenant_id: "t", agent_id: "a", credential_id: "c", kind: "operator", mode: "live" },
    scopes: new Set(scopes),
    property_ids: property_ids && new Set(property_ids),
    limits,
  };
}

test("a credential has the scopes it names; `admin:*` includes every administration scope", () => {
  const own = holder({ scopes: ["admin:agents", "search"] });
  expect(lacking(own, { ...NOTHING, scopes: ["search", "admin:agents"] })).toBeNull();
  const asked = ["search", "bookings:read", "admin:fx", "admin:*"];
  expect(lacking(own, { ...NOTHING, scopes: asked })).toEqual({
    missing_scopes: ["bookings:read", "admin:fx", "admin:*"],
  });
  const root = holder({ scopes: ["admin:*"] });
  expect(lacking(root, { ...NOTHING, scopes: ["admin:fx", "admin:*"] })).toBeNull();
  expect(lacking(root, { ...NOTHING, scopes: ["search"] })).toEqual({ missing_scopes: ["search"] });
});

test("a restricted credential has the properties it names, an unrestricted one has all", () => {
  const own = holder({ property_ids: ["p1", "p2"] });
  const lackOf = (property_ids: Rights["property_ids"], by = own) =>
    lacking(by, { ...NOTHING, property_ids });
  expect(lackOf(["p2"])).toBeNull();
  expect(lackOf([])).toBeNull();
  expect(lackOf(["p2", "p3"])).toEqual({ missing_property_ids: ["p3"] });
  expect(lackOf(null)).toEqual({ missing_property_ids: null });
  expect(lackOf(null, holder({ property_ids: [] }))).toEqual({ missing_property_ids: null });
  for (const ids of [null, ["p3"], []]) expect(lackOf(ids, holder())).toBeNull();
});

test("a limit up to one's own may be granted; no limit or another currency exceeds it", () => {
  const eur = (amount: number) => ({ max_booking_amount: { amount, currency: "EUR" } });
  const lackOf = (limits: object, own: object) => {
    const by = holder({ limits: { ...NO_LIMITS, ...own } });
    return lacking(by, { ...NOTHING, limits: { ...DEFAULT_LIMITS, ...limits } });
  };
  expect(lackOf({ ...NO_LIMITS }, {})).toBeNull();
  expect(lackOf({ rpm: 60, burst: 60 }, { rpm: 60 })).toBeNull();
  expect(lackOf({ rpm: 61, burst: null }, { rpm: 60, burst: 9 })).toEqual({
    missing_limits: ["rpm", "burst"],
  });
  expect(lackOf({ max_open_holds: 0 }, { max_open_holds: 0 })).toBeNull();
  expect(lackOf(eur(5), eur(5))).toBeNull();
  for (const more of [eur(6), { max_booking_amount: null }]) {
    expect(lackOf(more, eur(5))).toEqual({ missing_limits: ["max_booking_amount"] });
  }
  const other = { max_booking_amount: { amount: 1, currency: "JPY" } };
  expect(lackOf(other, eur(5))).toEqual({ missing_limits: ["max_booking_amount"] });
});

test("an omitted burst equals the rate and is not unlimited", () => {
  const own = holder({ limits: { ...NO_LIMITS, rpm: 10 } });
  const lackOf = (limits: object) =>
    lacking(own, { ...NOTHING, limits: { ...NO_LIMITS, rpm: 10, ...limits } });
  expect(lackOf({ burst: 11 })).toEqual({ missing_limits: ["burst"] });
  for (const burst of [10, null]) expect(lackOf({ burst })).toBeNull();
  expect(limitsWithin(own.limits, {}).burst).toBeNull();
  const wide = holder({ limits: { ...NO_LIMITS, rpm: 60, burst: 20 } });
  expect(lacking(wide, { ...NOTHING, limits: { ...NO_LIMITS, rpm: 20 } })).toBeNull();
  const unmetered = holder({ limits: { ...NO_LIMITS, burst: 5 } });
  expect(lacking(unmetered, { ...NOTHING, limits: NO_LIMITS })).toBeNull();
});

test("all missing rights are reported at once", () => {
  const own = holder({ scopes: ["search"], property_ids: ["p1"] });
  expect(lacking(own, { scopes: ["quotes"], property_ids: ["p2"], limits: NO_LIMITS })).toEqual({
    missing_scopes: ["quotes"],
    missing_property_ids: ["p2"],
    missing_limits: ["rpm", "burst", "max_open_holds", "max_open_quotes"],
  });
});

test("an omitted limit is the default, and never exceeds one's own", () => {
  expect(limitsWithin(NO_LIMITS, { rpm: null })).toEqual({ ...DEFAULT_LIMITS, rpm: null });
  const max_booking_amount = { amount: 5, currency: "EUR" };
  const own = { ...DEFAULT_LIMITS, rpm: 60, max_open_holds: 100, max_booking_amount };
  expect(limitsWithin(own, { burst: 7 })).toEqual({
    ...{ rpm: 60, burst: 7, max_open_holds: 20, max_open_quotes: 1000, max_booking_amount },
  });
});
