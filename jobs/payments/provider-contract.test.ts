/**
 * Goal: every provider obeys the port alike. Method: the same tests over the sandbox and over
 * Stripe, whose API is a double in this process.
 */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deriveId } from "../../engine/core/ids.ts";
import { DOUBLE_KEY, StripeDouble } from "../../test/support/stripe-double.ts";
import type { ConfirmCharge, CreateCharge, ListedCharge, PaymentProvider } from "./provider.ts";
import { SandboxProvider } from "./sandbox.ts";
import { StripeProvider } from "./stripe/stripe-provider.ts";

const AMOUNT = 12_000;
const DAY_MS = 86_400_000;

let nowMs = 0;
let provider: PaymentProvider;
let end: () => Promise<void>;
const now = () => nowMs;

async function openSandbox(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "innkeep-contract-"));
  const path = join(directory, "sandbox.db");
  provider = new SandboxProvider({ path, now });
  end = async () => rmSync(directory, { recursive: true });
}

async function openStripe(): Promise<void> {
  const double = await StripeDouble.start(now);
  const account = { secretKey: DOUBLE_KEY, apiUrl: double.url };
  provider = new StripeProvider({ ...account, asksForEarlier: true });
  end = () => double.stop();
}

interface Contracted {
  readonly name: string;
  readonly open: () => Promise<void>;
  readonly unknownRef: string;
  readonly ok: string;
  readonly slow: string;
  /** Tokens with the code of their decline. */
  readonly declines: readonly (readonly [token: string, code: string])[];
}

const PROVIDERS: readonly Contracted[] = [
  {
    name: "sandbox",
    open: openSandbox,
    unknownRef: "sbx_x",
    ok: "tok_test_ok",
    slow: "tok_test_slow_9s",
    declines: [
      ["tok_test_declined", "card_declined"],
      ["tok_test_insufficient_funds", "insufficient_funds"],
    ],
  },
  {
    name: "stripe",
    open: openStripe,
    unknownRef: "pi_x",
    ok: "pm_card_visa",
    slow: "pm_double_hang_at_confirm",
    declines: [
      ["pm_card_chargeDeclined", "generic_decline"],
      ["pm_card_chargeDeclinedInsufficientFunds", "insufficient_funds"],
      ["pm_card_authenticationRequired", "authentication_required"],
    ],
  },
];

const newKey = () => deriveId("pay", nowMs, randomBytes(16).toString("hex"));

function chargeOf(token: string, over: Partial<CreateCharge> = {}): CreateCharge {
  const key = newKey();
  const about = { tenant_id: "tenant", mode: "live", booking_key: `booking of ${key}` } as const;
  return { key, about, token, amount: AMOUNT, currency: "EUR", method: "card", ...over };
}

async function registered(charge: CreateCharge): Promise<string> {
  const reply = await provider.create(charge);
  if (!reply.ok || "state" in reply) throw new Error(`not registered: ${JSON.stringify(reply)}`);
  return reply.ref;
}

function confirm(ref: string, over: Partial<ConfirmCharge> = {}) {
  const { signal } = new AbortController();
  return provider.confirm({ ref, key: `${ref}-1`, signal, isWanted: () => true, ...over });
}

const refund = (ref: string, key: string, amount: number) =>
  provider.refund({ ref, key, amount, currency: "EUR" });

async function captured(token: string, over: Partial<CreateCharge> = {}): Promise<string> {
  const ref = await registered(chargeOf(token, over));
  expect(await confirm(ref)).toEqual({ ok: true, state: "captured" });
  return ref;
}

async function listSince(sinceMs: number): Promise<ListedCharge[]> {
  const charges: ListedCharge[] = [];
  for (let page: string | null = null; ; ) {
    const reply = await provider.changedSince(sinceMs, page);
    if (!reply.ok) throw new Error(reply.error);
    charges.push(...reply.charges);
    page = reply.next;
    if (page === null) return charges;
  }
}

