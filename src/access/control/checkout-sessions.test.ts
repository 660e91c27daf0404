/** Goal: a hold has one open page, found by its own link and by its own agent alone. */
import { afterEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CheckoutSessions, type Handover } from "./checkout-sessions.ts";

const DAY_MS = 86_400_000;
const OF: Handover = {
  ...{ tenant_id: "t1", mode: "live", agent_id: "agt_1", credential_id: "crd_1" },
  hold_id: "hld_1",
  return_url: null,
};
const linkOf = (sessionId: string) => `link of ${sessionId}`;

const dataDir = mkdtempSync(join(tmpdir(), "innkeep-checkout-"));
let sessions = newSessions();

function newSessions(): CheckoutSessions {
  return new CheckoutSessions(dataDir, (secret) => `hash of ${secret}`);
}

afterEach(() => {
  sessions.close();
  rmSync(dataDir, { recursive: true });
  mkdirSync(dataDir);
  sessions = newSessions();
});

test("a hold has one session, until that is cancelled", () => {
  const first = sessions.open(OF, linkOf, 1);
  expect(sessions.open(OF, linkOf, 2)).toEqual(first);
  sessions.cancel(first, 3);
  sessions.cancel(first, 4);
  expect(sessions.find(first.session_id, OF, 5)?.cancelled_at).toBe(3);
  const second = sessions.open(OF, linkOf, 5);
  expect(second.session_id).not.toBe(first.session_id);
  expect(sessions.byToken(linkOf(first.session_id), 5)?.cancelled_at).toBe(3);
});

test("a session is found by its link, and by its own agent, for a day", () => {
  const session = sessions.open(OF, linkOf, 1);
  expect(sessions.byToken(linkOf(session.session_id), DAY_MS)).toEqual(session);
  expect(sessions.byToken(session.session_id, 1)).toBeNull();
  for (const other of [{ agent_id: "agt_2" }, { tenant_id: "t2" }, { mode: "test" as const }]) {
    expect(sessions.find(session.session_id, { ...OF, ...other }, 1)).toBeNull();
  }
  expect(sessions.find(session.session_id, OF, DAY_MS + 1)).toBeNull();
  expect(sessions.byToken(linkOf(session.session_id), DAY_MS + 1)).toBeNull();
});

test("a refusal that several requests got is counted once", () => {
  const session = sessions.open(OF, linkOf, 1);
  for (let i = 0; i < 3; i += 1) sessions.countRefusal(session);
  expect(sessions.find(session.session_id, OF, 1)?.refusals).toBe(1);
});

test("a form is claimed once, until it is given back or its day is over", () => {
  expect(sessions.claim("f1", 1)).toBeTrue();
  expect(sessions.claim("f1", 2)).toBeFalse();
  expect(sessions.claimed("f1")).toBeNull();
  sessions.settle("f1", 1, "chk_1");
  expect([sessions.claim("f1", 3), sessions.claimed("f1")]).toEqual([false, "chk_1"]);
  expect(sessions.claim("f2", 4)).toBeTrue();
  sessions.settle("f2", 4, null);
  expect(sessions.claimed("f2")).toBeUndefined();
  expect(sessions.claim("f2", 5)).toBeTrue();
  sessions.forget(DAY_MS + 1);
  expect(sessions.claimed("f1")).toBeUndefined();
});

test("a claim without outcome is soon another's, and the first cannot settle it any more", () => {
  expect(sessions.claim("f1", 1)).toBeTrue();
  expect(sessions.claim("f1", 15_000)).toBeFalse();
  expect(sessions.claim("f1", 15_001)).toBeTrue();
  for (const late of [null, "chk_1"]) sessions.settle("f1", 1, late);
  expect(sessions.claimed("f1")).toBeNull();
  sessions.settle("f1", 15_001, "chk_2");
  expect([sessions.claim("f1", DAY_MS), sessions.claimed("f1")]).toEqual([false, "chk_2"]);
});

test("the payment of a session that another replaces is given back, to be ended", () => {
  const { session_id } = sessions.open(OF, linkOf, 1);
  const [first, second] = ["cs_1", "cs_2"].map((page_ref) => {
    return { session_id, page_ref, encrypted: "", created_at: 1 };
  });
  expect(sessions.beginPayment(first!)).toBeNull();
  expect(sessions.beginPayment(second!)).toEqual(first!);
  expect(sessions.payment(session_id)).toEqual(second!);
  sessions.endPayment(second!);
  expect(sessions.beginPayment(first!)).toBeNull();
});
