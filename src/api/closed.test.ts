import { expect, test } from "bun:test";
import { ROUTES } from "../app.ts";

/** Pointers of the objects in a schema that let unknown properties pass. */
function openObjects(schema: unknown, at = ""): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { type, additionalProperties } = schema as Record<string, unknown>;
  const isOpen = type === "object" && (additionalProperties ?? true) === true;
  const inner = Object.entries(schema).flatMap(([key, value]) =>
    openObjects(value, `${at}/${key}`),
  );
  return isOpen ? [at, ...inner] : inner;
}

test("every object of every body is closed, except a returned receipt and JSON-RPC", () => {
  const open = ROUTES.all.flatMap(({ id, body }) => openObjects(body?.schema, id));
  expect(open.toSorted()).toEqual(["a2a", "a2a/properties/params", "mcp", "verify_receipt"]);
});
