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

test("every object of every body is closed, except receipts, JSON-RPC and clients", () => {
  const open = ROUTES.all.flatMap(({ id, body }) => openObjects(body?.schema, id));
  // RFC 7591 §2: metadata of a client that the server does not know is ignored.
  const known = ["a2a", "a2a/properties/params", "mcp", "register_oauth_client", "verify_receipt"];
  expect(open.toSorted()).toEqual(known);
});
