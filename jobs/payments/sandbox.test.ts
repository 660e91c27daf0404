import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { ChargeAbout } from "./provider.ts";
import { SandboxProvider } from "./sandbox.ts";
import type { Behaviour } from "./sandbox-tokens.ts";

/** Time that stands still until told otherwise; sleepers wake when their instant is passed. */
class ManualClock {
  #nowMs = 1_800_000_000_000;
  #sleepers: { wakesAtMs: number; wake: () => void }[] = [];

  readonly now = (): number => this.#nowMs;

  readonly sleep = (durationMs: number, signal: AbortSignal): Promise<void> =>
    new Promise((wake) => {
      this.#sleepers.push({ wakesAtMs: this.#nowMs + durationMs, wake });
      signal.addEventListener("abort", () => wake());
    });

  advance(durationMs: number): void {
    this.#nowMs += durationMs;
    const due = this.#sleepers.filter((sleeper) => sleeper.wakesAtMs <= this.#nowMs);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.wakesAtMs > this.#nowMs);
    for (const sleeper of due) sleeper.wake();
  }
}

const AMOUNT = 12_000;
const CHARGE = { currency: "EUR", method: "card" };
const aboutOf = (key: string): ChargeAbout => {
  return { tenant_id: "tenant", mode: "live", booking_key: `booking of ${key}` };
};
let directory: string;
let file: string;
let clock: ManualClock;
let provider: SandboxProvider;

const open = () => new SandboxProvider({ path: file, now: clock.now, sleep: clock.sleep });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "sandbox-"));
  file = join(directory, "sandbox.db");
  clock = new ManualClock();
  provider = open();
});

afterEach(() => {
  provider.close();
  rmSync(directory, { recursive: true });
});

async function created(behaviour: string, key = "pay_1"): Promise<string> {
  const token = `tok_test_${behaviour}`;
  const reply = await provider.create({
    ...CHARGE,
    key,
    about: aboutOf(key),
    token,
    amount: AMOUNT,
  });
  if (!reply.ok) throw new Error(`create failed: ${reply.code}`);
  return reply.ref;
}

const confirm = (ref: string, signal = new AbortController().signal) =>
  provider.confirm({ ref, key: "pay_1-1", signal, isWanted: () => true });

test("a provider error takes nothing and the payment can be cancelled afterwards", async () => {
  const ref = await created("provider_error");
  expect(await confirm(ref)).toMatchObject({ ok: false, error: "provider_error" });
  expect(await provider.read(ref)).toEqual({ ok: true, state: "created" });
  expect(await provider.cancel(ref)).toEqual({ ok: true, state: "cancelled" });
  expect(await confirm(ref)).toMatchObject({ ok: false, code: "charge_cancelled" });
});

test.each([
  ["timeout_then_captured", "captured"],
  ["timeout_then_failed", "declined"],
] as const)("%s stays silent, is processing for 11 s and then %s", async (behaviour, state) => {
  const ref = await created(behaviour);
  const caller = new AbortController();
  const reply = confirm(ref, caller.signal);
  clock.advance(10_999);
  expect(await provider.read(ref)).toEqual({ ok: true, state: "processing" });
  expect(await provider.cancel(ref)).toMatchObject({ ok: false, code: "processing" });
  caller.abort();
  expect(await reply).toEqual({ ok: false, error: "timeout" });
  clock.advance(1);
  expect(await provider.read(ref)).toMatchObject({ ok: true, state });
  expect(await provider.cancel(ref)).toMatchObject({ ok: true, state });
  expect(await confirm(ref)).toMatchObject({ ok: true, state });
});

test("a pending capture happens on time although the process died in between", async () => {
  const ref = await created("timeout_then_captured");
  const reply = confirm(ref);
  provider.close();
  expect(await reply).toEqual({ ok: false, error: "timeout" });
  provider = open();
  clock.advance(6_000);
  const again = confirm(ref);
  clock.advance(5_000);
  expect(await provider.read(ref)).toEqual({ ok: true, state: "captured" });
  provider.close();
  expect(await again).toEqual({ ok: false, error: "timeout" });
});

test("a reported verdict survives a clock that steps back", async () => {
  const ref = await created("timeout_then_captured");
  const reply = confirm(ref);
  clock.advance(11_000);
  expect(await provider.read(ref)).toEqual({ ok: true, state: "captured" });
  clock.advance(-11_000);
  expect(await provider.read(ref)).toEqual({ ok: true, state: "captured" });
  provider.close();
  await reply;
});

