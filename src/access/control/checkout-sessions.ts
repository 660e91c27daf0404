/**
 * Checkout sessions in `checkout.db`, which every api process writes. A session hands one hold over
 * to a person; its state follows the hold. The file has no secret: the token of a link is stored as
 * a peppered hash. No back-up has it, so that a restored service knows no old link.
 */
import type { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Mode } from "../../../engine/core/supply.ts";
import { openStoreFile } from "../../lib/store-file.ts";

/** Longer than any hold lives, so that the person can come back to the confirmation. */
const KEPT_MS = 24 * 60 * 60_000;

/**
 * After that a claim without outcome is anybody's, because its process has ended or could not write
 * the outcome. Longer than a session takes to make.
 */
const CLAIM_MS = 15_000;

const FORMAT = 3;
/** A form of a hotel's page, sent once or more: its session, null while that is being made. */
const CLAIMS = `
  CREATE TABLE claim (
    form TEXT PRIMARY KEY,
    session_id TEXT,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`;
/** A person who pays on a page of the provider, and what the booking needs of them, encrypted. */
const PAYMENTS = `
  CREATE TABLE page_payment (
    session_id TEXT PRIMARY KEY,
    page_ref TEXT NOT NULL,
    encrypted TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;`;
const FROM_1_TO_2 = `ALTER TABLE session ADD COLUMN return_url TEXT;${CLAIMS}`;
const BUSY_TIMEOUT_MS = 1_000;

/** The second index: a hold has one session that is not cancelled. */
const SCHEMA = `
  CREATE TABLE session (
    session_id TEXT PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    credential_id TEXT NOT NULL,
    hold_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    cancelled_at INTEGER,
    refusals INTEGER NOT NULL,
    return_url TEXT
  ) STRICT;
  CREATE INDEX session_by_age ON session (created_at);
  CREATE UNIQUE INDEX session_by_hold ON session (hold_id) WHERE cancelled_at IS NULL;
  ${CLAIMS}${PAYMENTS}`;

/** Who hands a hold over, and with which credential the person's booking is made. */
export interface Handover {
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly agent_id: string;
  readonly credential_id: string;
  readonly hold_id: string;
  /** Where the page leads back to when it is over. */
  readonly return_url: string | null;
}

/** Instants are epoch milliseconds. */
export interface CheckoutSession extends Handover {
  readonly session_id: string;
  readonly created_at: number;
  /** Null unless the agent took the page back. */
  readonly cancelled_at: number | null;
  /** Attempts to book that were refused for good; the next one has another idempotency key. */
  readonly refusals: number;
}

/** A payment that a person makes on a page of the provider. */
export interface PagePayment {
  readonly session_id: string;
  /** The provider's reference of the page. */
  readonly page_ref: string;
  /** What was typed, by the caller's key. */
  readonly encrypted: string;
  readonly created_at: number;
}

const COLUMNS = `session_id, tenant_id, mode, agent_id, credential_id, hold_id, created_at,
  cancelled_at, refusals, return_url`;

type Owner = Pick<Handover, "tenant_id" | "mode" | "agent_id">;

export class CheckoutSessions {
  readonly #db: Database;
  readonly #hash: (secret: string) => string;

