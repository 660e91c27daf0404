/**
 * Clients that registered themselves (RFC 7591). Anybody can register, so what a client says of
 * itself is unverified, and those that no operator let in are few and end soon.
 */
import type { Database } from "bun:sqlite";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { randomHex } from "../../lib/trace.ts";

const DAY_MS = 24 * 60 * 60_000;
/** A client that no operator let in is forgotten after so long without a request. */
export const UNCONNECTED_TTL_MS = 7 * DAY_MS;
/** Long: a hosted assistant cannot tell a person that it has to register again. */
export const CONNECTED_TTL_MS = 365 * DAY_MS;
/** Of those that no operator let in; the longest unused one goes for the next. */
export const UNCONNECTED_MAX = 10_000;
/** Uses are noted so often. */
const NOTED_EVERY_MS = 60 * 60_000;

export const CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"] as const;
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

export interface NewClient {
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly auth_method: ClientAuthMethod;
}

/** Instants are epoch milliseconds. */
export interface OauthClient extends NewClient {
  readonly client_id: string;
  readonly created_at: number;
}

interface ClientRow extends Omit<OauthClient, "redirect_uris"> {
  readonly redirect_uris: string;
  readonly secret_hash: string | null;
  readonly used_at: number;
}

export class OauthClients {
  readonly #db: Database;
  readonly #hash: (secret: string) => string;

  constructor(db: Database, hash: (secret: string) => string) {
    this.#db = db;
    this.#hash = hash;
  }

  /** Registers a client; its secret, for all but public clients, cannot be read again. */
  add(client: NewClient, nowMs: number): { readonly client_id: string; secret: string | null } {
    const client_id = `cli_${randomHex(16)}`;
    const secret = client.auth_method === "none" ? null : randomBytes(32).toString("base64url");
    const row = {
      ...{ client_id, secret_hash: secret && this.#hash(secret), auth_method: client.auth_method },
      ...{ name: client.name, redirect_uris: JSON.stringify(client.redirect_uris), nowMs },
    };
    const insert = `INSERT INTO client VALUES ($client_id, $secret_hash, $auth_method, $name,
      $redirect_uris, $nowMs, $nowMs, NULL)`;
    const surplus = `DELETE FROM client WHERE rowid IN (SELECT rowid FROM client
      WHERE connected_at IS NULL ORDER BY used_at DESC, rowid DESC
      LIMIT -1 OFFSET ${UNCONNECTED_MAX})`;
    this.#db
      .transaction(() => {
        this.#db.query(insert).run(row);
        this.#db.query(surplus).run();
      })
      .immediate();
    return { client_id, secret };
  }

  /** The client, or null. */
  find(client_id: string): OauthClient | null {
    const row = this.#row(client_id);
    if (row === null) return null;
    const { name, auth_method, created_at } = row;
    const redirect_uris: string[] = JSON.parse(row.redirect_uris);
    return { client_id, name, auth_method, created_at, redirect_uris };
  }

  /** Whether the secret is the client's, in constant time; null for a public one. */
  hasSecret(client_id: string, secret: string | null): boolean {
    const row = this.#row(client_id);
    if (row === null || row.secret_hash === null || secret === null) {
      return row !== null && row.secret_hash === null && secret === null;
    }
    const [known, given] = [Buffer.from(row.secret_hash), Buffer.from(this.#hash(secret))];
    return known.length === given.length && timingSafeEqual(known, given);
  }

  /** Notes a use, to the hour. */
  noteUse(client_id: string, nowMs: number): void {
    const update = "UPDATE client SET used_at = ? WHERE client_id = ? AND used_at <= ?";
    this.#db.query(update).run(nowMs, client_id, nowMs - NOTED_EVERY_MS);
  }

  /** Notes that an operator let the client in. */
  noteConnected(client_id: string, nowMs: number): void {
    const update = `UPDATE client SET used_at = ?1, connected_at = ifnull(connected_at, ?1)
      WHERE client_id = ?2`;
    this.#db.query(update).run(nowMs, client_id);
  }

  /** Removes clients that were not used for too long. */
  forget(nowMs: number): void {
    const ended = "connected_at IS NULL AND used_at <= ? OR used_at <= ?";
    this.#db
      .query(`DELETE FROM client WHERE ${ended}`)
      .run(nowMs - UNCONNECTED_TTL_MS, nowMs - CONNECTED_TTL_MS);
  }

  #row(client_id: string): ClientRow | null {
    const select = "SELECT * FROM client WHERE client_id = ?";
    return this.#db.query<ClientRow, [string]>(select).get(client_id);
  }
}
