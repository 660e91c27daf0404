import { expect, test } from "bun:test";
import { errorBody, successBody } from "./envelope.ts";

const trace_id = "0af7651916cd43dd8448eb211c80319c";

test("a success has its three members, and the optional ones only when they are given", () => {
  const plain = successBody({ next_actions: [], trace_id, data: { b: 1, a: 2 } });
  expect(plain).toBe(`{"data":{"b":1,"a":2},"trace_id":"${trace_id}","next_actions":[]}`);
  const timed = successBody({ expires_at: null, data: {}, trace_id, next_actions: [] });
  expect(timed).toBe(`{"data":{},"trace_id":"${trace_id}","next_actions":[],"expires_at":null}`);
});

test("an error has every member of the contract in one order", () => {
  const text = errorBody({
    trace_id,
    next_actions: [{ rel: "search", method: "POST", href: "/v1/search" }],
    docs: "https://docs.example",
    retry_after: null,
    detail: { hotel_id: "h" },
    code: "property_not_found",
  });
  expect(Object.keys(JSON.parse(text))).toEqual(["error"]);
  expect(Object.keys(JSON.parse(text).error)).toEqual([
    "code",
    "message",
    "detail",
    "remediation",
    "retry_after",
    "docs_url",
    "trace_id",
    "next_actions",
  ]);
  expect(JSON.parse(text).error.docs_url).toBe("https://docs.example/errors/property_not_found");
});

test("a given message replaces the catalogue's and nothing else", () => {
  const parts = {
    code: "validation_failed",
    detail: {},
    trace_id,
    docs: "",
    retry_after: null,
    next_actions: [],
  } as const;
  const usual = JSON.parse(errorBody(parts)).error;
  const told = JSON.parse(errorBody({ ...parts, message: "There is no such route." })).error;
  expect(told).toEqual({ ...usual, message: "There is no such route." });
});