test("slow_9s is captured after 9 s and a caller that leaves before sees a timeout", async () => {
  const ref = await created("slow_9s");
  const caller = new AbortController();
  const [left, stayed] = [confirm(ref, caller.signal), confirm(ref)];
  caller.abort();
  expect(await left).toEqual({ ok: false, error: "timeout" });
  clock.advance(9_000);
  expect(await stayed).toEqual({ ok: true, state: "captured" });
});

test("a refund key is that of one amount", async () => {
  const ref = await created("ok");
  await confirm(ref);
  const refund = (key: string, amount: number) =>
    provider.refund({ ref, key, amount, currency: "EUR" });
  expect(await refund("rfd_1", 9_000)).toEqual({ ok: true, state: "succeeded" });
  expect(await refund("rfd_1", 1)).toMatchObject({ ok: false, code: "key_reused" });
});

test("refund_fails is captured but refuses every refund", async () => {
  const ref = await created("refund_fails");
  expect(await confirm(ref)).toEqual({ ok: true, state: "captured" });
  const reply = await provider.refund({ ref, key: "rfd_1", amount: AMOUNT, currency: "EUR" });
  expect(reply).toEqual({ ok: true, state: "failed", code: "refund_declined" });
});

test("the provider's files do not contain the token", async () => {
  await created("slow_9s");
  for (const suffix of ["", "-wal"]) {
    const bytes = readFileSync(file + suffix);
    expect(bytes.includes("tok_test")).toBe(false);
  }
});

const behaviours: Behaviour[] = [
  "ok",
  "declined",
  "provider_error",
  "timeout_then_captured",
  "timeout_then_failed",
  "refund_fails",
  "slow_9s",
];

