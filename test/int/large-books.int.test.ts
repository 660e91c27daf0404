/**
 * Goal: many charges are compared with the journal in little memory, and the few that differ are
 * found. Method: the operator's command on a directory whose payments are copies of a real one,
 * against a double of Stripe's API in this process.
 *
 * `CHARGES=100000` compares as many as the design asks for, within a minute.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { peakRssBytes } from "../../bench/cpu.ts";
import { deriveId } from "../../engine/core/ids.ts";
import type { Payment } from "../../engine/core/records.ts";
import { BesideWriter } from "../../engine/log/beside-writer.ts";
import { RecordStore } from "../../engine/log/record-store.ts";
import { openForWriting } from "../../engine/log/schema.ts";
import { journalPath } from "../../src/config.ts";
import { type Booking, createHotel, newHold, sendBooking, stayRequest } from "../support/client.ts";
import { Service } from "../support/service.ts";
import { DOUBLE_KEY, StripeDouble } from "../support/stripe-double.ts";

const ROOT = join(import.meta.dir, "..", "..");
const CHARGES = Number(process.env.CHARGES ?? 20_000);
const BYTES_MAX = 200 * 1024 * 1024;
const WATCH_EVERY_MS = 20;

let double: StripeDouble;
let service: Service;
let env: Record<string, string>;

beforeAll(async () => {
  double = await StripeDouble.start();
  env = { PAYMENT_PROVIDER: "stripe", STRIPE_SECRET_KEY: DOUBLE_KEY, STRIPE_API_URL: double.url };
  service = await Service.start(env);
  const hotel = await createHotel(service);
  const hold = await newHold(service, stayRequest(hotel));
  const answer = await sendBooking(service, hold, { token: "pm_card_visa" });
  const { payment } = answer.ok<Booking>(201).data;
  await service.end("SIGTERM");
  fillBooks(payment!.payment_id);
}, 300_000);

afterAll(async () => {
  await service.stop();
  await double.stop();
});

/** Copies a payment with its charge, in one transaction. */
function fillBooks(paymentId: string): void {
  const db = openForWriting(journalPath(service.dataDir));
  const store = new RecordStore(db, () => null);
  const first = store.payment(paymentId)!;
  const { amount, currency, metadata } = double.ledger.intent(first.provider_ref!);
  db.transaction(() => {
    for (let nth = 1; nth < CHARGES; nth += 1) {
      const random = nth.toString(16).padStart(32, "0");
      const payment_id = deriveId("pay", first.created_at - nth, random);
      const about = { ...metadata, payment_id };
      const intent = double.ledger.create({ amount, currency, metadata: about }, "pm_card_visa");
      double.ledger.confirm(intent);
      double.ledger.capture(intent);
      const copy: Payment = { ...first, payment_id, provider_ref: intent.id };
      store.putPayment(copy);
    }
    new BesideWriter(db).write(store.changes());
  })();
  db.close();
}

interface Found {
  readonly charges: number;
  readonly findings: readonly {
    readonly orphans: readonly object[];
    readonly differences: readonly { readonly provider: { readonly state: string } }[];
  }[];
}

/** The command in a process of its own, with its duration and the most memory it had. */
async function reconcile() {
  const startMs = performance.now();
  const command = [process.execPath, "src/ops/main.ts", "admin", "payments", "reconcile"];
  const child = Bun.spawn(command, {
    ...{ cwd: ROOT, env: { ...process.env, ...env, DATA_DIR: service.dataDir } },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let peakBytes = 0;
  const watch = setInterval(() => {
    try {
      peakBytes = Math.max(peakBytes, peakRssBytes(child.pid));
    } catch {
      // It has just ended.
    }
  }, WATCH_EVERY_MS);
  const [out, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect({ exitCode: await child.exited, errors }).toMatchObject({ exitCode: 0 });
  clearInterval(watch);
  return { ...(JSON.parse(out) as Found), peakBytes, tookMs: performance.now() - startMs };
}

test("a day of charges is compared in 200 MB, and what differs is found", async () => {
  const { ledger } = double;
  const [lost, refunded, unknown] = [...ledger.intents.values()].slice(CHARGES / 2);
  ledger.intents.delete(lost!.id);
  ledger.refund(refunded!, 1, {});
  Object.assign(unknown!.metadata, { payment_id: "pay_unknown" });
  const { charges, findings, peakBytes, tookMs } = await reconcile();
  console.log(
    `${charges} charges: ${Math.round(tookMs)} ms, ${Math.round(peakBytes / 2 ** 20)} MB`,
  );
  expect(charges).toBe(CHARGES - 1);
  expect(findings).toHaveLength(1);
  expect(findings[0]!.orphans).toMatchObject([{ payment_id: "pay_unknown", state: "standing" }]);
  const states = findings[0]!.differences.map(({ provider }) => provider.state);
  expect(states.toSorted()).toEqual(["captured", "missing"]);
  expect(peakBytes).toBeWithin(1, BYTES_MAX);
}, 300_000);
