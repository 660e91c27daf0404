/** Lookup: ids and codes, exact case before any case, and never a guess. */
import { expect, test } from "bun:test";
import {
  createProperty,
  promoteProperty,
  propertyTree,
  REALM,
  ratePlan,
  roomType,
} from "../../../test/support/builders.ts";
import { given } from "../../../test/support/given.ts";
import { IdOrCodeLookup, namedOffer } from "./lookup-by-id-or-code.ts";

const plans = (room: string, ...codes: string[]) =>
  codes.map((code) => ratePlan({ id: `${room}-${code}`, code }));
const TREE = propertyTree({
  room_types: [
    roomType({ id: "room-1", code: "DBL", rate_plans: plans("1", "FLEX", "bar", "BAR") }),
    roomType({ id: "room-2", code: "SGL", rate_plans: plans("2", "FLEX", "ONLY") }),
    roomType({ id: "room-3", code: "Suite", rate_plans: plans("3", "flex") }),
    roomType({ id: "room-4", code: "SUITE", rate_plans: plans("4", "ONE") }),
  ],
});
const names = new IdOrCodeLookup(TREE);

test("a room type is found by id, by code, and by its code in any case if it is the only one", () => {
  const idOf = (name: string) => {
    const room = names.room(name);
    return room && "id" in room ? room.id : room;
  };
  expect(["room-1", "DBL", "dbl", "Suite", "SUITE", "twn"].map(idOf)).toEqual([
    ...["room-1", "room-1", "room-1", "room-3", "room-4"],
    null,
  ]);
  expect(idOf("suite")).toEqual({ candidates: ["Suite (room-3)", "SUITE (room-4)"] });
});

test("a plan's code is unique within its room type, and ambiguous alone when several rooms have it", () => {
  const idOf = (name: string, room?: string) => {
    const placed = names.plan(name, room);
    return placed && "plan" in placed ? placed.plan.id : placed;
  };
  expect(idOf("FLEX", "room-2")).toBe("2-FLEX");
  expect(idOf("flex", "room-2")).toBe("2-FLEX");
  expect(idOf("only")).toBe("2-ONLY");
  expect(idOf("flex")).toBe("3-flex");
  expect(idOf("2-FLEX", "room-1")).toBeNull();
  expect(idOf("FLEX")).toEqual({ candidates: ["FLEX of DBL (1-FLEX)", "FLEX of SGL (2-FLEX)"] });
  expect(idOf("Bar", "room-1")).toEqual({
    candidates: ["bar of DBL (1-bar)", "BAR of DBL (1-BAR)"],
  });
});

test("an error names ten candidates and how many more there are", () => {
  const room_types = Array.from({ length: 12 }, (_, i) =>
    roomType({ id: `room-${i}`, code: `R${i}`, rate_plans: plans(`${i}`, "FLEX") }),
  );
  const found = new IdOrCodeLookup(propertyTree({ room_types })).plan("FLEX");
  expect(found && "candidates" in found && found.candidates).toHaveLength(11);
  expect(found && "candidates" in found && found.candidates[10]).toBe("2 more");
});

test("an offer is found by ids, by codes, or by one of each", () => {
  const property = given(createProperty(TREE), promoteProperty(TREE)).state.property(
    REALM,
    TREE.id,
  )!;
  const named = (room: string, plan: string) => {
    const offer = namedOffer(property, room, plan);
    return typeof offer === "object" && "plan" in offer ? offer.plan.id : offer;
  };
  for (const [room, plan] of [
    ["room-1", "1-FLEX"],
    ["DBL", "FLEX"],
    ["dbl", "1-FLEX"],
  ] as const) {
    expect(named(room, plan)).toBe("1-FLEX");
  }
  expect(named("TWN", "FLEX")).toBe("room_type_not_found");
  expect(named("DBL", "ONLY")).toBe("rate_plan_not_found");
  expect(named("room-1", "2-FLEX")).toBe("rate_plan_not_found");
  expect(named("suite", "flex")).toMatchObject({ field: "room_type_id" });
  expect(named("DBL", "bAR")).toMatchObject({ field: "rate_plan_id" });
});
