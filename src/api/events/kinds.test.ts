/** Goal: what is published of each kind is what is told: schema, example and name. */
import { expect, test } from "bun:test";
import { EVENTS_API_VERSION, PUBLIC_KINDS } from "../../../engine/core/public-events.ts";
import { schemaFaults } from "../../../test/openapi/contract-check.ts";
import { EVENT_EXAMPLES, KINDS, kindNamed, plainSchema, SCHEMAS } from "./kinds.ts";

test("each kind has a meaning, a schema and an example, and nothing else has", () => {
  const kinds = [...PUBLIC_KINDS].sort();
  expect(Object.keys(KINDS).sort()).toEqual(kinds);
  expect([...SCHEMAS.keys()].sort()).toEqual(kinds);
  expect(Object.keys(EVENT_EXAMPLES).sort()).toEqual(kinds);
  for (const { meaning } of Object.values(KINDS)) expect(meaning).toMatch(/^[A-Z].+\.$/);
});

test("an example is of its kind, fits the schema and has nothing that the schema does not", () => {
  for (const [kind, schema] of SCHEMAS) {
    const example = EVENT_EXAMPLES[kind];
    expect(example).toMatchObject({ type: kind, api_version: EVENTS_API_VERSION });
    expect({ kind, faults: schemaFaults(schema, example) }).toEqual({ kind, faults: [] });
  }
});

test("a schema refuses what is of another kind or lacks a member", () => {
  const booking = SCHEMAS.get("booking.confirmed")!;
  expect(schemaFaults(booking, EVENT_EXAMPLES["booking.cancelled"])).not.toEqual([]);
  const { receipt: _receipt, ...data } = EVENT_EXAMPLES["booking.confirmed"].data;
  const faults = schemaFaults(booking, { ...EVENT_EXAMPLES["booking.confirmed"], data });
  expect(faults.join()).toContain("/data/receipt");
});

test("published schemas stand alone: nothing in them is named elsewhere", () => {
  for (const schema of SCHEMAS.values()) {
    expect(JSON.stringify(plainSchema(schema))).not.toMatch(/\$(?:id|ref)/);
  }
});

test("a word that is no kind is none", () => {
  expect(kindNamed("hold.created")).toBe("hold.created");
  for (const word of ["", "hold", "toString", "horizon.advanced"]) {
    expect(kindNamed(word)).toBeNull();
  }
});
