/**
 * Links and sessions of guests in `guest.db`, which every api process writes and the worker reads
 * for the mails with the links. A link proves that its holder reads the mail of the booking's
 * guest; a session stands for that one booking. The file has no secret and no personal data: tokens
 * and session secrets are stored as keyed hashes, addresses as the hash that the booking has. Token
 * and code of a link are made again from its id with a key that the file does not have. No back-up
 * has the file, so that a restored service knows no old link.
 */
import type { Database } from "bun:sqlite";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import type { Mode } from "../../../engine/core/supply.ts";
import { openStoreFile } from "../../lib/store-file.ts";
import { hmacHex } from "../privacy/personal-data.ts";

const MINUTE_MS = 60_000;
/** A link can be used for so long. */
export const LINK_TTL_MS = 15 * MINUTE_MS;
/** A used link starts the session again for so long: mail programs open links twice. */
export const REPLAY_MS = MINUTE_MS;
export const GUEST_SESSION_TTL_MS = 30 * MINUTE_MS;
/** Wrong codes after which a link's code is no longer taken. */
export const WRONG_CODES_MAX = 5;
/** Mails for one booking within the window. */
export const LINKS_MAX = 5;
export const LINKS_WINDOW_MS = 60 * MINUTE_MS;

/** Of a session's secret, for secret scanners. */
const SECRET_PREFIX = "ikg_";

const FORMAT = 1;
const BUSY_TIMEOUT_MS = 1_000;
const TOKEN_BYTES = 32;
const CODES = 1_000_000;

/** A row without a booking is a request that matched none: it takes as long and sends nothing. */
const SCHEMA = `
  CREATE TABLE link (
    link_id TEXT PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    booking_id TEXT,
    email_hash TEXT NOT NULL,
    language TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER,
    wrong_codes INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    next_try_at INTEGER
  ) STRICT;
  CREATE INDEX link_by_booking ON link (booking_id, created_at);
  CREATE INDEX link_by_try ON link (next_try_at) WHERE next_try_at IS NOT NULL;
  CREATE TABLE session (
    id_hash TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    booking_id TEXT NOT NULL,
    email_hash TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX session_by_expiry ON session (expires_at);`;

/** The booking that a link or a session is for. */
export interface GuestOf {
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly booking_id: string;
  /** Hash of the guest's address when the link was asked for. */
  readonly email_hash: string;
}

/** Instants are epoch milliseconds. */
export interface GuestSession extends GuestOf {
  /** Names the session and is no secret. */
  readonly id_hash: string;
  readonly expires_at: number;
}

/** A link that a mail is due for. */
export interface DueLink {
  readonly link_id: string;
  readonly booking_id: string;
  /** Language of the page that asked. */
  readonly language: string;
  readonly created_at: number;
  readonly tries: number;
}

interface Link extends DueLink {
  readonly email_hash: string;
  readonly used_at: number | null;
  readonly wrong_codes: number;
}

/** The secret of a link: 256 bits. */
export function linkTokenOf(hmac: Uint8Array, linkId: string): string {
  return hmacHex(hmac, JSON.stringify(["guest-link", linkId]), TOKEN_BYTES);
}

/** The six digits that stand in the mail beside the link. */
export function linkCodeOf(hmac: Uint8Array, linkId: string): string {
  const drawn = BigInt(`0x${hmacHex(hmac, JSON.stringify(["guest-code", linkId]), 16)}`);
  return String(drawn % BigInt(CODES)).padStart(6, "0");
}

export class GuestSessions {
  readonly #db: Database;
  readonly #hmac: Uint8Array;

  /**
   * Opens or creates the file in `dataDir`; `hmac` makes tokens, codes and hashes.
   *
   * @throws StartRefused when it is damaged or of another format.
   */
  constructor(dataDir: string, hmac: Uint8Array) {
    const file = { tables: SCHEMA, format: FORMAT, synchronous: "full" } as const;
    const terms = { busyTimeoutMs: BUSY_TIMEOUT_MS, isRecreated: true };
    this.#db = openStoreFile(join(dataDir, "guest.db"), { ...file, ...terms });
    this.#hmac = hmac;
  }

