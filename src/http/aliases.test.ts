/** Goal: a route accepts either name of a parameter, but not two contradicting values. */
import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { bodyAsDeclared, queryAsDeclared } from "./aliases.ts";
import { readQuery } from "./query.ts";
import type { FieldError } from "./validate.ts";

const ANY = {
  schema: Type.String(),
  description: "",
  isValid: () => true,
  fault: { message: "", expected: "" },
};

function query(declared: string, sent: string) {
  const route = { query: { [declared]: ANY } };
  const { query: read, contradictions } = queryAsDeclared(route, readQuery(`/v1/x?${sent}`));
  return [Object.fromEntries(read), contradictions.map(({ path }) => path)];
}

test("a parameter is accepted under either name of its pair", () => {
  expect(query("state", "states=held")).toEqual([{ state: "held" }, []]);
  expect(query("states", "state=held")).toEqual([{ states: "held" }, []]);
  expect(query("property_id", "hotel_id=p1")).toEqual([{ property_id: "p1" }, []]);
  expect(query("property_id", "hotel_id=p1&property_id=p1")).toEqual([{ property_id: "p1" }, []]);
  expect(query("other", "hotel_id=p1")).toEqual([{ hotel_id: "p1" }, []]);
});

test("both names with different values are a contradiction", () => {
  const [, paths] = query("property_id", "hotel_id=p1&property_id=p2");
  expect(paths).toEqual(["?hotel_id"]);
});

test("a member of a body is accepted under either name, and the rest stays unchanged", () => {
  const schema = Type.Object({ hotel_id: Type.String() });
  const read = (sent: unknown) => {
    const errors: FieldError[] = [];
    return [bodyAsDeclared(schema, sent, errors), errors.map(({ path }) => path)];
  };
  expect(read({ property_id: "p1", stay: 1 })).toEqual([{ hotel_id: "p1", stay: 1 }, []]);
  expect(read({ hotel_id: "p1", property_id: "p1" })).toEqual([{ hotel_id: "p1" }, []]);
  expect(read({ hotel_id: "p1", property_id: "p2" })[1]).toEqual(["/property_id"]);
  for (const other of [null, 1, "text", ["property_id"]]) expect(read(other)).toEqual([other, []]);
});
