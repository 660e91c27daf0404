/** Goal: the form lane follows RFC 6749, the JSON lane the contract, and neither repeats values. */
import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { encodingsOf, readParameters } from "./parameters.ts";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const text = Type.Optional(Type.String());
const encodings = encodingsOf(
  { grant_type: Type.Literal("a", { description: "a" }), scope: text },
  { resource: text },
);

async function read(type: string | null, body: string) {
  const headers = type === null ? undefined : { "content-type": type };
  const bytes = new TextEncoder().encode(body);
  const request = new Request("http://localhost/", {
    method: "POST",
    body: bytes,
    ...(headers ? { headers } : {}),
  });
  const reading = await readParameters(request, encodings);
  return reading.ok ? reading.parameters : reading.problem;
}

test("a form may have unknown parameters and those that only forms have", async () => {
  expect(await read(FORM, "grant_type=a&resource=r&audience=x")).toEqual({
    grant_type: "a",
    resource: "r",
  });
  expect(await read(`${FORM}; charset=UTF-8`, "grant_type=a&scope=b+c%20d")).toEqual({
    grant_type: "a",
    scope: "b c d",
  });
});

test("JSON may have known parameters only", async () => {
  expect(await read(JSON_TYPE, '{"grant_type":"a","scope":"b"}')).toEqual({
    grant_type: "a",
    scope: "b",
  });
  expect(await read("Application/JSON; charset=utf-8", '{"grant_type":"a","resource":"r"}')).toBe(
    "resource is not a known property",
  );
});

test("a parameter without a value counts as omitted", async () => {
  expect(await read(FORM, "grant_type=a&scope=&resource")).toEqual({ grant_type: "a" });
  expect(await read(JSON_TYPE, '{"grant_type":"a","scope":""}')).toEqual({ grant_type: "a" });
});

test("a repeated parameter is refused, known or not", async () => {
  expect(await read(FORM, "grant_type=a&grant_type=a&x=1&x=2")).toBe(
    "grant_type is repeated; x is repeated",
  );
});

test("a form has 32 parameters at most, however short they are", async () => {
  const extra = (count: number) => Array.from({ length: count }, (_, i) => `&x${i}=1`).join("");
  expect(await read(FORM, `grant_type=a${extra(31)}`)).toEqual({ grant_type: "a" });
  const problem = "the form has more than 32 parameters";
  for (const form of [`grant_type=a${extra(32)}`, "a&".repeat(32_767), "&".repeat(65_536)]) {
    expect(await read(FORM, form)).toBe(problem);
  }
});

test("all faults are reported at once, by name", async () => {
  expect(await read(FORM, "scope=b")).toBe("grant_type is missing");
  expect(await read(FORM, "grant_type=secret")).toBe("grant_type must be a");
  expect(await read(JSON_TYPE, '{"scope":1,"x":2}')).toBe(
    "grant_type is missing; x is not a known property; scope must be text",
  );
  expect(await read(JSON_TYPE, "[]")).toBe("body must be an object");
});

test("a body that is neither form nor JSON is refused", async () => {
  const expected = "Content-Type must be application/x-www-form-urlencoded or application/json";
  for (const type of [
    null,
    "",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/jwt",
  ]) {
    expect(await read(type, "grant_type=a")).toBe(expected);
  }
  for (const body of ["", "{", '{"scope":"\\ud800"}', "grant_type=a"]) {
    expect(await read(JSON_TYPE, body)).toBe("the body is not well-formed JSON");
  }
});

test("a body may have up to 64 KiB, and one byte more is refused", async () => {
  const padded = (bytes: number) => `grant_type=a&x=${"x".repeat(bytes - 15)}`;
  expect(await read(FORM, padded(65_536))).toEqual({ grant_type: "a" });
  expect(await read(FORM, padded(65_537))).toBe("the body is too large: at most 65536 bytes");
});
