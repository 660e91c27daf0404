import { expect, test } from "bun:test";
import { compile } from "../../http/validate.ts";
import { AriBody, type AriRequest, ariOf, ariProblems } from "./requests.ts";

const checkAri = compile(AriBody);

const range = { from: "2026-12-01", to: "2026-12-31" };
const full: AriRequest = {
  inventory: [{ room_type_id: "r", ...range, capacity: 5, out_of_order: null }],
  rates: [{ rate_plan_id: "p", ...range, days_of_week: ["fri", "sat"], amount: 12_000 }],
  restrictions: [{ room_type_id: "r", ...range, cta: true, min_los_arrival: 3 }],
  ceilings: [{ room_type_id: "r", rate_plan_id: null, agent_id: null, ...range, ceiling: 3 }],
};

test("the documented update is accepted and loses only its key", () => {
  const body = { ...full, idempotency_key: "k" };
  expect(checkAri(body)).toHaveLength(0);
  expect(ariOf(body)).toEqual(full);
  expect(ariProblems(full)).toEqual([]);
});

test("values that cannot be stored are refused, all at once", () => {
  const errors = checkAri({
    inventory: [{ room_type_id: "r", ...range, capacity: 60_001, out_of_order: -1 }],
    rates: [{ rate_plan_id: "p", ...range, amount: 4_000_000_001, days_of_week: ["Monday"] }],
    restrictions: [{ room_type_id: "r", ...range, stop_sell: 1, closed: true }],
    ceilings: [{ room_type_id: "r", ...range }],
  });
  expect(errors.map(({ path }) => path).sort()).toEqual([
    "/ceilings/0/ceiling",
    "/inventory/0/capacity",
    "/inventory/0/out_of_order",
    "/rates/0/amount",
    "/rates/0/days_of_week/0",
    "/restrictions/0/closed",
    "/restrictions/0/stop_sell",
  ]);
});

test("dates exist, are in order and are not too far apart", () => {
  const rate_plan_id = "p";
  const errors = ariProblems({
    rates: [
      { rate_plan_id, from: "2026-02-30", to: "2026-03-01" },
      { rate_plan_id, from: "2026-03-02", to: "2026-03-01" },
      { rate_plan_id, from: "0001-01-01", to: "9999-12-31" },
      { rate_plan_id, from: "2026-03-01", to: "2026-03-01" },
    ],
    ceilings: [{ room_type_id: "r", from: "2026-03-01", to: "2026-13-01", ceiling: null }],
  });
  expect(errors.map(({ path }) => path)).toEqual([
    "/rates/0/from",
    "/rates/1/to",
    "/rates/2/to",
    "/ceilings/0/to",
  ]);
});

test("a release has the member of its strategy alone, and a ceiling", () => {
  const faults = (release: object, ceiling: number | null = 3) => {
    const body = { ceilings: [{ room_type_id: "r", ...range, ceiling, release }] };
    const errors = [...checkAri(body), ...ariProblems(body as Parameters<typeof ariProblems>[0])];
    return errors.map(({ path }) => path.replace("/ceilings/0/release", ""));
  };
  expect(faults({ strategy: "none" })).toEqual([]);
  expect(faults({ strategy: "none" }, null)).toEqual([]);
  expect(faults({ strategy: "fixed", at: "2026-11-30" })).toEqual([]);
  expect(faults({ strategy: "rolling", days_before: 0 })).toEqual([]);
  expect(faults({ strategy: "rolling", days_before: 7 }, null)).toEqual([""]);
  expect(faults({ strategy: "rolling" })).toEqual(["/days_before"]);
  expect(faults({ strategy: "fixed", days_before: 1 })).toEqual(["/days_before", "/at"]);
  expect(faults({ strategy: "none", at: "2026-11-30" })).toEqual(["/at"]);
  expect(faults({ strategy: "fixed", at: "2026-11-31" })).toEqual(["/at"]);
  expect(faults({ strategy: "rolling", days_before: 1_000 })).toEqual(["/days_before"]);
  expect(faults({ strategy: "weekly" })).toEqual(["/strategy"]);
});