const payment = fc.constantFrom("pay_1", "pay_2");
const step = fc.oneof(
  fc.record({ do: fc.constant("confirm" as const), key: payment, gaveUp: fc.boolean() }),
  fc.record({ do: fc.constant("read" as const), key: payment }),
  fc.record({ do: fc.constant("cancel" as const), key: payment }),
  fc.record({
    do: fc.constant("refund" as const),
    key: payment,
    refund: fc.constantFrom("a", "b", "c"),
    amount: fc.constantFrom(1, AMOUNT - 1, AMOUNT),
  }),
  fc.record({ do: fc.constant("advance" as const), durationMs: fc.constantFrom(1, 5_000, 9_000) }),
  fc.record({ do: fc.constant("restart" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Everything the provider ever told, per reference and per refund. */
class Witness {
  readonly #verdicts = new Map<string, string>();
  readonly #refunds = new Map<string, { ref: string; amount: number; state: string }>();

  saw(ref: string, state: string): void {
    const told = this.#verdicts.get(ref);
    if (told !== undefined) expect(state).toBe(told);
    if (["captured", "declined", "cancelled"].includes(state)) this.#verdicts.set(ref, state);
  }

  sawRefund(key: string, refund: { ref: string; amount: number; state: string }): void {
    expect(this.#verdicts.get(refund.ref)).not.toBe("declined");
    expect(this.#verdicts.get(refund.ref)).not.toBe("cancelled");
    this.saw(refund.ref, "captured");
    expect(this.#refunds.get(key) ?? refund).toEqual(refund);
    this.#refunds.set(key, refund);
    const given = [...this.#refunds.values()]
      .filter((each) => each.ref === refund.ref && each.state === "succeeded")
      .reduce((sum, each) => sum + each.amount, 0);
    expect(given).toBeLessThanOrEqual(AMOUNT);
  }
}

async function take(step: Step, refs: ReadonlyMap<string, string>, witness: Witness) {
  if (step.do === "advance") return clock.advance(step.durationMs);
  if (step.do === "restart") {
    provider.close();
    provider = open();
    return;
  }
  const ref = refs.get(step.key)!;
  if (step.do === "confirm") {
    const signal = step.gaveUp ? AbortSignal.abort() : new AbortController().signal;
    return provider.confirm({ ref, key: "same", signal, isWanted: () => true }).then((reply) => {
      if (reply.ok) witness.saw(ref, reply.state);
    });
  }
  if (step.do === "refund") {
    const { amount } = step;
    const reply = await provider.refund({ ref, key: step.refund, amount, currency: "EUR" });
    if (reply.ok) witness.sawRefund(step.refund, { ref, amount, state: reply.state });
    return;
  }
  const reply = await (step.do === "read" ? provider.read(ref) : provider.cancel(ref));
  if (reply.ok) witness.saw(ref, reply.state);
}

test("under any interleaving a verdict is final and refunds stay within the capture", async () => {
  let run = 0;
  const property = fc.asyncProperty(
    fc.tuple(fc.constantFrom(...behaviours), fc.constantFrom(...behaviours)),
    fc.array(step, { maxLength: 30, size: "max" }),
    async (chosen, steps) => {
      provider.close();
      file = join(directory, `run-${run++}.db`);
      provider = open();
      const refs = new Map<string, string>();
      for (const [i, behaviour] of chosen.entries()) {
        refs.set(`pay_${i + 1}`, await created(behaviour, `pay_${i + 1}`));
      }
      const witness = new Witness();
      const waits: Promise<void>[] = [];
      for (const each of steps) {
        const done = take(each, refs, witness);
        if (each.do === "confirm") waits.push(done);
        else await done;
      }
      for (const ref of refs.values()) {
        const reply = await provider.read(ref);
        if (reply.ok) witness.saw(ref, reply.state);
      }
      provider.close();
      await Promise.all(waits);
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

test("an undecided charge blocks a second charge as well", async () => {
  const about = aboutOf("both");
  const create = (key: string, token: string) =>
    provider.create({ ...CHARGE, key, about, token, amount: AMOUNT });
  await create("pay_a", "tok_test_timeout_then_failed");
  await create("pay_b", "tok_visa");
  const giveUp = new AbortController();
  const waiting = confirm("sbx_pay_a", giveUp.signal);
  expect(await confirm("sbx_pay_b")).toMatchObject({ code: "earlier_charge_stands" });
  giveUp.abort();
  await waiting;
  clock.advance(11_000);
  expect(await confirm("sbx_pay_b")).toEqual({ ok: true, state: "captured" });
});

test("changes since an instant are listed, each charge with its booking", async () => {
  const startMs = clock.now();
  await created("ok", "pay_old");
  const first = await confirm("sbx_pay_old");
  expect(first.ok).toBeTrue();
  clock.advance(60_000);
  await created("ok", "pay_new");
  const list = async (sinceMs: number) => {
    const reply = await provider.changedSince(sinceMs, null);
    return reply.ok ? reply.charges : [];
  };
  const about = aboutOf("pay_new");
  const known = { currency: "EUR", amount: AMOUNT, refunded: 0 };
  const created2 = { ref: "sbx_pay_new", key: "pay_new", about, state: "created" as const };
  expect(await list(startMs + 1)).toEqual([{ ...known, ...created2 }]);
  expect((await list(startMs)).map(({ key }) => key)).toEqual(["pay_new", "pay_old"]);
  // A refund is a change, too.
  await provider.refund({ ref: "sbx_pay_old", key: "r1", amount: 5, currency: "EUR" });
  const changed = await list(startMs + 1);
  expect(changed.map(({ key, refunded }) => [key, refunded])).toEqual([
    ["pay_new", 0],
    ["pay_old", 5],
  ]);
});

/** Transactions in the write-ahead log: a frame with the size of the file ends one. */
function transactionsIn(wal: Buffer): number {
  const [pageBytes, headBytes, frameHeadBytes] = [wal.readUInt32BE(8), 32, 24];
  let count = 0;
  for (let at = headBytes; at < wal.length; at += frameHeadBytes + pageBytes) {
    if (wal.readUInt32BE(at + 4) > 0) count += 1;
  }
  return count;
}

test("payments of one event-loop turn share a transaction", async () => {
  const before = transactionsIn(readFileSync(`${file}-wal`));
  const keys = Array.from({ length: 20 }, (_, i) => `pay_${i}`);
  const refs = await Promise.all(keys.map((key) => created("ok", key)));
  const replies = await Promise.all(refs.map((ref) => confirm(ref)));
  expect(replies).toEqual(Array(20).fill({ ok: true, state: "captured" }));
  expect(transactionsIn(readFileSync(`${file}-wal`)) - before).toBe(2);
});

test("a call that the ledger cannot store fails its whole turn, and nothing is stored", async () => {
  const [good, bad] = await Promise.allSettled([
    created("ok", "pay_good"),
    provider.create({ ...CHARGE, key: "pay_bad", about: aboutOf("b"), token: "t", amount: -1 }),
  ]);
  expect([good.status, bad.status]).toEqual(["rejected", "rejected"]);
  expect(await provider.read("sbx_pay_good")).toMatchObject({ error: "not_found" });
  expect(await created("ok", "pay_good")).toBe("sbx_pay_good");
});
