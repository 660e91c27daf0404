/**
 * Charges and refunds of the sandbox provider, in its own durable SQLite file (WAL, FULL), so a
 * killed worker loses nothing. Use it through `inTurn`. A pending verdict is stored as the instant
 * at which it falls, so a charge that no client waits for is captured too, as at a bank.
 *
 * Invariants: `state` only moves created → processing → captured | declined, or created →
 * cancelled, each step one UPDATE guarded by the previous state. The instant of a verdict is set
 * once. `refunded` is the sum of the succeeded refunds and never exceeds `amount`. Of the charges
 * with one booking key at most one is processing, or captured and not wholly refunded.
 */
import type { Database } from "bun:sqlite";
import { openStoreFile } from "../../src/lib/store-file.ts";
import type { ChargeAbout, ChargeState, RefundCharge, RefundReport } from "./provider.ts";
import { type Behaviour, scriptOf } from "./sandbox-tokens.ts";

export interface Charge {
  readonly ref: string;
  readonly amount: number;
  readonly currency: string;
  readonly behaviour: Behaviour;
  readonly state: ChargeState;
  /** Epoch milliseconds of the verdict; null before the first confirm. */
  readonly decides_at: number | null;
  readonly refunded: number;
  /** Null, like the two below, for charges of versions that did not send it. */
  readonly tenant_id: string | null;
  readonly mode: ChargeAbout["mode"] | null;
  readonly booking_key: string | null;
}

interface StoredRefund {
  readonly ref: string;
  readonly amount: number;
  readonly state: RefundReport["state"];
  readonly code: string | null;
}

/** Why a refund was not decided; a retry with the same key may be. */
export type RefundRefusal = "not_found" | "not_captured" | "key_reused";

const TABLES = `
  CREATE TABLE charges (
    ref TEXT PRIMARY KEY,
    amount INTEGER NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    behaviour TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'created',
    decides_at INTEGER,
    refunded INTEGER NOT NULL DEFAULT 0 CHECK (refunded BETWEEN 0 AND amount),
    tenant_id TEXT,
    mode TEXT,
    booking_key TEXT,
    changed_at INTEGER
  ) STRICT;
  CREATE INDEX charges_by_booking ON charges (booking_key);
  CREATE INDEX charges_by_change ON charges (changed_at);
  CREATE TABLE refunds (
    key TEXT PRIMARY KEY,
    ref TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    state TEXT NOT NULL,
    code TEXT
  ) STRICT;`;
const FORMAT = 1;
const BUSY_TIMEOUT_MS = 5_000;

const COLUMNS = `ref, amount, currency, behaviour, state, decides_at, refunded,
  tenant_id, mode, booking_key`;
const CHARGE = `SELECT ${COLUMNS} FROM charges WHERE ref = ?`;
const LISTED_MAX = 500;

export class SandboxLedger {
  readonly #db: Database;
  readonly #now: () => number;
  /** Resolves when the current transaction ends. */
  #transaction: PromiseWithResolvers<void> | null = null;

  /**
   * Opens or creates the file at `path`; several processes may share it.
   *
   * @throws StartRefused when the file is damaged or has another format.
   */
  constructor(path: string, now: () => number) {
    const terms = { format: FORMAT, synchronous: "full", busyTimeoutMs: BUSY_TIMEOUT_MS } as const;
    this.#db = openStoreFile(path, { tables: TABLES, ...terms, isOfWorker: true });
    this.#now = now;
  }

  /**
   * Runs `work` at once. All calls in one turn of the event loop share a transaction and its fsync,
   * and resolve after it.
   *
   * @throws what `work` throws, or SQLite's error of the transaction: then nothing is stored.
   */
  async inTransaction<T>(work: (ledger: SandboxLedger) => T): Promise<T> {
    const transaction = this.#transaction ?? this.#begin();
    try {
      const result = work(this);
      await transaction.promise;
      return result;
    } catch (error) {
      this.#undo(transaction, error);
      throw error;
    }
  }

  #begin(): PromiseWithResolvers<void> {
    this.#db.run("BEGIN IMMEDIATE");
    const transaction = Promise.withResolvers<void>();
    this.#transaction = transaction;
    setImmediate(() => {
      if (this.#transaction === transaction) this.#commit(transaction);
    });
    return transaction;
  }

