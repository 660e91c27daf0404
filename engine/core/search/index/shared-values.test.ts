import { expect, test } from "bun:test";
import { SharedValues } from "./shared-values.ts";

test("equal texts share one value, and unused texts are dropped eventually", () => {
  const common = new SharedValues();
  const first = { text: "first" };
  expect(common.of(first, "first")).toBe(first);
  expect(common.of({ text: "first" }, "first")).toBe(first);
  for (let i = 0; i < SharedValues.KEPT_MAX; i += 1) common.of(i, `edit ${i}`);
  const later = { text: "first" };
  expect(common.of(later, "first")).toBe(later);
  expect(common.of(first, "first")).toBe(later);
});
