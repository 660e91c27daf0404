/**
 * Goal: a payment whose reference follows from its id is taken in one call, as safely as in two.
 * Method: the real engine, Redis and sandbox provider; the call is watched, delayed at the capture
 * or made to fail.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { SqliteJournalReader } from "../../engine/log/journal-reader.ts";
import {
  createProperty,
  frozenQuote,
  placeHold,
  promoteProperty,
  propertyTree,
} from "../../test/support/builders.ts";
import { EngineRig, type RigPayments } from "../../test/support/engine-rig.ts";
import { WatchedProvider } from "../../test/support/watched-provider.ts";
import { SandboxProvider } from "./sandbox.ts";

const DAY_MS = 86_400_000;
const TREE = propertyTree();

let rig: EngineRig;
let provider: WatchedProvider;
let payments: RigPayments;

beforeAll(async () => {
  rig = await EngineRig.start();
  const actor = { kind: "operator", id: "agt_ops" } as const;
  await rig.submit(createProperty(TREE, { actor }));
  await rig.submit(promoteProperty(TREE, { actor }));
});

afterAll(() => rig.stop());

beforeEach(async () => {
  const path = join(rig.lone.dataDir, `sandbox-${randomUUID()}.db`);
  provider = new WatchedProvider(new SandboxProvider({ path, now: rig.lone.now }), {
    atOnce: true,
  });
  payments = await rig.startPayments(provider);
});

afterEach(async () => {
  await payments.end();
  provider.close();
});

let stays = 0;

/** A hold of nights that no other test has. */
async function hold() {
  const now = rig.lone.now();
  const from = 30 + 2 * stays++;
  const date = (inDays: number) => new Date(now + inDays * DAY_MS).toISOString().slice(0, 10);
  const stay = { check_in: date(from), check_out: date(from + 2) };
  return rig.hold(placeHold(frozenQuote(TREE, { created_at: now, stay })));
}

async function book(held: Awaited<ReturnType<typeof hold>>, token: string) {
  const { outcome } = await rig.submit(rig.booking(held, token));
  return outcome.ok ? outcome.kind : outcome.code;
}

/** What the journal tells of a hold's payment, row by row. */
function rowsOf(holdId: string): string[][] {
  const rows = new SqliteJournalReader(rig.lone.journal.db).rowsFrom(1, 100_000);
  return rows
    .map(({ row }) => row.events.filter(({ data }) => "hold_id" in data && data.hold_id === holdId))
    .map((events) => events.map(({ type }) => type))
    .filter((types) => types.some((type) => type.startsWith("payment.")));
}

test("money is taken in one call, and the reference is journaled with the verdict", async () => {
  const held = await hold();
  expect(await book(held, "tok_visa")).toBe("booking");
  expect(provider.calls).toEqual(["take"]);
  const payment = rig.paymentOf(held.hold_id)!;
  expect(payment.provider_ref).toBe(provider.atOnce!.refOf(payment.payment_id));
  expect(rowsOf(held.hold_id)).toEqual([
    ["payment.pending"],
    ["payment.referenced", "payment.captured", "booking.confirmed"],
  ]);
});

test("a decline is also known after one call", async () => {
  const held = await hold();
  expect(await book(held, "tok_test_declined")).toBe("payment_failed");
  expect(provider.calls).toEqual(["take"]);
  expect(rowsOf(held.hold_id)).toEqual([
    ["payment.pending"],
    ["payment.referenced", "payment.failed"],
  ]);
});

test("after an error the reference is journaled before its state is requested", async () => {
  provider.failNext("take");
  const held = await hold();
  expect(await book(held, "tok_visa")).toBe("payment_provider_error");
  expect(provider.calls).toEqual(["take", "create", "cancel"]);
  expect(rowsOf(held.hold_id)).toEqual([
    ["payment.pending"],
    ["payment.referenced"],
    ["payment.failed"],
  ]);
});

test("after a worker is killed at the capture, the next worker takes no money again", async () => {
  const held = await hold();
  provider.holdConfirms();
  const booked = book(held, "tok_visa");
  await provider.called("take");
  const { payment_id } = rig.paymentOf(held.hold_id)!;
  await payments.end();
  const ref = provider.atOnce!.refOf(payment_id);
  expect(await provider.read(ref)).toMatchObject({ state: "captured" });
  expect(rig.paymentOf(held.hold_id)).toMatchObject({ state: "pending", provider_ref: null });
  provider.letGo();
  payments = await rig.startPayments(provider);
  rig.lone.advance(3_000);
  payments.sweeper.sweep();
  expect(await booked).toBe("booking");
  expect(
    rowsOf(held.hold_id)
      .flat()
      .filter((type) => type === "payment.captured"),
  ).toHaveLength(1);
});

const CHARGE = {
  ...{ key: "pay_1", amount: 4_200, currency: "EUR", token: "tok_visa", method: "card" },
  about: { tenant_id: "tnt_1", mode: "live", booking_key: "key_1" },
} as const;

test("the sandbox takes money once, in one call or in two", async () => {
  const take = (over: object = {}, signal = new AbortController().signal) =>
    provider.atOnce!.take({ ...CHARGE, ...over, signal });
  const ref = provider.atOnce!.refOf(CHARGE.key);
  // Whoever has given up is not charged, and nothing is registered.
  expect(await take({}, AbortSignal.abort())).toMatchObject({ ok: false, error: "timeout" });
  expect(await provider.read(ref)).toMatchObject({ error: "not_found" });
  const captured = { ok: true, state: "captured" } as const;
  expect([await take(), await take()]).toEqual([captured, captured]);
  const { signal } = new AbortController();
  expect(await provider.confirm({ ref, key: "pay_1-1", signal, isWanted: () => true })).toEqual(
    captured,
  );
  expect(await take({ amount: 1 })).toMatchObject({ ok: false, code: "key_reused" });
  const standing = { ok: false, code: "earlier_charge_stands" };
  expect(await take({ key: "pay_2" })).toMatchObject(standing);
  const declined = { token: "tok_test_declined", key: "pay_3" };
  const about = { ...CHARGE.about, booking_key: "key_3" };
  expect(await take({ ...declined, about })).toMatchObject({ ok: true, state: "declined" });
});

test("money taken before the deadline is found afterwards by its reference", async () => {
  const held = await hold();
  provider.holdConfirms();
  const booked = book(held, "tok_visa");
  await provider.called("take");
  await payments.end();
  provider.letGo();
  rig.lone.advance(11_000);
  payments = await rig.startPayments(provider);
  expect(await booked).toBe("booking");
  expect(provider.calls).toEqual(["take", "create", "read"]);
});
