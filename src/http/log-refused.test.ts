import { expect, test } from "bun:test";
import type { LoggedRequest } from "../lib/request-log.ts";
import { invalid, refuse } from "./answer.ts";
import type { Context } from "./context.ts";
import { logRefused } from "./log-refused.ts";

type Noted = Omit<LoggedRequest, "at">;
type Answered = Parameters<typeof logRefused>[1];

function logged(answer: Answered, status: number): Noted {
  const noted: Noted[] = [];
  const requestLog = {
    note: (each: Noted) => noted.push(each),
  } as unknown as Context["requestLog"];
  const principal = { tenant_id: "tnt_1", agent_id: "agt_1" };
  const call = { context: { requestLog }, traceId: "a1", method: "POST", principal };
  logRefused({ ...call, route: { path: "/v1/holds/:id" } }, answer, status, 1.6);
  return noted[0]!;
}

test("a 400 names the fields at fault; a name that the caller invented is hidden", () => {
  const faults = [
    { path: "/guests/0/email", message: "must be an address", expected: "an address" },
    { path: "/guest/Ada Lovelace", message: "is not a known property", expected: "only name" },
    { path: "?ada@example.com", message: "is not a known parameter", expected: "one of limit" },
    { path: "", message: "is not well-formed JSON", expected: "a JSON document" },
  ];
  expect(logged(invalid(faults), 400)).toEqual({
    ...{ method: "POST", route: "/v1/holds/:id", status: 400, code: "validation_failed", ms: 2 },
    ...{ trace_id: "a1", tenant_id: "tnt_1", agent_id: "agt_1" },
    fields: ["/guests/0/email", "/guest/*", "?*", ""],
  });
});

test("401 and 403 are logged with their reason, others without their detail", () => {
  const detail = { reason: "unknown_credential", email: "ada@example.com" };
  expect(logged(refuse("unauthenticated", detail), 401)).toMatchObject({
    code: "unauthenticated",
    reason: "unknown_credential",
  });
  expect(logged(refuse("conflict", detail), 409)).not.toHaveProperty("reason");
});

test("a replay is logged under the trace named in its answer", () => {
  const replay = refuse("hold_expired", {}, { trace_id: "b2", isReplayed: true });
  expect(logged(replay, 410).trace_id).toBe("b2");
});

test("OAuth's own errors have their code, and a client that disconnected has none", () => {
  const small = { ok: false, status: 401, error: "invalid_client" } as const;
  expect(logged(small, 401).code).toBe("invalid_client");
  expect(logged(null, 499).code).toBeNull();
});
