import { expect, test } from "bun:test";
import { openErrorOf } from "./api.ts";
import type { ApiCall, Visit } from "./visit.ts";

const ERROR = {
  ...{ message: "", remediation: "", retry_after: 1, trace_id: "", next_actions: [] },
  ...{ code: "upstream_unavailable", detail: { upstream: "engine" } },
};
const CALL: ApiCall = {
  ...{ method: "POST", path: "/v1/admin/x", body: {}, status: 503, traceId: "" },
  error: ERROR,
};

function codeAfter(over: Partial<ApiCall>): string | null {
  return openErrorOf({ made: [{ ...CALL, ...over }] } as unknown as Visit)?.code ?? null;
}

test("a write without an outcome is open, and so is a payment without a verdict", () => {
  const made = [CALL, { ...CALL, error: null }];
  expect(openErrorOf({ made } as unknown as Visit)).toBe(ERROR);
  const error = { ...ERROR, code: "payment_timeout", detail: {} };
  expect(codeAfter({ error })).toBe("payment_timeout");
});

test("what was read, tried or refused leaves nothing open", () => {
  expect(codeAfter({ method: "GET" })).toBeNull();
  expect(codeAfter({ path: "/v1/admin/x?dry_run=true" })).toBeNull();
  expect(codeAfter({ body: { dry_run: true } })).toBeNull();
  expect(codeAfter({ error: { ...ERROR, code: "conflict" } })).toBeNull();
  expect(codeAfter({ error: { ...ERROR, detail: { upstream: "control_store" } } })).toBeNull();
});
