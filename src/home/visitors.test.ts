/** Goal: where there is no demo nobody is given a key, and nothing tells that one could be. */
import { expect, test } from "bun:test";
import type { PublicCall } from "../http/call.ts";
import type { PublicRoute } from "../http/route.ts";
import { unknownPath } from "../http/unknown-path.ts";
import { visitorRoutes } from "./visitors.ts";

test("without a demo the path of visitors is an unknown one", async () => {
  const [route] = visitorRoutes as unknown as readonly [PublicRoute];
  const call = { context: { demo: async () => null }, path: "/demo/visitors" };
  const answer = await route.handle(call as unknown as PublicCall);
  expect(answer).toEqual(unknownPath("/demo/visitors"));
});
