import { expect, test } from "bun:test";
import * as parts from "../http/schema/request-parts.ts";
import * as agents from "./agents/schemas.ts";
import * as ari from "./ari/schemas.ts";
import * as booking from "./bookings/schemas.ts";
import * as fx from "./fx/schemas.ts";
import * as hold from "./holds/schemas.ts";
import * as issuers from "./issuers/schemas.ts";
import * as property from "./properties/schemas.ts";
import * as quote from "./quotes/schemas.ts";
import * as receipt from "./receipts/schemas.ts";
import * as search from "./search/schemas.ts";

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

test("every object of every body is closed, except the root of a receipt that is sent back", () => {
  const schemas = {
    ...{ ...agents, ...ari, ...booking, ...fx, ...hold, ...issuers, ...parts },
    ...{ ...property, ...quote, ...receipt, ...search },
  };
  const bodies = Object.entries(schemas).filter(([name]) => name.endsWith("Body"));
  expect(bodies.length).toBeGreaterThan(15);
  const open = bodies.flatMap(([name, schema]) => openObjects(schema, name));
  expect(open).toEqual(["VerifyBody"]);
});