  #commit(transaction: PromiseWithResolvers<void>): void {
    try {
      this.#db.run("COMMIT");
      this.#transaction = null;
      transaction.resolve();
    } catch (error) {
      this.#undo(transaction, error);
    }
  }

  /** A failed transaction fails all its calls, which may be repeated. */
  #undo(transaction: PromiseWithResolvers<void>, error: unknown): void {
    if (this.#transaction !== transaction) return;
    this.#transaction = null;
    if (this.#db.inTransaction) this.#db.run("ROLLBACK");
    // Avoids an unhandled rejection when the only caller gets the error by its own throw.
    transaction.promise.catch(() => {});
    transaction.reject(error);
  }

  /** Registers a charge unless `ref` is known; returns whether the stored one has these values. */
  register(
    wanted: Pick<Charge, "ref" | "amount" | "currency" | "behaviour">,
    { tenant_id, mode, booking_key }: ChargeAbout,
  ): boolean {
    const { ref, amount, currency, behaviour } = wanted;
    const insert = `INSERT INTO charges (ref, amount, currency, behaviour, tenant_id, mode,
      booking_key, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
    const about = [tenant_id, mode, booking_key, this.#now()] as const;
    const { changes } = this.#db.query(insert).run(ref, amount, currency, behaviour, ...about);
    if (changes > 0) return true;
    const stored = this.charge(wanted.ref);
    return (
      stored?.amount === wanted.amount &&
      stored.currency === wanted.currency &&
      stored.behaviour === wanted.behaviour
    );
  }

  /** The charge as of now. A due verdict is stored first, so no clock change reverts it. */
  charge(ref: string): Charge | null {
    const charge = this.#db.query<Charge, [string]>(CHARGE).get(ref);
    return charge && this.#asOfNow(charge);
  }

  #asOfNow(charge: Charge): Charge {
    if (charge.state !== "processing" || charge.decides_at! > this.#now()) return charge;
    const { outcome } = scriptOf(charge.behaviour);
    this.#db
      .query("UPDATE charges SET state = ?, changed_at = ? WHERE ref = ? AND state = 'processing'")
      .run(outcome, this.#now(), charge.ref);
    return { ...charge, state: outcome };
  }

  /** Starts a created charge unless another one holds money; else returns it unchanged. */
  begin(ref: string): Charge | null {
    const charge = this.charge(ref);
    if (charge?.state !== "created" || this.isBlocked(charge)) return charge;
    const { delayMs } = scriptOf(charge.behaviour);
    if (delayMs === null) return charge;
    const decides_at = this.#now() + delayMs;
    this.#db
      .query(
        `UPDATE charges SET state = 'processing', decides_at = ?, changed_at = ?
         WHERE ref = ? AND state = 'created'`,
      )
      .run(decides_at, this.#now(), ref);
    return this.#asOfNow({ ...charge, state: "processing", decides_at });
  }

  /** True when another charge of the same booking key takes or holds money. */
  isBlocked({ ref, booking_key }: Charge): boolean {
    const others = this.#db
      .query<{ ref: string }, [string | null, string]>(
        "SELECT ref FROM charges WHERE booking_key = ? AND ref <> ?",
      )
      .all(booking_key, ref);
    return others.some((other) => holdsMoney(this.charge(other.ref)!));
  }

  /** A page of charges that changed since an instant, after the reference `after`. */
  changedSince(sinceMs: number, after: string): Charge[] {
    const since = `SELECT ref FROM charges
      WHERE coalesce(changed_at, decides_at, 0) >= ? AND ref > ? ORDER BY ref LIMIT ${LISTED_MAX}`;
    const found = this.#db.query<{ ref: string }, [number, string]>(since).all(sinceMs, after);
    return found.map(({ ref }) => this.charge(ref)!);
  }

  /** Cancels a created charge; any other is returned unchanged. */
  cancel(ref: string): Charge | null {
    this.#db
      .query(
        `UPDATE charges SET state = 'cancelled', changed_at = ?
         WHERE ref = ? AND state = 'created'`,
      )
      .run(this.#now(), ref);
    return this.charge(ref);
  }

  #storedRefund(key: string): StoredRefund | null {
    return this.#db
      .query<StoredRefund, [string]>("SELECT ref, amount, state, code FROM refunds WHERE key = ?")
      .get(key);
  }

  /** The refund with this key; null for none. */
  refundOf(key: string): RefundReport | null {
    const known = this.#storedRefund(key);
    return known && refundReport(known);
  }

  /** Decides a refund once per key and stores the result. */
  refund({
    ref,
    key,
    amount,
  }: Pick<RefundCharge, "ref" | "key" | "amount">): RefundReport | RefundRefusal {
    const known = this.#storedRefund(key);
    if (known !== null) {
      return known.ref === ref && known.amount === amount ? refundReport(known) : "key_reused";
    }
    const charge = this.charge(ref);
    if (charge === null) return "not_found";
    if (charge.state !== "captured") return "not_captured";
    const report = judgeRefund(charge, amount);
    this.#db
      .query("INSERT INTO refunds (key, ref, amount, state, code) VALUES (?, ?, ?, ?, ?)")
      .run(key, ref, amount, report.state, report.code ?? null);
    if (report.state === "succeeded") {
      this.#db
        .query("UPDATE charges SET refunded = refunded + ?, changed_at = ? WHERE ref = ?")
        .run(amount, this.#now(), ref);
    }
    return report;
  }

  close(): void {
    if (this.#transaction) this.#commit(this.#transaction);
    this.#db.close();
  }
}

/** Processing, or captured and not wholly refunded. */
function holdsMoney({ state, amount, refunded }: Charge): boolean {
  return state === "processing" || (state === "captured" && refunded < amount);
}

function refundReport({ state, code }: StoredRefund): RefundReport {
  return { state, ...(code !== null && { code }) };
}

function judgeRefund(charge: Charge, amount: number): RefundReport {
  if (charge.behaviour === "refund_fails") return { state: "failed", code: "refund_declined" };
  if (amount > charge.amount - charge.refunded) {
    return { state: "failed", code: "amount_exceeds_remaining" };
  }
  return { state: "succeeded" };
}
