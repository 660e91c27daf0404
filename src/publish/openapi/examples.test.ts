/** The examples are complete recorded answers. */
import { expect, test } from "bun:test";
import { REFUSAL_CODES } from "../../../engine/core/refusals.ts";
import { ROUTES } from "../../app.ts";
import { toolsOf } from "../../protocols/tools/catalogue.ts";
import { EXAMPLES, lean } from "./examples.ts";

function responseOf<T>(id: string): T {
  return EXAMPLES.operations[id]!.response as T;
}

test("no list in an example is shortened", () => {
  const errors = responseOf<{ errors: readonly { code: string }[] }>("list_errors").errors;
  expect(errors.map(({ code }) => code)).toEqual([...REFUSAL_CODES]);
  const card = responseOf<{ capabilities: readonly { id: string }[] }>("get_agent_card");
  expect(card.capabilities.map(({ id }) => id)).toEqual(toolsOf(ROUTES).map(({ id }) => id));
  const coverage = responseOf<{ properties: number }>("get_coverage");
  const listed = responseOf<{ data: { items: readonly unknown[] } }>("list_properties");
  expect(listed.data.items.length).toBeGreaterThan(2);
  expect(coverage.properties).toBeGreaterThanOrEqual(listed.data.items.length);
});

test("the document shows the first two of a longer list, at any depth", () => {
  expect(lean({ a: [1, 2, 3], b: [{ c: [1, 2, 3, 4] }, 2, 3, 4], d: null })).toEqual({
    a: [1, 2, 3],
    b: [{ c: [1, 2] }, 2],
    d: null,
  });
});