  /**
   * Makes a link for a booking, whose mail is then due; for null, which matched none, only the same
   * write. A booking that has had its links of this hour gets no other.
   */
  ask(
    of: Pick<GuestOf, "booking_id" | "email_hash"> | null,
    language: string,
    nowMs: number,
  ): void {
    this.#write(() => {
      const recent = "SELECT count(*) AS count FROM link WHERE booking_id = ? AND created_at > ?";
      const { count } = this.#db
        .query<{ count: number }, [string, number]>(recent)
        .get(of?.booking_id ?? "", nowMs - LINKS_WINDOW_MS)!;
      this.#insert(count < LINKS_MAX ? of : null, language, nowMs);
    });
  }

  #insert(
    of: Pick<GuestOf, "booking_id" | "email_hash"> | null,
    language: string,
    nowMs: number,
  ): void {
    const link_id = randomBytes(TOKEN_BYTES).toString("base64url");
    const token_hash = this.#hash(linkTokenOf(this.#hmac, link_id));
    const { booking_id = null, email_hash = "" } = of ?? {};
    const insert = `INSERT INTO link VALUES ($link_id, $token_hash, $booking_id, $email_hash,
      $language, $nowMs, NULL, 0, 0, $next_try_at)`;
    const next_try_at = booking_id === null ? null : nowMs;
    const row = { link_id, token_hash, booking_id, email_hash, language, nowMs, next_try_at };
    this.#db.query(insert).run(row);
  }

  /** The booking of a link's token, which is then used; null for one that cannot be used. */
  takeToken(token: string, nowMs: number): Pick<Link, "booking_id" | "email_hash"> | null {
    return this.#take("token_hash = ?", this.#hash(token), nowMs, () => true);
  }

  /** The same by the code of the booking's newest link; a wrong code is counted. */
  takeCode(
    booking_id: string,
    code: string,
    nowMs: number,
  ): Pick<Link, "booking_id" | "email_hash"> | null {
    const isRight = ({ link_id, wrong_codes }: Link) => {
      if (wrong_codes >= WRONG_CODES_MAX) return false;
      const expected = Buffer.from(linkCodeOf(this.#hmac, link_id));
      const sent = Buffer.from(code);
      return sent.length === expected.length && timingSafeEqual(sent, expected);
    };
    return this.#take("booking_id = ?", booking_id, nowMs, isRight);
  }

  #take(
    where: string,
    value: string,
    nowMs: number,
    isRight: (link: Link) => boolean,
  ): Pick<Link, "booking_id" | "email_hash"> | null {
    const select = `SELECT * FROM link WHERE ${where} AND booking_id IS NOT NULL
      AND created_at > ? ORDER BY created_at DESC, rowid DESC LIMIT 1`;
    const use = "UPDATE link SET used_at = coalesce(used_at, ?) WHERE link_id = ?";
    const miss = "UPDATE link SET wrong_codes = wrong_codes + 1 WHERE link_id = ?";
    const take = () => {
      const query = this.#db.query<Link, [string, number]>(select);
      const link = query.get(value, nowMs - LINK_TTL_MS);
      if (!link) {
        // The same write as for a wrong code.
        this.#insert(null, "en", nowMs);
        return null;
      }
      const { link_id, used_at, booking_id, email_hash } = link;
      if (!isRight(link)) {
        this.#db.query(miss).run(link_id);
        return null;
      }
      if (used_at !== null && nowMs >= used_at + REPLAY_MS) return null;
      this.#db.query(use).run(nowMs, link_id);
      return { booking_id, email_hash };
    };
    return this.#db.transaction(take).immediate();
  }

  /** Starts a session for a booking; its secret. */
  open(of: GuestOf, nowMs: number): { readonly secret: string; readonly expires_at: number } {
    const secret = `${SECRET_PREFIX}${randomBytes(TOKEN_BYTES).toString("base64url")}`;
    const { tenant_id, mode, booking_id, email_hash } = of;
    const expires_at = nowMs + GUEST_SESSION_TTL_MS;
    const insert = "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)";
    this.#db
      .query(insert)
      .run(this.#hash(secret), tenant_id, mode, booking_id, email_hash, expires_at);
    return { secret, expires_at };
  }

  /** The session of a secret, until it ends. */
  find(secret: string, nowMs: number): GuestSession | null {
    const select = "SELECT * FROM session WHERE id_hash = ? AND expires_at > ?";
    return this.#db.query<GuestSession, [string, number]>(select).get(this.#hash(secret), nowMs);
  }

  /** Ends the session. */
  end({ id_hash }: Pick<GuestSession, "id_hash">): void {
    this.#db.query("DELETE FROM session WHERE id_hash = ?").run(id_hash);
  }

  /** Links whose mails are due, oldest first. */
  due(nowMs: number, limit: number): DueLink[] {
    const select = `SELECT link_id, booking_id, language, created_at, tries FROM link
      WHERE next_try_at <= ? ORDER BY next_try_at LIMIT ?`;
    return this.#db.query<DueLink, [number, number]>(select).all(nowMs, limit);
  }

  /** Plans the next try of a link's mail; null for no other, after it was sent or given up. */
  tried({ link_id }: Pick<DueLink, "link_id">, next_try_at: number | null): void {
    const update = "UPDATE link SET tries = tries + 1, next_try_at = ? WHERE link_id = ?";
    this.#db.query(update).run(next_try_at, link_id);
  }

  /** Removes what has ended; links are counted for an hour. */
  forget(nowMs: number): void {
    this.#write(() => {
      this.#db.query("DELETE FROM link WHERE created_at <= ?").run(nowMs - LINKS_WINDOW_MS);
      this.#db.query("DELETE FROM session WHERE expires_at <= ?").run(nowMs);
    });
  }

  close(): void {
    this.#db.close();
  }

  #hash(secret: string): string {
    return hmacHex(this.#hmac, JSON.stringify(["guest-secret", secret]), TOKEN_BYTES);
  }

  #write(work: () => void): void {
    this.#db.transaction(work).immediate();
  }
}
