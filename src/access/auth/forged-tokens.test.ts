/**
 * Goal: the verification refuses everything but good tokens, for the right reason. Method: all
 * named forgeries, then random mutants that a second verifier judges too. `FORGED_TOKENS` (default
 * 2,000) is the number of mutants; `SEED` repeats the choices of a run, not its keys.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { consentProblem } from "../../../engine/core/consent.ts";
import { Random } from "../../../test/sim/random.ts";
import { Forger } from "../../../test/support/forger.ts";
import { FORGERIES } from "../../../test/support/forgeries.ts";
import { Mutants } from "../../../test/support/token-mutants.ts";
import { Oracle } from "../../../test/support/token-oracle.ts";
import { createTenant } from "../control/tenants.ts";
import { openTestControl } from "../control/test-control.ts";
import { type DelegationGrant, verifyDelegation } from "./delegation.ts";

const COUNT = Number(process.env.FORGED_TOKENS ?? 2000);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const NOW_S = 1_800_000_000;
const AUDIENCE = "https://innkeep.example";
const PLATFORM = { platformAudience: AUDIENCE, oauthIssuer: AUDIENCE, baseUrl: AUDIENCE };
const AGENT = "agt_forger";

const control = openTestControl();
afterAll(control.close);

let forger: Forger;
let oracle: Oracle;

beforeAll(async () => {
  console.log(`SEED=${SEED}`);
  forger = await Forger.open(AUDIENCE, AGENT, () => NOW_S);
  forger.register(control.store, control.tenantId, createTenant(control.store, "Other hotels"));
  control.view.refresh();
  oracle = new Oracle(forger, () => NOW_S);
});

/** The verification's answer in the words of `Forgery.expected`. */
async function answer(token: string): Promise<string> {
  const { view, realm } = control;
  const terms = { platform: PLATFORM, view, nowMs: NOW_S * 1000 };
  const result = await verifyDelegation({ token, realm, ...terms });
  if (result.ok) return covered(result);
  if (result.code === "delegation_issuer_unknown") return "issuer_unknown";
  expect(result.code).toBe("delegation_invalid");
  const { reason, claim } = result.detail;
  return claim === undefined ? String(reason) : `${reason} ${claim}`;
}

test.each(FORGERIES.map((each) => [each.expected, each.name, each] as const))(
  "%s: a token with %s",
  async (expected, _name, forgery) => {
    const token = await forgery.token(forger);
    expect(await answer(token)).toBe(expected);
    expect(oracle.judge(token)).toBe(expected);
  },
);

test("there are at least 60 forgeries with distinct names, and the unaltered token is valid", async () => {
  expect(new Set(FORGERIES.map(({ name }) => name)).size).toBe(FORGERIES.length);
  expect(FORGERIES.length).toBeGreaterThanOrEqual(60);
  for (const header of [{}, { alg: "RS256" }, { kid: undefined }]) {
    const token = await forger.sign({}, header);
    expect([await answer(token), oracle.judge(token)]).toEqual(["ok", "ok"]);
  }
});

test(`${COUNT} mutants are answered as the second verifier answers, seed ${SEED}`, async () => {
  const mutants = new Mutants(new Random(SEED), forger);
  const seen = new Map<string, number>();
  for (let i = 0; i < COUNT; i += 1) {
    const { kind, token, isSigned } = await mutants.next();
    const expected = oracle.judge(token);
    const what = `${i} ${kind} ${readable(token)}`;
    expect(`${what}: ${await answer(token)}`).toBe(`${what}: ${expected}`);
    if (expected.startsWith("ok")) expect(`${what}: ${isSigned}`).toBe(`${what}: true`);
    seen.set(expected, (seen.get(expected) ?? 0) + 1);
  }
  const wanted = ["bad_signature", "unsupported_algorithm", "issuer_unknown", "ok", "ok, expired"];
  const claims = ["iss", "sub", "aud", "exp", "nbf", "iat"].map((each) => `missing_claim ${each}`);
  const bound = ["azp", "client_id", "hold_id", "max_amount"];
  const audiences = ["typ", "aud", ...bound].map((each) => `audience_mismatch ${each}`);
  const times = ["nbf", "iat", "max_ttl_s"].map((each) => `expired ${each}`);
  expect([...seen.keys()].sort()).toEqual([...wanted, ...claims, ...audiences, ...times].sort());
});

/** The engine's word on a token that verifies. */
function covered({ consent }: DelegationGrant): string {
  const { reason, claim } = consentProblem(consent, { agent_id: AGENT })?.detail ?? {};
  if (reason === "expired") return "ok, expired";
  return reason === undefined ? "ok" : `${reason} ${claim}`;
}

/** Header and claims for a message. */
function readable(token: string): string {
  const parts = token.split(".").slice(0, 2);
  return parts.map((part) => Buffer.from(part, "base64url").toString().slice(0, 300)).join(" ");
}