describe.each(PROVIDERS)("$name", ({ open, ok, slow, declines, unknownRef }) => {
  beforeEach(async () => {
    nowMs = 1_800_000_000_000;
    await open();
  });

  afterEach(async () => {
    provider.close();
    await end();
  });

  test("registering moves no money, and the same key gives the same reference", async () => {
    const charge = chargeOf(ok);
    const ref = await registered(charge);
    expect(await registered(charge)).toBe(ref);
    expect(await provider.read(ref)).toEqual({ ok: true, state: "created" });
    expect(await refund(ref, "rfd_1", 1)).toMatchObject({ ok: false, error: "provider_error" });
    const other = await provider.create({ ...charge, amount: AMOUNT + 1 });
    expect(other).toMatchObject({ ok: false, code: "key_reused" });
  });

  test("a repeated confirm, with any key, reports the one capture", async () => {
    const ref = await captured(ok);
    expect(await confirm(ref)).toEqual({ ok: true, state: "captured" });
    expect(await confirm(ref, { key: "another" })).toEqual({ ok: true, state: "captured" });
    expect(await provider.read(ref)).toEqual({ ok: true, state: "captured" });
    expect(await provider.cancel(ref)).toEqual({ ok: true, state: "captured" });
  });

  test.each(declines)("%s is declined with %s, whoever asks", async (token, code) => {
    const ref = await registered(chargeOf(token));
    const declined = { ok: true, state: "declined", code } as const;
    expect(await confirm(ref)).toMatchObject(declined);
    expect(await confirm(ref)).toMatchObject(declined);
    expect(await provider.read(ref)).toMatchObject(declined);
    expect(await provider.cancel(ref)).toMatchObject(declined);
  });

  test("a cancelled payment takes no money any more", async () => {
    const ref = await registered(chargeOf(ok));
    expect(await provider.cancel(ref)).toEqual({ ok: true, state: "cancelled" });
    expect(await provider.cancel(ref)).toEqual({ ok: true, state: "cancelled" });
    expect(await confirm(ref)).toMatchObject({ ok: false, code: "charge_cancelled" });
    expect(await provider.read(ref)).toEqual({ ok: true, state: "cancelled" });
  });

  test("a caller that has given up is not charged", async () => {
    const ref = await registered(chargeOf(ok));
    const gaveUp = { signal: AbortSignal.abort() };
    expect(await confirm(ref, gaveUp)).toEqual({ ok: false, error: "timeout" });
    expect(await provider.read(ref)).toEqual({ ok: true, state: "created" });
  });

  test("refunds are made once by key and together never exceed the capture", async () => {
    const ref = await captured(ok);
    expect(await provider.readRefund({ ref, key: "rfd_1" })).toMatchObject({ error: "not_found" });
    const succeeded = { ok: true, state: "succeeded" } as const;
    expect(await refund(ref, "rfd_1", 9_000)).toEqual(succeeded);
    expect(await refund(ref, "rfd_1", 9_000)).toEqual(succeeded);
    expect(await provider.readRefund({ ref, key: "rfd_1" })).toEqual(succeeded);
    expect(await refund(ref, "rfd_2", 3_001)).toMatchObject({ ok: true, state: "failed" });
    expect(await refund(ref, "rfd_3", 3_000)).toEqual(succeeded);
    const [charge] = await listSince(0);
    expect(charge).toMatchObject({ ref, amount: AMOUNT, refunded: AMOUNT });
  });

  test("an unknown reference is found by no call", async () => {
    const missing = { ok: false, error: "not_found" } as const;
    expect(await confirm(unknownRef)).toEqual(missing);
    expect(await provider.read(unknownRef)).toEqual(missing);
    expect(await provider.cancel(unknownRef)).toEqual(missing);
    expect(await refund(unknownRef, "rfd_1", 1)).toEqual(missing);
    expect(await provider.readRefund({ ref: unknownRef, key: "rfd_1" })).toEqual(missing);
  });

  test("a second charge of one booking key takes no money while the first stands", async () => {
    const about = { tenant_id: "tenant", mode: "live", booking_key: "both" } as const;
    const first = await captured(ok, { about });
    const second = await registered(chargeOf(ok, { about }));
    const refused = { ok: false, code: "earlier_charge_stands" } as const;
    expect(await confirm(second)).toMatchObject(refused);
    await refund(first, "rfd_1", AMOUNT - 1);
    expect(await confirm(second)).toMatchObject(refused);
    await refund(first, "rfd_2", 1);
    expect(await confirm(second)).toEqual({ ok: true, state: "captured" });
  });

  test("late refunds and new charges are listed, each with its booking", async () => {
    const old = chargeOf(ok);
    const oldRef = await registered(old);
    await confirm(oldRef);
    const untouched = await captured(ok);
    nowMs += 3 * DAY_MS;
    const sinceMs = nowMs;
    nowMs += 1_000;
    const fresh = chargeOf(declines[0]![0]);
    const freshRef = await registered(fresh);
    await confirm(freshRef);
    await refund(oldRef, "rfd_1", 5);
    const known = { amount: AMOUNT, currency: "EUR" };
    const listed = await listSince(sinceMs);
    expect(listed.toSorted((a, b) => a.refunded - b.refunded)).toEqual([
      {
        ...known,
        ref: freshRef,
        key: fresh.key,
        about: fresh.about,
        state: "declined",
        refunded: 0,
      },
      { ...known, ref: oldRef, key: old.key, about: old.about, state: "captured", refunded: 5 },
    ]);
    expect((await listSince(0)).map(({ ref }) => ref).sort()).toEqual(
      [oldRef, untouched, freshRef].sort(),
    );
  });

  test("a long list is paged, with each charge once", async () => {
    const keys: string[] = [];
    for (let nth = 0; nth < 501; nth += 1) {
      const charge = chargeOf(ok);
      keys.push(charge.key);
      await provider.create(charge);
    }
    const found = (await listSince(0)).map(({ key }) => key);
    expect(found.toSorted()).toEqual(keys.toSorted());
  });

  test("a closed provider answers no call", async () => {
    const ref = await registered(chargeOf(slow));
    const waiting = confirm(ref);
    provider.close();
    expect(await waiting).toEqual({ ok: false, error: "timeout" });
  });
});