  /**
   * Opens or creates the file in `dataDir`; `hash` is that of credentials.
   *
   * @throws StartRefused when it is damaged or of another format.
   */
  constructor(dataDir: string, hash: (secret: string) => string) {
    const file = { tables: SCHEMA, format: FORMAT, upgrades: [FROM_1_TO_2, PAYMENTS] } as const;
    const terms = { synchronous: "normal", busyTimeoutMs: BUSY_TIMEOUT_MS } as const;
    this.#db = openStoreFile(join(dataDir, "checkout.db"), {
      ...{ ...file, ...terms },
      isRecreated: true,
    });
    this.#hash = hash;
  }

  /** The hold's session that is not cancelled; a new one unless there is one. */
  open(of: Handover, tokenOf: (session_id: string) => string, nowMs: number): CheckoutSession {
    const session_id = `chk_${crypto.randomUUID().replaceAll("-", "")}`;
    const token_hash = this.#hash(tokenOf(session_id));
    const { tenant_id, mode, agent_id, credential_id, hold_id, return_url } = of;
    const row = { tenant_id, mode, agent_id, credential_id, hold_id, return_url };
    const insert = `INSERT INTO session VALUES ($session_id, $token_hash, $tenant_id, $mode,
      $agent_id, $credential_id, $hold_id, $nowMs, NULL, 0, $return_url)
      ON CONFLICT (hold_id) WHERE cancelled_at IS NULL DO NOTHING`;
    const select = `SELECT ${COLUMNS} FROM session WHERE hold_id = ? AND cancelled_at IS NULL`;
    return this.#db
      .transaction(() => {
        this.#db.query(insert).run({ session_id, token_hash, ...row, nowMs });
        return this.#db.query<CheckoutSession, [string]>(select).get(hold_id)!;
      })
      .immediate();
  }

  /** The owner's session, while it is kept. */
  find(session_id: string, owner: Owner, nowMs: number): CheckoutSession | null {
    const select = `SELECT ${COLUMNS} FROM session WHERE session_id = ? AND created_at > ?`;
    const query = this.#db.query<CheckoutSession, [string, number]>(select);
    const found = query.get(session_id, nowMs - KEPT_MS);
    const { tenant_id, mode, agent_id } = owner;
    const isOwn = found?.tenant_id === tenant_id && found.mode === mode;
    return isOwn && found.agent_id === agent_id ? found : null;
  }

  /** Any session by its id, for the work of this service. */
  byId(session_id: string): CheckoutSession | null {
    const select = `SELECT ${COLUMNS} FROM session WHERE session_id = ?`;
    return this.#db.query<CheckoutSession, [string]>(select).get(session_id);
  }

  /** The session of a link, while it is kept. */
  byToken(token: string, nowMs: number): CheckoutSession | null {
    const select = `SELECT ${COLUMNS} FROM session WHERE token_hash = ? AND created_at > ?`;
    const query = this.#db.query<CheckoutSession, [string, number]>(select);
    return query.get(this.#hash(token), nowMs - KEPT_MS);
  }

  /** Takes the page back; a second time changes nothing. */
  cancel({ session_id }: CheckoutSession, nowMs: number): void {
    const update = `UPDATE session SET cancelled_at = ?
      WHERE session_id = ? AND cancelled_at IS NULL`;
    this.#db.query(update).run(nowMs, session_id);
  }

  /** Counts a refusal once, however many requests got it. */
  countRefusal({ session_id, refusals }: CheckoutSession): void {
    const update = `UPDATE session SET refusals = refusals + 1
      WHERE session_id = ? AND refusals = ?`;
    this.#db.query(update).run(session_id, refusals);
  }

  /**
   * True for the first that sends a form, and for the next when the first has come to no outcome;
   * others wait for `claimed`.
   */
  claim(form: string, nowMs: number): boolean {
    const insert = `INSERT INTO claim VALUES ($form, NULL, $nowMs)
      ON CONFLICT DO UPDATE SET created_at = excluded.created_at
      WHERE session_id IS NULL AND created_at <= $endedMs`;
    return this.#db.query(insert).run({ form, nowMs, endedMs: nowMs - CLAIM_MS }).changes === 1;
  }

  /** The session of a form: null while it is being made; undefined when there will be none. */
  claimed(form: string): string | null | undefined {
    const select = "SELECT session_id FROM claim WHERE form = ?";
    const row = this.#db.query<{ session_id: string | null }, [string]>(select).get(form);
    return row === null ? undefined : row.session_id;
  }

  /**
   * Says which session the form, claimed at `claimedMs`, has led to; null gives the form back.
   * Nothing changes when another has claimed it since.
   */
  settle(form: string, claimedMs: number, session_id: string | null): void {
    const own = "WHERE form = $form AND created_at = $claimedMs";
    const query =
      session_id === null
        ? `DELETE FROM claim ${own}`
        : `UPDATE claim SET session_id = $session_id ${own}`;
    this.#db.query(query).run({ form, claimedMs, ...(session_id !== null && { session_id }) });
  }

  /** Gives the form back, unless it leads to another session by now. */
  release(form: string, session_id: string): void {
    this.#db.query("DELETE FROM claim WHERE form = ? AND session_id = ?").run(form, session_id);
  }

  /** A person has gone to a page of the provider; the session's payment that this one replaces. */
  beginPayment(payment: PagePayment): PagePayment | null {
    const insert = `INSERT OR REPLACE INTO page_payment VALUES ($session_id, $page_ref, $encrypted,
      $created_at)`;
    return this.#db
      .transaction(() => {
        const former = this.payment(payment.session_id);
        this.#db.query(insert).run({ ...payment });
        return former;
      })
      .immediate();
  }

  /** The payment of a session on a page of the provider; null for none that is open. */
  payment(session_id: string): PagePayment | null {
    const select = "SELECT * FROM page_payment WHERE session_id = ?";
    return this.#db.query<PagePayment, [string]>(select).get(session_id);
  }

  /** Open payments on pages of the provider that began before an instant, oldest first. */
  paymentsBefore(atMs: number): readonly PagePayment[] {
    const select = "SELECT * FROM page_payment WHERE created_at < ? ORDER BY created_at";
    return this.#db.query<PagePayment, [number]>(select).all(atMs);
  }

  /** The payment is over: booked, or given up. */
  endPayment({ session_id, page_ref }: PagePayment): void {
    const remove = "DELETE FROM page_payment WHERE session_id = ? AND page_ref = ?";
    this.#db.query(remove).run(session_id, page_ref);
  }

  /** Removes what is no longer kept; a payment is, until it has ended. */
  forget(nowMs: number): void {
    this.#db.query("DELETE FROM claim WHERE created_at <= ?").run(nowMs - KEPT_MS);
    this.#db.query("DELETE FROM session WHERE created_at <= ?").run(nowMs - KEPT_MS);
  }

  close(): void {
    this.#db.close();
  }
}
