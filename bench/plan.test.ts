/** Goal: the time left is estimated from the real number of steps. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { type Options, readRequest } from "./options.ts";
import { planOf } from "./plan.ts";

function planned(args: readonly string[]): Record<string, number> {
  const request = readRequest(args, { BENCH_SECONDS: "2" });
  const { options } = request as { options: Options };
  return Object.fromEntries(planOf(options).map(({ name, steps }) => [name, steps]));
}

test("only requested parts are planned, and supply only where units are sold", () => {
  expect(planned(["--only", "generator/32"])).toEqual({ generator: 1 });
  expect(planned(["--only", "generator/32", "--runs", "5"])).toEqual({ generator: 3 });
  expect(planned(["--only", "reads/search,flow", "--runs", "2"])).toEqual({
    ...{ seeding: 1, reads: 2, flow: 2 },
  });
  const before = join(import.meta.dir, "..");
  expect(planned(["--only", "flow", "--before", before])).toEqual({
    ...{ seeding: 1, "flow, seeding": 1, flow: 6 },
  });
  expect(planned(["--only", "core"])).toEqual({ core: 1 });
});

test("holds take all runs, for each number of connections and each participant", () => {
  expect(planned(["--only", "holds", "--runs", "4"]).holds).toBe(2 * 4 * 2);
  expect(planned(["--only", "holds/32", "--runs", "4", "--peers"]).holds).toBe(4 + 4 + 3 + 3);
  expect(planned(["--only", "holds/32", "--runs", "4", "--full"])["holds with keys"]).toBe(1 + 4);
});

test("searches alternate with the peer's, and filling the peer is planned where it takes part", () => {
  const alone = planned(["--only", "search", "--runs", "2"]);
  expect(alone).toMatchObject({ "search, core": 2, search: 2 * 6, "search, import": 1 });
  const beside = planned(["--only", "search", "--runs", "2", "--peers"]);
  expect(beside.search).toBe(2 * 8);
  expect([beside["search, peer"], alone["search, peer"]]).toEqual([1, undefined]);
  expect(planned(["--only", "search/core", "--runs", "2"])).toEqual({
    ...{ "search, preparing": 3, "search, core": 2 },
  });
});

test("both sides of several machines take all runs, and takeovers are repeated", () => {
  expect(planned(["--only", "scale", "--runs", "2"])).toEqual({
    ...{ seeding: 1, "scale, seeding": 1, scale: 3 * 2 * 2, "scale, leader killed": 10 },
    ...{ "scale, leader suspended": 10, "scale, primary killed": 3, "scale, handover": 10 },
  });
  expect(planned(["--only", "scale/search"])).toMatchObject({ scale: 2 * 3 });
});

test("every part has a stage", () => {
  expect(Object.keys(planned([]))).toEqual([
    ...[
      "generator",
      "seeding",
      "reads",
      "flow",
      "stalls",
      ...["pages", "pages, browser", "pages, consoles"],
      ...["scale, seeding", "scale", "scale, leader killed", "scale, leader suspended"],
      ...["scale, primary killed", "scale, handover"],
      "holds",
      "holds, slow disk",
      "search, preparing",
    ],
    ...["search, core", "search", "search, import", "webhooks, preparing", "webhooks, backlog"],
    ...["webhooks", "feeds, preparing", "builds of 100", "builds of 1000"],
    ...["feeds", "core"],
  ]);
});
