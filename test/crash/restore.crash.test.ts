/**
 * Goal: after a restore no guest's money is lost or taken twice. Method: charge, refund and leave a
 * charge undecided after a back-up, restore the back-up with the provider's current knowledge, and
 * read the provider's own books, which the restore does not touch.
 */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteJournalReader } from "../../engine/log/journal-reader.ts";
import { openForReading } from "../../engine/log/schema.ts";
import { readRestoration } from "../../src/ops/backups/restoration.ts";
import {
  type Booking,
  createHotel,
  newBooking,
  newHold,
  newKey,
  sendBooking,
  sendCancel,
  stayRequest,
} from "../support/client.ts";
import { Service, until } from "../support/service.ts";
import { journalPathOf, pidOf } from "./faults.ts";

const ROOT = join(import.meta.dir, "..", "..");
const ENV = { LANES: "2", API_PROCESSES: "1", BASE_URL: "http://innkeep.example" };
const RECONCILED_LIMIT_MS = 40_000;

let directory: string;
let original: Service;
let restored: Service | null = null;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "innkeep-restore-"));
  original = await Service.start(ENV);
});
afterEach(async () => {
  await restored?.stop();
  await original.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function run(dataDir: string, ...command: readonly string[]) {
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect({ exitCode: await child.exited, errors }).toMatchObject({ exitCode: 0 });
  return JSON.parse(out);
}

function ledgerOf(dataDir: string): string {
  return join(dataDir, "sandbox-provider.db");
}

function backUp(): Promise<unknown> {
  return run(original.dataDir, "src/ops/main.ts", "backup", join(directory, "backup"));
}

/** Restores the back-up beside what the provider knows now, and starts it. */
async function restore(...options: readonly string[]): Promise<Service> {
  const dataDir = join(directory, "restored");
  const ledger = ["--sandbox-ledger", ledgerOf(original.dataDir)];
  const asked = ["restore", join(directory, "backup"), ...ledger, ...options];
  await run(dataDir, "src/ops/main.ts", ...asked);
  restored = await Service.startOn(dataDir, ENV);
  return restored;
}

interface Charge {
  readonly id: string;
  readonly state: string;
  readonly amount: number;
  readonly refunded: number;
  readonly booking_key: string;
}

/** The provider's books, as they are in its file. */
function chargesOf(dataDir: string): Map<string, Charge> {
  using db = new Database(ledgerOf(dataDir), { readonly: true });
  const sql = "SELECT substr(ref, 5) AS id, state, amount, refunded, booking_key FROM charges";
  return new Map(
    db
      .query<Charge, []>(sql)
      .all()
      .map((charge) => [charge.id, charge]),
  );
}

/** The provider takes its time, so that there is some in which to look on. */
function decideLater(ledger: string): void {
  using db = new Database(ledger);
  db.run("PRAGMA busy_timeout = 5000");
  db.run("UPDATE charges SET decides_at = decides_at + 12000 WHERE state = 'processing'");
}

/** Keys of bookings for which more than one charge has money. */
function chargedTwice(dataDir: string): string[] {
  const charges = [...chargesOf(dataDir).values()];
  const standing = charges.filter((charge) => {
    return charge.state === "captured" && charge.refunded < charge.amount;
  });
  const keys = standing.map((charge) => charge.booking_key);
  return keys.filter((key, at) => keys.indexOf(key) !== at);
}

function untilReconciled(service: Service): Promise<void> {
  const isDone = () => readRestoration(service.dataDir)?.reconciled_at !== null;
  return until("the provider was asked", isDone, RECONCILED_LIMIT_MS);
}

/** What the audit says of the reconciliation, from the rows of the journal. */
function noticesIn(service: Service) {
  using db = openForReading(journalPathOf(service));
  const words = { word: "", oneOf: ["payments.reconciled"] };
  const rows = new SqliteJournalReader(db).rowsBetween(1, Number.MAX_SAFE_INTEGER, words);
  return rows.map(({ row }) => row.events[0]!);
}

test("charges that the journal lost are refunded and differences reported, after any kill", async () => {
  const request = stayRequest(await createHotel(original));
  const known = await newBooking(original, request);
  await backUp();
  const lost = await newBooking(original, request);
  (await sendCancel(original, known.booking_id)).ok(200);
  const slow = await newHold(original, request);
  sendBooking(original, slow, { token: "tok_test_slow_9s" }).catch(() => {});
  const undecided = () => {
    return [...chargesOf(original.dataDir).values()].find(({ state }) => state === "processing");
  };
  await until("the provider decides on a charge", () => undecided() !== undefined);
  const { id: undecidedId } = undecided()!;
  await original.end("SIGKILL");
  decideLater(ledgerOf(original.dataDir));

  const service = await restore("--refund-orphans");
  const lostId = lost.payment!.payment_id;
  await until("the lost charge is given back", () => {
    const charge = chargesOf(service.dataDir).get(lostId)!;
    return charge.refunded === charge.amount;
  });
  const paymentsAre = (state: string) => async () => {
    const { text } = await service.api("GET", "/readyz", { agent: null });
    return JSON.parse(text).data?.dependencies.payments.state === state;
  };
  await until("the worker has told that payments wait", paymentsAre("degraded"));
  process.kill(pidOf(service, "worker"), "SIGKILL");
  await untilReconciled(service);
  await until("payments are taken", paymentsAre("ok"));
  for (const id of [lostId, undecidedId]) {
    const { state, amount, refunded } = chargesOf(service.dataDir).get(id)!;
    expect({ state, refunded }).toEqual({ state: "captured", refunded: amount });
  }
  await until("the audit tells it", () => noticesIn(service).length > 0);
  const [notice, ...more] = noticesIn(service);
  expect(more).toEqual([]);
  expect(notice?.data).toMatchObject({
    orphan_totals: [{ state: "refunded", currency: "EUR", charges: 2 }],
    difference_count: 1,
    differences: [
      {
        payment_id: known.payment!.payment_id,
        provider: { state: "captured", refunded: known.payment!.amount },
        journal: { state: "captured", refunded: 0 },
      },
    ],
  });
  // It is done for good, and guests can pay.
  await service.restart();
  expect((await newBooking(service, request)).state).toBe("confirmed");
  expect(noticesIn(service).length).toBe(1);
  expect(chargedTwice(service.dataDir)).toEqual([]);
});

test("a charge that is only reported stays, and its booking is never charged again", async () => {
  const hold = await newHold(original, stayRequest(await createHotel(original)));
  await backUp();
  const key = newKey();
  const delegation = await original.mintDelegation();
  const first = (await sendBooking(original, hold, { key, delegation })).ok<Booking>(201).data;
  await original.end("SIGTERM");

  const service = await restore();
  await untilReconciled(service);
  const { payment_id } = first.payment!;
  expect(service.log).toContain(`"payment_id":"${payment_id}"`);
  expect(chargesOf(service.dataDir).get(payment_id)).toMatchObject({ refunded: 0 });
  (await sendBooking(service, hold, { key, delegation })).refused("payment_provider_error");
  expect(chargedTwice(service.dataDir)).toEqual([]);

  const command = ["src/ops/main.ts", "admin", "payments", "reconcile"];
  const looked = await run(service.dataDir, ...command);
  const orphan = { payment_id, currency: "EUR", amount: first.payment!.amount };
  const next_step = expect.stringContaining("--refund-orphans");
  expect(looked.findings[0].orphans).toEqual([{ ...orphan, state: "standing", next_step }]);
  const settled = await run(service.dataDir, ...command, "--refund-orphans");
  expect(settled.findings[0].orphans).toEqual([{ ...orphan, state: "refunded", next_step: null }]);
  const again = (await sendBooking(service, hold, { key, delegation })).ok<Booking>(201).data;
  expect(again.payment!.payment_id).not.toBe(payment_id);
  expect(chargedTwice(service.dataDir)).toEqual([]);
});
