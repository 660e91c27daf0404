/**
 * Goal: money is taken exactly once, and a payment fails only by the provider's verdict, despite
 * crashes and late answers. Method: the real engine, Redis and sandbox provider; clocks are moved,
 * and the provider's calls are watched, delayed or made to fail.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Outcome } from "../../engine/core/outcomes.ts";
import type { Payment } from "../../engine/core/records.ts";
import { SqliteJournalReader } from "../../engine/log/journal-reader.ts";
import { JournalTail } from "../../engine/log/journal-tail.ts";
import { GENESIS_CHAIN } from "../../engine/log/stored-row.ts";
import {
  cancelBooking,
  createProperty,
  frozenQuote,
  OTHER_TENANT,
  placeHold,
  promoteProperty,
  propertyTree,
  roomType,
  TENANT,
} from "../../test/support/builders.ts";
import { EngineRig, type RigPayments, randomHex } from "../../test/support/engine-rig.ts";
import { WatchedProvider } from "../../test/support/watched-provider.ts";
import { openConnections } from "../redis/connections.ts";
import { SandboxProvider } from "./sandbox.ts";

const DAY_MS = 86_400_000;
const room = roomType({ default_inventory: 1_000 });
const trees = {
  [TENANT]: propertyTree({ room_types: [room] }),
  [OTHER_TENANT]: propertyTree({ id: "property-two", slug: "two", room_types: [room] }),
};

let rig: EngineRig;
let provider: WatchedProvider;
let payments: RigPayments;

beforeAll(async () => {
  rig = await EngineRig.start();
  for (const [tenant_id, tree] of Object.entries(trees)) {
    const actor = { kind: "operator", id: "agt_ops" } as const;
    await rig.submit(createProperty(tree, { tenant_id, actor }));
    await rig.submit(promoteProperty(tree, { tenant_id, actor }));
  }
});

afterAll(() => rig.stop());

beforeEach(async () => {
  rig.paymentBudgetMs = 10_000;
  rig.losesJobs = false;
  const path = join(rig.lone.dataDir, `sandbox-${randomUUID()}.db`);
  provider = new WatchedProvider(new SandboxProvider({ path, now: rig.lone.now }));
  payments = await rig.startPayments(provider);
});

afterEach(async () => {
  await payments.end();
  provider.close();
});

async function hold(tenantId: keyof typeof trees = TENANT) {
  const now = rig.lone.now();
  const date = (inDays: number) => new Date(now + inDays * DAY_MS).toISOString().slice(0, 10);
  const stay = { check_in: date(30), check_out: date(32) };
  const quote = frozenQuote(trees[tenantId]!, { created_at: now, stay, tenant_id: tenantId });
  return rig.hold(placeHold(quote, { tenant_id: tenantId }));
}

type Hold = Awaited<ReturnType<typeof hold>>;

/** Sends a booking; `outcome` is what its client gets in the end. */
function book(of: Hold, token: string, tenant_id = TENANT) {
  const outcome = rig.submit(rig.booking(of, token, { tenant_id })).then((it) => it.outcome);
  return { outcome };
}

function codeOf(outcome: Outcome): string {
  return outcome.ok ? outcome.kind : outcome.code;
}

/** How often money was taken for a payment, as the journal tells it. */
function capturesOf({ payment_id }: Payment): number {
  let count = 0;
  const tail = new JournalTail(new SqliteJournalReader(rig.lone.journal.db), {
    row: 0,
    chain: GENESIS_CHAIN,
  });
  tail.readAll((row) => {
    for (const { type, data } of row.events) {
      if (type === "payment.captured" && data.payment_id === payment_id) count += 1;
    }
  });
  return count;
}

/** A worker that dies: what it had in work ends without a word. */
async function replaceWorker(): Promise<void> {
  await payments.end();
  provider.letGo();
  payments = await rig.startPayments(provider);
}

/** Moves time past a payment's next slot and lets the sweeper look when nobody works on it. */
async function sweepAfter(durationMs: number): Promise<void> {
  await payments.worker.idle();
  rig.lone.advance(durationMs);
  payments.sweeper.sweep();
}

test("a captured payment confirms the booking, and its reference was journaled before", async () => {
  const held = await hold();
  let refAtConfirm: string | null | undefined;
  provider.before("confirm", () => {
    refAtConfirm = rig.paymentOf(held.hold_id)?.provider_ref;
  });
  const outcome = await book(held, "tok_visa").outcome;
  expect(outcome).toMatchObject({ ok: true, kind: "booking" });
  const payment = rig.paymentOf(held.hold_id);
  expect(payment).toMatchObject({ state: "captured", provider_ref: refAtConfirm! });
  expect(refAtConfirm).toStartWith("sbx_");
  expect(provider.calls).toEqual(["create", "confirm"]);
});

