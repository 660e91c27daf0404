/** Goal: the time that is left is estimated from as many steps as there will be. */
import { expect, test } from "bun:test";
import { type Options, readRequest } from "./options.ts";
import { planOf } from "./plan.ts";

function planned(args: readonly string[]): Record<string, number> {
  const request = readRequest(args, { BENCH_SECONDS: "2" });
  const { options } = request as { options: Options };
  return Object.fromEntries(planOf(options).map(({ name, steps }) => [name, steps]));
}

test("nothing is planned but what was asked for, and the supply only where it is sold", () => {
  expect(planned(["--only", "generator/32"])).toEqual({ generator: 3 });
  expect(planned(["--only", "reads/search,flow", "--runs", "2"])).toEqual({
    ...{ seeding: 1, reads: 2, flow: 2 },
  });
  expect(planned(["--only", "core"])).toEqual({ core: 1 });
});

test("holds take all runs, for each number of connections and whoever takes part", () => {
  expect(planned(["--only", "holds", "--runs", "4"]).holds).toBe(2 * 4 * 2);
  expect(planned(["--only", "holds/32", "--runs", "4", "--peers"]).holds).toBe(5 + 4 + 3 + 3);
  expect(planned(["--only", "holds/32", "--runs", "4", "--full"])["holds with keys"]).toBe(1 + 4);
});

test("every part has its stage", () => {
  expect(Object.keys(planned([]))).toEqual([
    ...["generator", "seeding", "reads", "flow", "stalls", "holds", "search, preparing"],
    ...[
      "search, core",
      "webhooks, preparing",
      "webhooks, backlog",
      "webhooks",
      "feeds, preparing",
      "builds of 100",
      "builds of 1000",
    ],
    ...["feeds", "core"],
  ]);
});
