/**
 * Advisor sessions in `advisor.db`, which every api process writes. A message may name a person, so
 * messages are stored encrypted and deleted with their session; no back-up has the file.
 *
 * Maintained invariants: a session has an even number of messages, a question and its answer each,
 * at most `MESSAGES_MAX`; messages never change; an idempotency key stands in the transaction of
 * the change that it made.
 */
import type { Database } from "bun:sqlite";
import type { QuoteRequest } from "../../engine/core/price/quote.ts";
import type { Mode, Realm } from "../../engine/core/supply.ts";
import { decryptByVersion, encryptByVersion } from "../access/privacy/encryption.ts";
import type { KeyVersions } from "../access/privacy/key-versions.ts";
import { openStoreFile } from "../lib/store-file.ts";

const SESSION_TTL_MS = 24 * 3_600_000;
export const MESSAGES_MAX = 200;
/** User messages of a session within a minute. */
export const MESSAGES_PER_MINUTE = 30;
/** Sessions of one agent that have not expired. */
export const SESSIONS_MAX = 1_000;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How long an idempotency key without a session is honoured. */
const OUTCOME_TTL_MS = 7 * 86_400_000;
const FORMAT = 1;
const BUSY_TIMEOUT_MS = 5_000;

const SCHEMA = `
  CREATE TABLE session (
    session_id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
    agent_id TEXT NOT NULL,
    property_id TEXT NOT NULL,
    property_slug TEXT NOT NULL,
    property_name TEXT NOT NULL,
    locale TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX session_by_agent ON session (agent_id, expires_at);
  CREATE INDEX session_by_expiry ON session (expires_at);
  CREATE TABLE message (
    session_id TEXT NOT NULL REFERENCES session ON DELETE CASCADE,
    position INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    encrypted TEXT NOT NULL,
    PRIMARY KEY (session_id, position)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE request (
    command_id TEXT PRIMARY KEY,
    body_hash TEXT NOT NULL,
    session_id TEXT REFERENCES session ON DELETE CASCADE,
    messages INTEGER NOT NULL,
    outcome TEXT,
    trace_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    CHECK ((session_id IS NULL) <> (outcome IS NULL))
  ) STRICT;
  CREATE TABLE model_calls (
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    day INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, mode, day)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX request_by_session ON request (session_id);
  CREATE INDEX request_by_age ON request (created_at);`;

export interface Suggestion {
  readonly label: string;
  /** Path on this service. */
  readonly href: string;
}

/** What wrote an answer, and why it was not the model that the tenant has configured. */
export interface AnswerSource {
  readonly answered_by: "rules" | "model";
  readonly fallback_reason: string | null;
}

/** A stay and who comes. */
export type StayRequest = Pick<QuoteRequest, "stay" | "guests">;

export interface StoredMessage extends Partial<AnswerSource> {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly message: string;
  readonly grounded_facts: readonly string[];
  readonly suggestions: readonly Suggestion[];
  /** Offers that an answer names; they become its next actions. */
  readonly quotes?: readonly QuoteRequest[];
  /** The stay and party that the conversation is about by then, where it is about one. */
  readonly asked?: StayRequest | null;
  /** Engine time, epoch milliseconds. */
  readonly created_at: number;
}

export interface SessionOwner {
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly agent_id: string;
}

/** Instants are engine time, epoch milliseconds. */
export interface Session extends SessionOwner {
  readonly session_id: string;
  readonly property_id: string;
  readonly property_slug: string;
  readonly property_name: string;
  readonly locale: string | null;
  readonly created_at: number;
  readonly expires_at: number;
  readonly messages: readonly StoredMessage[];
}

/** A keyed call: its key with agent and path, and what its body hashes to. */
export interface SessionRequest {
  readonly command_id: string;
  readonly body_hash: string;
  readonly trace_id: string;
}

/** What a key was used for before: the session as it was then, or an outcome as JSON. */
export type RecalledRequest =
  | { readonly is: "unknown" }
  | { readonly is: "conflict" }
  | { readonly is: "session"; readonly session: Session; readonly trace_id: string }
  | { readonly is: "outcome"; readonly outcome: string; readonly trace_id: string };

type SessionRow = Omit<Session, "messages">;

interface MessageRow {
  readonly position: number;
  readonly created_at: number;
  readonly encrypted: string;
}

interface RequestRow extends SessionRequest {
  readonly session_id: string | null;
  readonly messages: number;
  readonly outcome: string | null;
}

export class AdvisorSessions {
  readonly #db: Database;
  readonly #keys: KeyVersions;

  /**
   * Opens or creates the file at `path`, private to its owner.
   *
   * @throws StartRefused when it is damaged or of another format.
   */
  constructor(path: string, keys: KeyVersions) {
    const file = { tables: SCHEMA, format: FORMAT, synchronous: "normal" } as const;
    const terms = { busyTimeoutMs: BUSY_TIMEOUT_MS, isRecreated: true };
    this.#db = openStoreFile(path, { ...file, ...terms });
    this.#db.run("PRAGMA foreign_keys = ON");
    this.#keys = keys;
  }

  /** Runs `work` in one transaction. Throws SQLITE_BUSY when another process holds the file. */
  write<T>(work: () => T): T {
    return this.#db.transaction(work).immediate();
  }

  /** Adds a session without messages. */
  create(session: Omit<SessionRow, "session_id" | "expires_at">): Session {
    const session_id = crypto.randomUUID();
    const row = { session_id, ...session, expires_at: session.created_at + SESSION_TTL_MS };
    const insert = `INSERT INTO session VALUES ($session_id, $tenant_id, $mode, $agent_id,
      $property_id, $property_slug, $property_name, $locale, $created_at, $expires_at)`;
    this.#db.query(insert).run(row);
    return { ...row, messages: [] };
  }

