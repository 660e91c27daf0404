import { expect, test } from "bun:test";
import { ROUTES } from "../../app.ts";
import { toolsOf } from "../tools/catalogue.ts";
import { listed } from "./listed.ts";

const LISTED = toolsOf(ROUTES).map(listed);

/** `a.b[]` of every argument, with what is known of it. */
function* partsOf(schema: object, at = ""): Generator<[string, Record<string, unknown>]> {
  const { properties = {}, items, ...own } = schema as Record<string, object>;
  yield [at, own as Record<string, unknown>];
  for (const [name, each] of Object.entries(properties)) yield* partsOf(each, `${at}.${name}`);
  if (items) yield* partsOf(items, `${at}[]`);
}

test("the short list has the arguments, types and required members of the full one", () => {
  for (const { tool, default: short, full } of LISTED) {
    const all = [...partsOf(full.inputSchema)];
    const told = new Map(partsOf(short.inputSchema));
    expect({ id: tool.id, parts: [...told.keys()] }).toEqual({
      id: tool.id,
      parts: all.map(([path]) => path),
    });
    for (const [path, { type, required, enum: words, additionalProperties }] of all) {
      // That arguments are closed is said once for each tool.
      const same = { type, required, enum: words, ...(path === "" && { additionalProperties }) };
      expect(told.get(path)).toMatchObject(JSON.parse(JSON.stringify(same)));
    }
  }
});

test("the short list has every description of the full one, in no more words", () => {
  for (const { default: short, full } of LISTED) {
    const told = new Map(partsOf(short.inputSchema));
    for (const [path, { description, enum: words }] of partsOf(full.inputSchema)) {
      if (description === undefined || words !== undefined) continue;
      const shorter = String(told.get(path)!.description);
      expect(shorter).not.toBe("undefined");
      expect(shorter.length).toBeLessThanOrEqual(String(description).length);
    }
  }
});

test("the short list has no bounds or answers, and fits in 16 KB", () => {
  const tools = LISTED.map((each) => each.default);
  const text = JSON.stringify({ tools });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16 * 1024);
  expect(text).not.toMatch(/"(?:minLength|maxLength|pattern|outputSchema|\$id)":/);
  expect(text).not.toContain("text of 1 to");
});
