/**
 * What operators gave to OAuth clients: a credential of an agent, reached by a code once and by
 * refresh tokens that replace each other (RFC 9700 §4.14.2). A grant never outlives its credential:
 * every use asks the control plane. A removed grant cannot be used again.
 *
 * A refresh token is `<family>.<secret>`. All tokens of a grant have the same family, so that an
 * old one is recognized without keeping every token that ever was.
 */
import type { Database } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import type { Mode } from "../../../engine/core/supply.ts";
import { randomHex } from "../../lib/trace.ts";
import type { OauthRequest } from "./oauth-requests.ts";

/** A code can be used for so long. */
export const CODE_TTL_MS = 60_000;
/** Without a refresh for so long, a grant ends. */
export const REFRESH_IDLE_MS = 30 * 24 * 60 * 60_000;
/** A client whose answer was lost may send the same refresh token again for so long. */
export const REFRESH_GRACE_MS = 30_000;

/** Who let the client in, and as what. */
export interface Granted {
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly agent_id: string;
  readonly credential_id: string;
  readonly scopes: readonly string[];
}

/** Instants are epoch milliseconds. */
export interface OauthGrant extends Granted {
  readonly grant_id: string;
  readonly client_id: string;
  readonly audience: string;
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly created_at: number;
  /** When the code was used; null before. */
  readonly redeemed_at: number | null;
  /** When the current refresh token was made; null without one. */
  readonly rotated_at: number | null;
}

/** `lost`: the token before the current one, soon after it was replaced. `old`: any other. */
export type RefreshReading = {
  readonly is: "current" | "lost" | "old";
  readonly grant: OauthGrant;
};

interface GrantRow extends Omit<OauthGrant, "scopes"> {
  readonly scopes: string;
  readonly token_hash: string | null;
  readonly previous_hash: string | null;
}

function grantOf({ token_hash: _token, previous_hash: _previous, scopes, ...row }: GrantRow) {
  return { ...row, scopes: scopes.split(" ").filter((scope) => scope !== "") } as OauthGrant;
}

export class OauthGrants {
  readonly #db: Database;
  readonly #hash: (secret: string) => string;

  constructor(db: Database, hash: (secret: string) => string) {
    this.#db = db;
    this.#hash = hash;
  }

