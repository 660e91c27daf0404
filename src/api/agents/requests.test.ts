import { expect, test } from "bun:test";
import { ADMIN_SCOPES, DEFAULT_SCOPES } from "../../access/control/agents.ts";
import { compile } from "../../http/validate.ts";
import { AgentBody, AgentPatchBody, expiryMs, expiryProblems, RotateBody } from "./requests.ts";

const checkAgent = compile(AgentBody);
const checkAgentPatch = compile(AgentPatchBody);
const checkRotate = compile(RotateBody);

const agent = { name: "Concierge", kind: "agent" };
const paths = (faults: readonly { readonly path: string }[]) => faults.map(({ path }) => path);

test("every existing scope can be granted, each once, and no other", () => {
  const faults = (scopes: readonly string[]) => paths(checkAgent({ ...agent, scopes }));
  expect(faults([...DEFAULT_SCOPES, ...ADMIN_SCOPES])).toEqual([]);
  expect(faults([])).toEqual([]);
  expect(faults(["search", "search"])).toEqual(["/scopes"]);
  expect(faults(["admin", "admin:", "admin:all", "Search", "*"])).toEqual(
    [0, 1, 2, 3, 4].map((i) => `/scopes/${i}`),
  );
});

test("null removes a limit; a limit that blocks everything is invalid", () => {
  const faults = (limits: object) => paths(checkAgentPatch({ limits }));
  const all = { rpm: null, burst: null, max_open_holds: null, max_open_quotes: null };
  expect(faults({ ...all, max_booking_amount: null })).toEqual([]);
  expect(faults({ max_open_holds: 0, max_booking_amount: { amount: 0, currency: "EUR" } })).toEqual(
    [],
  );
  expect(faults({ rpm: 0, burst: 0, max_open_holds: -1, max_booking_amount: 100 })).toEqual([
    ...["/limits/rpm", "/limits/burst", "/limits/max_open_holds", "/limits/max_booking_amount"],
  ]);
});

test("kind and mode cannot be changed", () => {
  expect(paths(checkAgentPatch({ kind: "operator", mode: "test" }))).toEqual(["/kind", "/mode"]);
});

test("an overlap is at most a week", () => {
  const isFine = (overlap_s: number) => checkRotate({ overlap_s }).length === 0;
  expect([0, 604_800, -1, 604_801, 1.5].map(isFine)).toEqual([true, true, false, false, false]);
});

test("an expiry is a valid instant in the future", () => {
  const nowMs = Date.parse("2027-01-01T00:00:00Z");
  const isFine = (expires_at: string) =>
    checkRotate({ expires_at }).length === 0 && expiryProblems({ expires_at }, nowMs).length === 0;
  for (const good of [
    ...["2027-01-01T00:00:00.001Z", "2027-01-01T00:30:00+00:15", "2028-02-29T23:59:59Z"],
  ]) {
    expect({ good, isFine: isFine(good) }).toEqual({ good, isFine: true });
  }
  for (const bad of [
    ...["2027-01-01T00:00:00Z", "2027-01-01T00:30:00+01:00", "2027-02-29T00:00:00Z"],
    ...["2028-01-01", "2028-01-01T00:00:00", "2028-01-01T24:00:00Z", "2028-13-01T00:00:00Z", ""],
  ]) {
    expect({ bad, isFine: isFine(bad) }).toEqual({ bad, isFine: false });
  }
  expect(expiryMs({ expires_at: "2027-01-01T01:00:00.5+01:00" })).toBe(nowMs + 500);
  expect([expiryMs({}), expiryMs({ expires_at: null })]).toEqual([null, null]);
});
