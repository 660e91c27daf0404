/**
 * Sessions of the operator console in `console.db`, which every api process writes. A session
 * stands for a caller, which is a credential or a person, and never outlives it: each request asks
 * the control plane again. The
 * file has no secret: ids and codes are stored as peppered hashes. No back-up has it, so that a
 * restored service knows no old session.
 */
import type { Database } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { openStoreFile } from "../../lib/store-file.ts";

const MINUTE_MS = 60_000;
/** Without a request for so long, a session ends. */
export const IDLE_MS = 30 * MINUTE_MS;
/** A session ends after so long, however busy. */
export const SESSION_TTL_MS = 12 * 60 * MINUTE_MS;
/** A one-time link can be used for so long. */
export const CODE_TTL_MS = 10 * MINUTE_MS;
/** More than a person has browsers; the oldest session of the caller ends. */
const SESSIONS_MAX = 50;
/** Of unused links of a caller; the oldest ends. */
const CODES_MAX = 50;

const FORMAT = 2;
const BUSY_TIMEOUT_MS = 1_000;

const SCHEMA = `
  CREATE TABLE session (
    id_hash TEXT PRIMARY KEY,
    caller_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    proved_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX session_by_caller ON session (caller_id, created_at);
  CREATE TABLE code (
    code_hash TEXT PRIMARY KEY,
    caller_id TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE used_challenge (
    challenge TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT;`;

/** Sessions of the first format end: their people sign in again. */
const FROM_1_TO_2 = `DROP TABLE session; DROP TABLE code; ${SCHEMA}`;

/** The file in a data directory. */
export function consolePath(dataDir: string): string {
  return join(dataDir, "console.db");
}

/** Instants are epoch milliseconds. */
export interface ConsoleSession {
  /** Names the session in form tokens; the id is in the cookie alone. */
  readonly id_hash: string;
  /** Of a credential or a person. */
  readonly caller_id: string;
  readonly created_at: number;
  readonly seen_at: number;
  /** When the caller last showed its secret, link or passkey. */
  readonly proved_at: number;
}

export class ConsoleSessions {
  readonly #db: Database;
  readonly #hash: (secret: string) => string;

  /**
   * Opens or creates the file at `path`; `hash` is that of credentials.
   *
   * @throws StartRefused when it is damaged or of another format.
   */
  constructor(path: string, hash: (secret: string) => string) {
    const upgrades = [FROM_1_TO_2];
    const file = { tables: SCHEMA, format: FORMAT, upgrades, synchronous: "normal" } as const;
    const terms = { busyTimeoutMs: BUSY_TIMEOUT_MS, isRecreated: true };
    this.#db = openStoreFile(path, { ...file, ...terms });
    this.#hash = hash;
  }

  /** Starts a session; its id, for the cookie. */
  open(caller_id: string, nowMs: number): string {
    const id = randomSecret();
    this.#write(() => {
      const insert = "INSERT INTO session VALUES (?, ?, ?, ?, ?)";
      this.#db.query(insert).run(this.#hash(id), caller_id, nowMs, nowMs, nowMs);
      const surplus = `DELETE FROM session WHERE caller_id = ?1 AND id_hash NOT IN
        (SELECT id_hash FROM session WHERE caller_id = ?1
          ORDER BY created_at DESC, rowid DESC LIMIT ${SESSIONS_MAX})`;
      this.#db.query(surplus).run(caller_id);
    });
    return id;
  }

  /** The session of a cookie, until it ends. */
  find(id: string, nowMs: number): ConsoleSession | null {
    const select = "SELECT * FROM session WHERE id_hash = ? AND seen_at > ? AND created_at > ?";
    const query = this.#db.query<ConsoleSession, [string, number, number]>(select);
    return query.get(this.#hash(id), nowMs - IDLE_MS, nowMs - SESSION_TTL_MS);
  }

  /** Counts a request of a person, to the minute. */
  seen({ id_hash, seen_at }: ConsoleSession, nowMs: number): void {
    if (nowMs - seen_at < MINUTE_MS) return;
    this.#db.query("UPDATE session SET seen_at = ? WHERE id_hash = ?").run(nowMs, id_hash);
  }

  /** The caller has shown its secret or passkey again. */
  prove({ id_hash }: ConsoleSession, nowMs: number): void {
    this.#db.query("UPDATE session SET proved_at = ? WHERE id_hash = ?").run(nowMs, id_hash);
  }

  /** Ends the session. */
  end({ id_hash }: ConsoleSession): void {
    this.#db.query("DELETE FROM session WHERE id_hash = ?").run(id_hash);
  }

  /** A code that starts one session of the caller. */
  newCode(caller_id: string, nowMs: number): { readonly code: string; expiresAtMs: number } {
    const code = randomSecret();
    const expiresAtMs = nowMs + CODE_TTL_MS;
    this.#write(() => {
      const insert = "INSERT INTO code VALUES (?, ?, ?)";
      this.#db.query(insert).run(this.#hash(code), caller_id, expiresAtMs);
      const surplus = `DELETE FROM code WHERE caller_id = ?1 AND code_hash NOT IN
        (SELECT code_hash FROM code WHERE caller_id = ?1
          ORDER BY expires_at DESC, rowid DESC LIMIT ${CODES_MAX})`;
      this.#db.query(surplus).run(caller_id);
    });
    return { code, expiresAtMs };
  }

  /** The caller of a code, which is then used up; null for an unknown or expired one. */
  takeCode(code: string, nowMs: number): string | null {
    const taking = "DELETE FROM code WHERE code_hash = ? AND expires_at > ? RETURNING caller_id";
    const query = this.#db.query<{ caller_id: string }, [string, number]>(taking);
    return query.get(this.#hash(code), nowMs)?.caller_id ?? null;
  }

  /** Uses a challenge up, which expires then; false when it was used before. */
  useChallenge(challenge: string, expiresAtMs: number): boolean {
    const insert = "INSERT OR IGNORE INTO used_challenge VALUES (?, ?)";
    return this.#db.query(insert).run(challenge, expiresAtMs).changes === 1;
  }

  /** Ends the sessions of the caller but one, as when a passkey was lost. */
  endOthers({ id_hash, caller_id }: ConsoleSession): void {
    const ended = "DELETE FROM session WHERE caller_id = ? AND id_hash <> ?";
    this.#db.query(ended).run(caller_id, id_hash);
  }

  /** Removes what has ended. */
  forget(nowMs: number): void {
    this.#write(() => {
      const ended = "DELETE FROM session WHERE seen_at <= ? OR created_at <= ?";
      this.#db.query(ended).run(nowMs - IDLE_MS, nowMs - SESSION_TTL_MS);
      this.#db.query("DELETE FROM code WHERE expires_at <= ?").run(nowMs);
      this.#db.query("DELETE FROM used_challenge WHERE expires_at <= ?").run(nowMs);
    });
  }

  close(): void {
    this.#db.close();
  }

  #write(work: () => void): void {
    this.#db.transaction(work).immediate();
  }
}

/** 256 bits. */
function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}
