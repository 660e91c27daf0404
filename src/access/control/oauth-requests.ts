/** Valid authorization requests that wait for an operator's decision. */
import type { Database } from "bun:sqlite";
import { randomHex } from "../../lib/trace.ts";

/** An operator decides within this time. */
export const REQUEST_TTL_MS = 10 * 60_000;
/** Anybody can make them: the oldest goes for the next. */
export const REQUESTS_MAX = 10_000;

export interface NewRequest {
  readonly client_id: string;
  /** As it was sent, which for loopback may have another port than the registered one. */
  readonly redirect_uri: string;
  /** SHA-256 of the verifier, base64url (RFC 7636 §4.2). */
  readonly code_challenge: string;
  readonly audience: string;
  readonly scopes: readonly string[];
  readonly state: string | null;
}

export interface OauthRequest extends NewRequest {
  readonly request_id: string;
  /** What was given for it, while its code is unused; null before. */
  readonly grant_id: string | null;
}

interface RequestRow extends Omit<OauthRequest, "scopes"> {
  readonly scopes: string;
}

export class OauthRequests {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Keeps a request; its id gives no right to anything. */
  add({ scopes, ...request }: NewRequest, nowMs: number): string {
    const request_id = randomHex(16);
    const insert = `INSERT INTO request VALUES ($request_id, $client_id, $redirect_uri,
      $code_challenge, $audience, $scopes, $state, $nowMs, NULL)`;
    const surplus = `DELETE FROM request WHERE rowid IN (SELECT rowid FROM request
      ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ${REQUESTS_MAX})`;
    this.#db
      .transaction(() => {
        const row = { ...request, request_id, scopes: scopes.join(" "), nowMs };
        this.#db.query(insert).run(row);
        this.#db.query(surplus).run();
      })
      .immediate();
    return request_id;
  }

  /** The request while it can be decided; null for an unknown or expired one. */
  find(request_id: string, nowMs: number): OauthRequest | null {
    const select = "SELECT * FROM request WHERE request_id = ? AND created_at > ?";
    const query = this.#db.query<RequestRow, [string, number]>(select);
    const row = query.get(request_id, nowMs - REQUEST_TTL_MS);
    return row && { ...row, scopes: row.scopes.split(" ") };
  }

  /** Ends a request; false when it was ended before. */
  end(request_id: string): boolean {
    return this.#db.query("DELETE FROM request WHERE request_id = ?").run(request_id).changes === 1;
  }

  /** Removes expired requests. */
  forget(nowMs: number): void {
    this.#db.query("DELETE FROM request WHERE created_at <= ?").run(nowMs - REQUEST_TTL_MS);
  }
}
