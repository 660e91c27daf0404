import { expect, test } from "bun:test";
import { expectDeclared } from "./declared.ts";

const refusal = (code: string) => JSON.stringify({ error: { code } });

test("an undeclared code of a route is reported wherever it occurs", () => {
  const ask = (path: string, code: string) => () => expectDeclared("GET", path, 404, refusal(code));
  expect(ask("/v1/holds/hld_x?x=1", "hold_not_found")).not.toThrow();
  expect(ask("/v1/holds/hld_x", "booking_not_found")).toThrow("get_hold does not declare");
  expect(ask("/v1/nowhere", "validation_failed")).not.toThrow();
  expect(ask("/v1/nowhere", "hold_not_found")).toThrow("no route does not declare");
});

test("other bodies than the envelope's refusals have no code to declare", () => {
  for (const text of ["", "gone", '{"error":"invalid_client"}', '{"jsonrpc":"2.0","error":{}}']) {
    expect(() => expectDeclared("POST", "/oauth/token", 400, text)).not.toThrow();
  }
  expect(() => expectDeclared("GET", "/v1/properties", 200, refusal("odd"))).not.toThrow();
});