test("a decline seals 402 with the provider's words and gives the hold back", async () => {
  const held = await hold();
  const outcome = await book(held, "tok_test_declined").outcome;
  expect(outcome).toMatchObject({
    code: "payment_failed",
    detail: { provider_code: "card_declined", provider_message: "The card was declined." },
  });
  expect(rig.lone.engine.state.holds.get(held.hold_id)?.state).toBe("held");
});

test("after a provider error the same key starts a new attempt on the same hold", async () => {
  const held = await hold();
  const command = rig.booking(held, "tok_visa");
  provider.failNext("confirm");
  const first = await rig.submit(command);
  expect(first).toMatchObject({ phase: "open", outcome: { code: "payment_provider_error" } });
  expect(provider.calls).toEqual(["create", "confirm", "cancel"]);
  const failed = rig.paymentOf(held.hold_id)!;
  const second = await rig.submit({ ...command, random: randomHex() });
  expect(codeOf(second.outcome)).toBe("booking");
  const captured = rig.paymentOf(held.hold_id)!;
  expect(failed).toMatchObject({ state: "failed", attempt: 1 });
  expect(captured).toMatchObject({ state: "captured", attempt: 2 });
});

test("failed create and cancel calls are retried while the client waits", async () => {
  provider.failNext("create");
  provider.failNext("confirm");
  provider.failNext("cancel");
  const outcome = await book(await hold(), "tok_visa").outcome;
  expect(codeOf(outcome)).toBe("payment_provider_error");
  expect(provider.calls).toEqual(["create", "create", "confirm", "cancel", "cancel"]);
});

test.each([
  ["tok_test_timeout_then_captured", "booking", "captured"],
  ["tok_test_timeout_then_failed", "payment_failed", "failed"],
] as const)("%s stays unknown with its units until the provider decides: %s", async (...row) => {
  const [token, code, state] = row;
  rig.paymentBudgetMs = 100;
  const held = await hold();
  const { outcome } = book(held, token);
  await provider.called("confirm");
  const undecided = provider.answered("cancel");
  await rig.lone.until(() => rig.paymentOf(held.hold_id)?.state === "unknown");
  await sweepAfter(5_000);
  await undecided;
  expect(rig.lone.engine.state.holds.get(held.hold_id)?.state).toBe("confirming");
  await sweepAfter(7_000);
  expect(codeOf(await outcome)).toBe(code);
  expect(rig.paymentOf(held.hold_id)?.state).toBe(state);
});

test("after a worker is killed during confirm, the next one takes the money once", async () => {
  const held = await hold();
  provider.holdConfirms();
  const { outcome } = book(held, "tok_visa");
  await provider.called("confirm");
  await replaceWorker();
  expect(rig.paymentOf(held.hold_id)).toMatchObject({ state: "pending" });
  await sweepAfter(3_000);
  expect(codeOf(await outcome)).toBe("booking");
  expect(capturesOf(rig.paymentOf(held.hold_id)!)).toBe(1);
});

test("a payment abandoned before confirm is cancelled at its deadline, never confirmed", async () => {
  const held = await hold();
  provider.holdConfirms();
  const { outcome } = book(held, "tok_visa");
  await provider.called("confirm");
  await payments.end();
  provider.letGo();
  rig.lone.advance(11_000);
  payments = await rig.startPayments(provider);
  expect(codeOf(await outcome)).toBe("payment_failed");
  expect(provider.calls).toEqual(["create", "confirm", "read", "cancel"]);
  expect(rig.lone.engine.state.holds.get(held.hold_id)?.state).toBe("held");
});

test("a capture found after the units went back is refunded at once", async () => {
  rig.paymentBudgetMs = 100;
  const held = await hold();
  const { outcome } = book(held, "tok_test_timeout_then_captured");
  await rig.lone.until(() => rig.paymentOf(held.hold_id)?.state === "unknown");
  await payments.end();
  rig.lone.advance(DAY_MS);
  expect(await outcome).toMatchObject({ detail: { reason: "outcome_unknown" } });
  payments = await rig.startPayments(provider);
  await rig.lone.until(() => rig.paymentOf(held.hold_id)?.state === "refunded");
  expect(provider.calls).toEqual(["create", "confirm", "read", "refund"]);
});

