import { expect, test } from "bun:test";
import {
  createProperty,
  OTHER_TENANT,
  promoteProperty,
  propertyTree,
  TENANT,
} from "../test/support/builders.ts";
import { given } from "../test/support/given.ts";
import { listableOf } from "./listable.ts";

const at = (id: string, over: Parameters<typeof propertyTree>[0] = {}) =>
  propertyTree({ id, slug: id, ...over });

function live(...trees: ReturnType<typeof propertyTree>[]) {
  return trees.flatMap((tree) => [createProperty(tree), promoteProperty(tree)]);
}

test("live properties are listed by id; drafts and test properties are absent", () => {
  const test_mode = at("p-test");
  const { state } = given(
    ...live(at("p-b"), at("p-a")),
    createProperty(at("p-draft")),
    createProperty(test_mode, { mode: "test" }),
    promoteProperty(test_mode, { mode: "test" }),
  );
  const { listed, skipped } = listableOf(state, TENANT);
  expect(listed.map(({ tree }) => tree.id)).toEqual(["p-a", "p-b"]);
  expect(skipped).toEqual([]);
  expect(listableOf(state, OTHER_TENANT)).toEqual({ listed: [], skipped: [] });
});

test("a property that cannot be listed is skipped with its reasons", () => {
  const address = { line1: "\u0000 ", city: "Madrid", country: "ES" };
  const { state } = given(...live(at("p-a")));
  const property = state.property({ tenant_id: TENANT, mode: "live" }, "p-a")!;
  property.tree = at("p-a", { geo: null, phone: "call us", address });
  expect(listableOf(state, TENANT)).toEqual({
    listed: [],
    skipped: [{ property_id: "p-a", reasons: ["line1", "geo or phone"] }],
  });
  property.tree = at("p-a", { default_currency: "CLF" });
  expect(listableOf(state, TENANT).skipped[0]!.reasons).toEqual(["a currency that partners know"]);
  property.tree = at("p-a", { geo: null });
  expect(listableOf(state, TENANT).skipped).toEqual([]);
});
