/** Goal: the published name, schema and example of each kind match its events. */
import { expect, test } from "bun:test";
import { EVENTS_API_VERSION, PUBLIC_KINDS } from "../../../engine/core/public-events.ts";
import { schemaFaults } from "../../../test/openapi/contract-check.ts";
import { EVENT_EXAMPLES, KINDS, kindNamed, plainSchema, SCHEMAS } from "./kinds.ts";

test("exactly the known kinds have a meaning, a schema and an example", () => {
  const kinds = [...PUBLIC_KINDS].sort();
  expect(Object.keys(KINDS).sort()).toEqual(kinds);
  expect([...SCHEMAS.keys()].sort()).toEqual(kinds);
  expect(Object.keys(EVENT_EXAMPLES).sort()).toEqual(kinds);
  for (const { meaning } of Object.values(KINDS)) expect(meaning).toMatch(/^[A-Z].+\.$/);
});

test("an example has its kind, fits its schema and has no member beyond it", () => {
  for (const [kind, schema] of SCHEMAS) {
    const example = EVENT_EXAMPLES[kind];
    expect(example).toMatchObject({ type: kind, api_version: EVENTS_API_VERSION });
    expect({ kind, faults: schemaFaults(schema, example) }).toEqual({ kind, faults: [] });
  }
});

test("a schema refuses an event of another kind or without a member", () => {
  const booking = SCHEMAS.get("booking.confirmed")!;
  expect(schemaFaults(booking, EVENT_EXAMPLES["booking.cancelled"])).not.toEqual([]);
  const { receipt: _receipt, ...data } = EVENT_EXAMPLES["booking.confirmed"].data;
  const faults = schemaFaults(booking, { ...EVENT_EXAMPLES["booking.confirmed"], data });
  expect(faults.join()).toContain("/data/receipt");
});

test("published schemas are self-contained: they refer to no other document", () => {
  for (const schema of SCHEMAS.values()) {
    expect(JSON.stringify(plainSchema(schema))).not.toMatch(/\$(?:id|ref)/);
  }
});

test("an unknown word is not a kind", () => {
  expect(kindNamed("hold.created")).toBe("hold.created");
  for (const word of ["", "hold", "toString", "horizon.advanced"]) {
    expect(kindNamed(word)).toBeNull();
  }
});
