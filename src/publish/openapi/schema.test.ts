/** Conversion of TypeBox to OpenAPI 3.0.3: where the two differ. */
import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { closed, mapOf, oneOf, optionalOrNull, shownAs } from "../../http/schema/request-parts.ts";
import { Components } from "./schema.ts";

const converted = (schema: Parameters<Components["convert"]>[0]) =>
  new Components().convert(schema);

test("null becomes nullable, also in enums", () => {
  const text = Type.String({ maxLength: 5 });
  expect(converted(Type.Union([text, Type.Null()]))).toEqual({
    ...{ type: "string", maxLength: 5 },
    nullable: true,
  });
  const word = Type.Union([Type.Literal("a"), Type.Literal("b"), Type.Null()]);
  expect(converted(word)).toEqual({ type: "string", nullable: true, enum: ["a", "b", null] });
  const either = Type.Union([Type.String(), Type.Number(), Type.Null()]);
  expect(converted(either)).toEqual({
    anyOf: [{ type: "string" }, { type: "number", nullable: true }],
  });
});

test("literals become enums", () => {
  expect(converted(oneOf(["a", "b"]))).toMatchObject({ type: "string", enum: ["a", "b"] });
  expect(converted(Type.Literal("a"))).toEqual({ type: "string", enum: ["a"] });
  expect(converted(Type.Literal(true))).toEqual({ type: "boolean" });
});

test("an integer that may exceed 32 bits has the format int64: strict languages assume 32 bits", () => {
  const widths = [undefined, 5, 2 ** 31 - 1, 2 ** 31].map((maximum) => {
    return converted(Type.Integer(maximum === undefined ? {} : { maximum })).format;
  });
  expect(widths).toEqual(["int64", undefined, undefined, "int64"]);
});

test("closed objects stay closed, maps keep their values, null stays optional", () => {
  const schema = closed({ a: Type.Integer({ minimum: 1 }), b: optionalOrNull(Type.String()) });
  expect(converted(schema)).toEqual({
    type: "object",
    properties: {
      a: { type: "integer", format: "int64", minimum: 1 },
      b: { type: "string", nullable: true },
    },
    required: ["a"],
    additionalProperties: false,
  });
  expect(converted(mapOf("^[A-Z]{3}$", Type.String()))).toEqual({
    type: "object",
    additionalProperties: { type: "string" },
  });
  expect(converted(Type.Object({}))).toEqual({ type: "object" });
});

test("a named schema is one component, however often it is used", () => {
  const components = new Components();
  const Money = Type.Object({ amount: Type.Integer() }, { $id: "Money" });
  const both = Type.Object({ fee: Money, refund: Type.Optional(Money) });
  const reference = { $ref: "#/components/schemas/Money" };
  expect(components.convert(both)).toMatchObject({
    properties: { fee: reference, refund: reference },
    required: ["fee"],
  });
  expect(Object.keys(components.schemas)).toEqual(["Money"]);
});

test("a nullable schema says so in its component, or in a second one if others are not", () => {
  const components = new Components();
  const Money = Type.Object({ amount: Type.Integer() }, { $id: "Money" });
  const Reason = Type.Union([Type.Literal("a"), Type.Literal("b")], { $id: "Reason" });
  const all = components.convert(
    Type.Object({
      fee: Money,
      limit: Type.Union([Money, Type.Null()]),
      reason: Type.Union([Reason, Type.Null()]),
    }),
  );
  const { MoneyOrNull, Reason: why, ...others } = components.schemas;
  expect(all.properties).toEqual({
    fee: { $ref: "#/components/schemas/Money" },
    limit: { $ref: "#/components/schemas/MoneyOrNull" },
    reason: { $ref: "#/components/schemas/Reason" },
  });
  expect(MoneyOrNull).toMatchObject({ type: "object", nullable: true, required: ["amount"] });
  expect(why).toEqual({ type: "string", nullable: true, enum: ["a", "b", null] });
  expect(Object.keys(others)).toEqual(["Money"]);
});

test("nested objects are components named after their position; equal ones share a name", () => {
  const components = new Components();
  const Child = closed({ age: Type.Integer() });
  const Answered = Type.Object({ age: Type.Integer() }, { $id: "Child" });
  const body = closed({
    batches: Type.Array(closed({ size: Type.Integer() })),
    guests: closed({ children: Type.Array(shownAs(Child, Answered)) }),
  });
  expect(components.convert(body, "PartyInput")).toEqual({
    $ref: "#/components/schemas/PartyInput",
  });
  expect(Object.keys(components.schemas)).toEqual([
    ...["Child", "PartyInput", "PartyInputBatch", "PartyInputGuests"],
  ]);
});

test("a name denotes one schema only", () => {
  const components = new Components();
  components.convert(Type.String({ $id: "Text" }));
  expect(() => components.convert(Type.Integer({ $id: "Text" }))).toThrow("two schemas");
});