test("a payment whose job was lost is resumed from its state", async () => {
  rig.losesJobs = true;
  const held = await hold();
  const { outcome } = book(held, "tok_visa");
  await rig.lone.until(() => rig.paymentOf(held.hold_id)?.state === "pending");
  await sweepAfter(2_500);
  expect(codeOf(await outcome)).toBe("booking");
});

test("a job that comes after its deadline registers and cancels but does not confirm", async () => {
  rig.paymentBudgetMs = -1;
  const held = await hold();
  const outcome = await book(held, "tok_visa").outcome;
  expect(codeOf(outcome)).toBe("payment_failed");
  expect(provider.calls).toEqual(["create", "read", "cancel"]);
});

test("several jobs for one payment call the provider once", async () => {
  const held = await hold();
  provider.holdConfirms();
  const { outcome } = book(held, "tok_visa");
  await provider.called("confirm");
  const { payment_id: id } = rig.paymentOf(held.hold_id)!;
  const again = { kind: "payment", id } as const;
  const deadlineMs = rig.lone.now() + 10_000;
  for (let job = 1; job <= 5; job += 1) await rig.paymentsQueue.nudge([again, again], deadlineMs);
  // Jobs start in order: when this one is at the provider, all others have been looked at.
  const later = provider.called("confirm");
  const next = book(await hold(), "tok_visa");
  await later;
  provider.letGo();
  expect([codeOf(await outcome), codeOf(await next.outcome)]).toEqual(["booking", "booking"]);
  await rig.paymentsQueue.nudge([again], deadlineMs);
  await book(await hold(), "tok_visa").outcome;
  expect(provider.calls.filter((name) => name === "confirm")).toHaveLength(3);
  expect(capturesOf(rig.paymentOf(held.hold_id)!)).toBe(1);
});

test("payments due from one group form one job", async () => {
  const connections = await openConnections(rig.redis, ["producer"], () => {});
  const jobs = async () => Number(await connections.producer.get(`${rig.prefix}:payments:id`));
  const holds = await Promise.all(Array.from({ length: 32 }, () => hold()));
  const before = { jobs: await jobs(), groups: rig.lone.engine.stats.groups };
  const outcomes = holds.map((held) => book(held, "tok_visa").outcome);
  expect((await Promise.all(outcomes)).map(codeOf)).toEqual(Array(32).fill("booking"));
  const groups = rig.lone.engine.stats.groups - before.groups;
  const made = (await jobs()) - before.jobs;
  await connections.stop();
  expect([made <= groups, made < 16]).toEqual([true, true]);
});

test("slow payments of one tenant leave three quarters of the slots to the others", async () => {
  provider.holdConfirms();
  const full = provider.called("confirm", 50);
  const outcomes: Promise<Outcome>[] = [];
  for (let i = 0; i < 60; i += 1) outcomes.push(book(await hold(), "tok_visa").outcome);
  await full;
  const theirs = provider.called("confirm");
  const other = book(await hold(OTHER_TENANT), "tok_visa", OTHER_TENANT).outcome;
  await theirs;
  expect(provider.calls.filter((name) => name === "confirm")).toHaveLength(51);
  provider.letGo();
  expect(codeOf(await other)).toBe("booking");
  await sweepAfter(2_500);
  expect((await Promise.all(outcomes)).map(codeOf)).toEqual(Array(60).fill("booking"));
});

test.each([
  ["tok_visa", "succeeded"],
  ["tok_test_refund_fails", "failed"],
] as const)("a cancellation's refund of %s has %s when the client is answered", async (...row) => {
  const [token, state] = row;
  const booked = await book(await hold(), token).outcome;
  const bookingId = booked.ok && booked.kind === "booking" ? booked.data.booking_id : "";
  const { outcome } = await rig.submit(cancelBooking(bookingId));
  expect(outcome).toMatchObject({ ok: true, data: { refund: { amount: 20_000, state } } });
  const { refund_ids } = rig.lone.records.booking(bookingId)!;
  expect(rig.lone.records.refund(refund_ids[0]!)?.state).toBe(state);
});

test("a refund without a verdict is requested again under the same key", async () => {
  const booked = await book(await hold(), "tok_visa").outcome;
  const bookingId = booked.ok && booked.kind === "booking" ? booked.data.booking_id : "";
  provider.failNext("refund");
  const asked = provider.called("refund");
  const cancelled = rig.submit(cancelBooking(bookingId));
  await asked;
  await sweepAfter(2_500);
  expect((await cancelled).outcome).toMatchObject({ data: { refund: { state: "succeeded" } } });
  expect(provider.calls.slice(-2)).toEqual(["refund", "refund"]);
  expect(provider.keys.at(-1)).toBe(provider.keys.at(-2)!);
});