  /**
   * Grants a request; the code for its client. A second decision about it replaces the first, as
   * long as that one's code is unused; null afterwards.
   */
  open(request: OauthRequest, granted: Granted, nowMs: number): string | null {
    const code = randomSecret();
    const grant_id = `grt_${randomHex(16)}`;
    const { request_id, client_id, redirect_uri, code_challenge, audience } = request;
    const row = {
      ...{ ...granted, scopes: granted.scopes.join(" "), grant_id, nowMs },
      ...{ client_id, redirect_uri, code_challenge, audience, code_hash: this.#hash(code) },
    };
    const insert = `INSERT INTO oauth_grant VALUES ($grant_id, $client_id, $tenant_id, $mode,
      $agent_id, $credential_id, $scopes, $audience, $redirect_uri, $code_challenge, $code_hash,
      $nowMs, NULL, NULL, NULL, NULL, NULL)`;
    const taken = "SELECT grant_id FROM request WHERE request_id = ?";
    const isOpen = this.#db.transaction(() => {
      const known = this.#db.query<{ grant_id: string | null }, [string]>(taken).get(request_id);
      if (known === null) return false;
      if (known.grant_id !== null) this.end(known.grant_id);
      this.#db.query(insert).run(row);
      const decided = "UPDATE request SET grant_id = ? WHERE request_id = ?";
      this.#db.query(decided).run(grant_id, request_id);
      return true;
    });
    return isOpen.immediate() ? code : null;
  }

  /** The grant of a code, used or not; the caller checks its age. */
  byCode(code: string): OauthGrant | null {
    return this.#one("code_hash = ?", this.#hash(code));
  }

  /** Uses up the code; the first refresh token, or null when it was used before. */
  redeem({ grant_id }: OauthGrant, nowMs: number): string | null {
    const family = randomBytes(16).toString("base64url");
    const token = `${family}.${randomSecret()}`;
    const update = `UPDATE oauth_grant
      SET redeemed_at = ?1, rotated_at = ?1, family_hash = ?2, token_hash = ?3
      WHERE grant_id = ?4 AND redeemed_at IS NULL`;
    const isFirst = this.#db.transaction(() => {
      const hashes = [this.#hash(family), this.#hash(token)] as const;
      const { changes } = this.#db.query(update).run(nowMs, ...hashes, grant_id);
      this.#db.query("DELETE FROM request WHERE grant_id = ?").run(grant_id);
      return changes === 1;
    });
    return isFirst.immediate() ? token : null;
  }

  /** What a refresh token is; null for an unknown one and for that of an idle grant. */
  byRefreshToken(token: string, nowMs: number): RefreshReading | null {
    const [family = ""] = token.split(".", 1);
    const select = "SELECT * FROM oauth_grant WHERE family_hash = ? AND rotated_at > ?";
    const query = this.#db.query<GrantRow, [string, number]>(select);
    const row = query.get(this.#hash(family), nowMs - REFRESH_IDLE_MS);
    if (row === null) return null;
    const hash = this.#hash(token);
    const isFresh = nowMs - row.rotated_at! < REFRESH_GRACE_MS;
    const isLost = hash === row.previous_hash && isFresh;
    const is = hash === row.token_hash ? "current" : isLost ? "lost" : "old";
    return { is, grant: grantOf(row) };
  }

  /**
   * The refresh token that replaces `token`, which is the current one or the lost one before it;
   * null when it is neither any more.
   */
  rotate({ grant_id }: OauthGrant, token: string, nowMs: number): string | null {
    const [family = ""] = token.split(".", 1);
    const next = `${family}.${randomSecret()}`;
    // The grace is counted from the first use of the lost token, however often it is sent.
    const update = `UPDATE oauth_grant SET token_hash = $next, previous_hash = $used,
        rotated_at = CASE token_hash WHEN $used THEN $nowMs ELSE rotated_at END
      WHERE grant_id = $grant_id
        AND (token_hash = $used OR previous_hash = $used AND rotated_at > $since)`;
    const used = this.#hash(token);
    const values = { grant_id, used, next: this.#hash(next), nowMs };
    const since = nowMs - REFRESH_GRACE_MS;
    return this.#db.query(update).run({ ...values, since }).changes === 1 ? next : null;
  }

  /** Removes a grant with its code and tokens. */
  end(grant_id: string): void {
    this.#db.query("DELETE FROM oauth_grant WHERE grant_id = ?").run(grant_id);
  }

  /** The grants by which clients act as this agent, the newest first. */
  ofAgent(agent_id: string): OauthGrant[] {
    return this.#all("agent_id = ?", agent_id);
  }

  /** The client's grants, in all tenants, the newest first. */
  ofClient(client_id: string): OauthGrant[] {
    return this.#all("client_id = ?", client_id);
  }

  /** The grant that gave a credential, or null. */
  ofCredential(agent_id: string, credential_id: string): OauthGrant | null {
    return this.ofAgent(agent_id).find((grant) => grant.credential_id === credential_id) ?? null;
  }

  /** Removes grants whose code was never used, and those without a refresh for too long. */
  forget(nowMs: number): void {
    const ended = "redeemed_at IS NULL AND created_at <= ? OR rotated_at <= ?";
    this.#db
      .query(`DELETE FROM oauth_grant WHERE ${ended}`)
      .run(nowMs - CODE_TTL_MS, nowMs - REFRESH_IDLE_MS);
  }

  #one(where: string, value: string): OauthGrant | null {
    return this.#all(where, value)[0] ?? null;
  }

  #all(where: string, value: string): OauthGrant[] {
    const select = `SELECT * FROM oauth_grant WHERE ${where}
      ORDER BY created_at DESC, grant_id DESC`;
    return this.#db.query<GrantRow, [string]>(select).all(value).map(grantOf);
  }
}

/** 256 bits. */
function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}
