/** Goal: a query's refusal reports every fault, and no value is guessed. */
import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { ROUTES } from "../app.ts";
import type { QueryParameter } from "./contract.ts";
import { queryErrors, readQuery } from "./query.ts";

const FAULT = { message: "is not a number", expected: "a number" };
const number: QueryParameter = {
  ...{ schema: Type.Integer(), description: "", fault: FAULT },
  isValid: (value) => /^\d+$/.test(value),
};
const query = { limit: number, from: { ...number, isRequired: true } };

function faults(path: string, url: string) {
  return queryErrors({ path, query }, readQuery(url)).map((error) => error.path);
}

test("a repeated parameter is refused, even with equal values", () => {
  expect(queryErrors({ path: "/v1/x", query }, readQuery("/v1/x?from=1&limit=2&limit=3"))).toEqual([
    { path: "?limit", message: "is given more than once", expected: "given once: a number" },
  ]);
  expect(faults("/feeds/x", "/feeds/x?from=1&from=1")).toEqual(["?from"]);
  expect(faults("/v1/x", "/v1/x?from=1&%6cimit=2&limit=3")).toEqual(["?limit"]);
});

test("every fault of a query is reported once", () => {
  const url = "/v1/x?limit=x&limit=y&more=1&more=2";
  expect(faults("/v1/x", url)).toEqual(["?more", "?limit", "?from"]);
  expect(faults("/v1/x", "/v1/x?from=1&limit=x")).toEqual(["?limit"]);
  expect(faults("/v1/x", "/v1/x?from=1")).toEqual([]);
});

test("repeated parameters are accepted on routes where caches and probes add names", () => {
  expect(faults("/book/:hotel", "/book/x?from=1&from=2&utm=1&utm=2")).toEqual([]);
});

test("no parameter of any query is a list", () => {
  const lists = ROUTES.all.flatMap(({ id, query: known = {} }) => {
    return Object.entries(known)
      .filter(([, { schema }]) => schema.type === "array")
      .map(([name]) => `${id} ${name}`);
  });
  expect(lists).toEqual([]);
});
