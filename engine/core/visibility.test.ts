/** Goal: who sees which objects, for every kind of caller and owner. */
import { expect, test } from "bun:test";
import type { Rejection } from "./outcomes.ts";
import { type Caller, seenBy, sightOf } from "./visibility.ts";

const REALM = { tenant_id: "t1", mode: "live" } as const;
const THING = { ...REALM, agent_id: "a1" };
const KINDS = ["agent", "partner", "operator", "service"] as const;
const PROPERTY_IDS = [
  { property_ids: ["p2"] },
  { property_ids: [] },
  { property_ids: new Set(["p2"]) },
] as const;

function caller(kind: Caller["actor"]["kind"], id: string, more: Partial<Caller> = {}): Caller {
  return { ...REALM, actor: { kind, id }, ...more };
}

const sees = (by: Caller, thing: typeof THING | typeof REALM = THING) => sightOf(by, thing, "p1");

test("objects of another tenant or mode are hidden from every caller, whatever its reach", () => {
  for (const kind of KINDS) {
    for (const properties of [{}, { property_ids: ["p1"] }, ...PROPERTY_IDS]) {
      const others = [{ tenant_id: "t2" }, { mode: "test" }] as const;
      for (const other of others) {
        expect(sees(caller(kind, "a1", { ...properties, ...other }))).toBe("hidden");
        expect(sees(caller(kind, "a1", { ...properties, ...other }), REALM)).toBe("hidden");
      }
    }
  }
});

test("another agent's objects are hidden from agents and partners, at any property", () => {
  for (const properties of [{}, { property_ids: ["p1"] }, ...PROPERTY_IDS]) {
    for (const kind of ["agent", "partner"] as const) {
      expect(sees(caller(kind, "a2", properties))).toBe("hidden");
    }
    for (const kind of ["operator", "service"] as const) {
      expect(sees(caller(kind, "a2", properties))).not.toBe("hidden");
    }
  }
});

test("at a property outside its reach a caller is denied its own objects and the property", () => {
  for (const kind of KINDS) {
    for (const properties of PROPERTY_IDS) {
      expect(sees(caller(kind, "a1", properties))).toBe("denied");
      expect(sees(caller(kind, "a2", properties), REALM)).toBe("denied");
    }
    for (const properties of [
      {},
      { property_ids: null },
      { property_ids: ["p2", "p1"] },
      { property_ids: new Set(["p1"]) },
    ]) {
      expect(sees(caller(kind, "a1", properties))).toBe("visible");
      expect(sees(caller(kind, "a2", properties), REALM)).toBe("visible");
    }
  }
});

test("a hidden object is answered as a missing one, a denied object by its property", () => {
  const unknown: Rejection = { code: "hold_not_found", detail: { hold_id: "h" } };
  const seen = (by: Caller, thing: typeof THING | null) => seenBy(by, thing, () => "p1", unknown);
  expect(seen(caller("operator", "o"), null)).toBe(unknown);
  expect(seen(caller("agent", "a2"), THING)).toBe(unknown);
  expect(seen(caller("agent", "a1"), THING)).toBe(THING);
  expect(seen(caller("service", "s", { property_ids: ["p2"] }), THING)).toEqual({
    code: "resource_access_denied",
    detail: { property_id: "p1" },
  });
});

test("a guest sees the own booking and its property, and nothing else of any agent", () => {
  const guest = caller("guest", "b1", { property_ids: ["p1"] });
  expect(sightOf(guest, { ...THING, booking_id: "b1" }, "p1")).toBe("visible");
  for (const booking_id of ["b2", null, undefined]) {
    const thing = { ...THING, ...(booking_id !== undefined && { booking_id }) };
    expect(sightOf(guest, thing, "p1")).toBe("hidden");
  }
  expect(sightOf(guest, { ...THING, booking_id: "b1", mode: "test" }, "p1")).toBe("hidden");
  expect(sightOf(guest, REALM, "p1")).toBe("visible");
  expect(sightOf(guest, REALM, "p2")).toBe("denied");
});