  /** The owner's session, until it expires; its first `count` messages, all unless given. */
  get(session_id: string, owner: SessionOwner, nowMs: number, count?: number): Session | null {
    const select = `SELECT * FROM session WHERE session_id = $session_id AND agent_id = $agent_id
      AND tenant_id = $tenant_id AND mode = $mode AND expires_at > $nowMs`;
    const { tenant_id, mode, agent_id } = owner;
    const found = this.#db.query<SessionRow, [Record<string, string | number>]>(select);
    const row = found.get({ session_id, tenant_id, mode, agent_id, nowMs });
    return row && { ...row, messages: this.#messages(session_id, count ?? MESSAGES_MAX) };
  }

  /** Sessions of the agent that have not expired. */
  count({ agent_id }: SessionOwner, nowMs: number): number {
    const select = "SELECT count(*) AS n FROM session WHERE agent_id = ? AND expires_at > ?";
    return this.#db.query<{ n: number }, [string, number]>(select).get(agent_id, nowMs)!.n;
  }

  /** Adds a question and its answer to a session that has room for them; the session with them. */
  append(session: Session, pair: readonly [StoredMessage, StoredMessage]): Session {
    const { session_id, messages } = session;
    const insert = this.#db.query("INSERT INTO message VALUES (?, ?, ?, ?)");
    for (const [i, { created_at, ...told }] of pair.entries()) {
      const position = messages.length + i;
      const text = Buffer.from(JSON.stringify(told));
      const encrypted = encryptByVersion(this.#keys, text, contextOf(session_id, position));
      insert.run(session_id, position, created_at, encrypted);
    }
    return { ...session, messages: [...messages, ...pair] };
  }

  /** Removes a session with all that was said in it; its idempotency keys go with it. */
  delete(session_id: string): void {
    this.#db.query("DELETE FROM session WHERE session_id = ?").run(session_id);
  }

  /** Removes what has expired. */
  forget(nowMs: number): void {
    this.write(() => {
      this.#db.query("DELETE FROM session WHERE expires_at <= ?").run(nowMs);
      const old = "DELETE FROM request WHERE session_id IS NULL AND created_at <= ?";
      this.#db.query(old).run(nowMs - OUTCOME_TTL_MS);
    });
  }

  /** What a key was used for; an answer is the session as it was then. */
  recall(request: SessionRequest, owner: SessionOwner, nowMs: number): RecalledRequest {
    const select = "SELECT * FROM request WHERE command_id = ?";
    const row = this.#db.query<RequestRow, [string]>(select).get(request.command_id);
    if (row === null) return { is: "unknown" };
    if (row.body_hash !== request.body_hash) return { is: "conflict" };
    const { trace_id, outcome } = row;
    if (outcome !== null) return { is: "outcome", outcome, trace_id };
    const session = this.get(row.session_id!, owner, nowMs, row.messages);
    return session === null ? { is: "unknown" } : { is: "session", session, trace_id };
  }

  /** Remembers what a key was used for: a session as it is now, or an outcome as JSON. */
  remember(request: SessionRequest, done: Session | string, nowMs: number): void {
    const { command_id, body_hash, trace_id } = request;
    const [session, outcome] = typeof done === "string" ? [null, done] : [done, null];
    const of = [session?.session_id ?? null, session?.messages.length ?? 0, outcome] as const;
    const insert = "INSERT OR REPLACE INTO request VALUES (?, ?, ?, ?, ?, ?, ?)";
    this.#db.query(insert).run(command_id, body_hash, ...of, trace_id, nowMs);
  }

  /** Counts a call of a model on this day of UTC; false when there were `max` before. */
  countModelCall({ tenant_id, mode }: Realm, nowMs: number, max: number): boolean {
    const day = Math.floor(nowMs / DAY_MS);
    const count = `INSERT INTO model_calls VALUES (?, ?, ?, 1)
      ON CONFLICT DO UPDATE SET calls = calls + 1 WHERE calls < ?`;
    return this.write(() => {
      this.#db.query("DELETE FROM model_calls WHERE day < ?").run(day - 1);
      return max > 0 && this.#db.query(count).run(tenant_id, mode, day, max).changes === 1;
    });
  }

  close(): void {
    this.#db.close();
  }

  #messages(session_id: string, count: number): StoredMessage[] {
    const select = `SELECT position, created_at, encrypted FROM message
      WHERE session_id = ? AND position < ? ORDER BY position`;
    const rows = this.#db.query<MessageRow, [string, number]>(select).all(session_id, count);
    return rows.map(({ position, created_at, encrypted }) => {
      const text = decryptByVersion(this.#keys, encrypted, contextOf(session_id, position));
      return { ...(JSON.parse(text.toString("utf8")) as StoredMessage), created_at };
    });
  }
}

/** 0 while the session may be written to, else seconds until it may. */
export function secondsUntilNext({ messages }: Session, nowMs: number): number {
  const since = nowMs - MINUTE_MS;
  const recent = messages.filter(({ role, created_at }) => role === "user" && created_at > since);
  if (recent.length < MESSAGES_PER_MINUTE) return 0;
  const oldest = recent.at(-MESSAGES_PER_MINUTE)!.created_at;
  return Math.max(1, Math.ceil((oldest - since) / 1_000));
}

/** An encrypted message can be read at its own place alone. */
function contextOf(session_id: string, position: number): readonly string[] {
  return ["advisor-message", session_id, String(position)];
}
