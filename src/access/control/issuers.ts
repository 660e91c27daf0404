/**
 * Delegation issuers of a tenant and a mode; test issuers never affect live bookings.
 */
import type { JSONWebKeySet } from "jose";
import type { Mode, Realm } from "../../../engine/core/supply.ts";
import { selectOf, soundRow, soundRows, stamp } from "./checked-rows.ts";
import { type ControlStore, newId } from "./store.ts";

export type IssuerStatus = "active" | "suspended" | "revoked";
/** Signature algorithms of delegation tokens. */
export const DELEGATION_ALGS = ["RS256", "ES256"] as const;
export type DelegationAlg = (typeof DELEGATION_ALGS)[number];

interface IssuerTerms {
  readonly iss: string;
  readonly name: string;
  /** Tokens pass only if it contains the platform audience. */
  readonly allowed_audiences: readonly string[];
  readonly allowed_algs: readonly DelegationAlg[];
  /** Maximum token life, seconds. */
  readonly max_ttl_s: number;
  /** Tolerance on `exp`, `nbf` and `iat`, seconds. */
  readonly clock_skew_s: number;
}

export interface Issuer extends IssuerTerms, Realm {
  readonly issuer_id: string;
  readonly status: IssuerStatus;
  /** Exactly one of `jwks_url` and `jwks` is set. */
  readonly jwks_url: string | null;
  readonly jwks: JSONWebKeySet | null;
  /** Epoch milliseconds. */
  readonly created_at: number;
  /** Starts at 1. */
  readonly version: number;
}

/** Missing members stay; a key source replaces the other. */
export type IssuerChange = Partial<Omit<IssuerTerms, "iss">> & {
  readonly status?: IssuerStatus;
  readonly jwks_url?: string;
  readonly jwks?: JSONWebKeySet;
};

export type NewIssuer = Pick<IssuerTerms, "iss" | "name" | "allowed_audiences"> &
  Partial<IssuerTerms> & { readonly status?: IssuerStatus } & (
    | { readonly jwks_url: string }
    | { readonly jwks: JSONWebKeySet }
  );

export interface IssuerRow extends Realm {
  readonly issuer_id: string;
  readonly iss: string;
  readonly name: string;
  readonly status: IssuerStatus;
  readonly jwks_url: string | null;
  readonly jwks: string | null;
  readonly allowed_audiences: string;
  readonly allowed_algs: string;
  readonly max_ttl_s: number;
  readonly clock_skew_s: number;
  readonly created_at: number;
  readonly version: number;
}

const SELECT_ISSUERS = selectOf("issuer");

/** The issuer of a row. */
export function issuerOf(row: IssuerRow): Issuer {
  return {
    ...row,
    jwks: row.jwks === null ? null : JSON.parse(row.jwks),
    allowed_audiences: JSON.parse(row.allowed_audiences),
    allowed_algs: JSON.parse(row.allowed_algs),
  };
}

/**
 * Registers an issuer (defaults: active, both algorithms, 600 s of life, 60 s of skew). Returns its
 * id, or null when the realm has an unrevoked one with that `iss` (`conflict`).
 */
export function addIssuer(store: ControlStore, realm: Realm, issuer: NewIssuer): string | null {
  const issuerId = newId("iss");
  const insert = `INSERT INTO issuer (issuer_id, tenant_id, mode, iss, name, status, jwks_url,
    jwks, allowed_audiences, allowed_algs, max_ttl_s, clock_skew_s, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (tenant_id, mode, iss) WHERE status <> 'revoked' DO NOTHING`;
  const isAdded = store.write(() => {
    const { changes } = store.db
      .query(insert)
      .run(
        issuerId,
        realm.tenant_id,
        realm.mode,
        issuer.iss,
        issuer.name,
        issuer.status ?? "active",
        "jwks_url" in issuer ? issuer.jwks_url : null,
        "jwks" in issuer ? JSON.stringify(issuer.jwks) : null,
        JSON.stringify(issuer.allowed_audiences),
        JSON.stringify(issuer.allowed_algs ?? DELEGATION_ALGS),
        issuer.max_ttl_s ?? 600,
        issuer.clock_skew_s ?? 60,
        Date.now(),
      );
    stamp(store.db, "issuer", issuerId);
    return changes === 1;
  });
  return isAdded ? issuerId : null;
}

/** The realm's issuers, newest first. */
export function listIssuers(store: ControlStore, { tenant_id, mode }: Realm): Issuer[] {
  const select = `${SELECT_ISSUERS} WHERE tenant_id = ? AND mode = ?
    ORDER BY created_at DESC, issuer_id DESC`;
  const rows = store.db.query<IssuerRow, [string, Mode]>(select).all(tenant_id, mode);
  return soundRows("issuer", rows).map(issuerOf);
}

/** The realm's issuer of that id, or null. */
export function findIssuer(store: ControlStore, realm: Realm, issuerId: string): Issuer | null {
  const row = soundRow<IssuerRow>(store.db, "issuer", issuerId);
  return row?.tenant_id === realm.tenant_id && row.mode === realm.mode ? issuerOf(row) : null;
}

/** The realm's unrevoked issuer with that `iss`, or null. */
export function issuerByName(store: ControlStore, realm: Realm, iss: string): Issuer | null {
  const select = `${SELECT_ISSUERS} WHERE tenant_id = ? AND mode = ? AND iss = ?
    AND status <> 'revoked'`;
  const { tenant_id, mode } = realm;
  const query = store.db.query<IssuerRow, [string, Mode, string]>(select);
  const [row = null] = soundRows("issuer", query.all(tenant_id, mode, iss));
  return row && issuerOf(row);
}

/** Changes an issuer and its version; false when unknown or already revoked (terminal). */
export function changeIssuer(store: ControlStore, issuerId: string, change: IssuerChange): boolean {
  return store.write(() => {
    const row = soundRow<IssuerRow>(store.db, "issuer", issuerId);
    if (row === null || row.status === "revoked") return false;
    const next = { ...issuerOf(row), ...change };
    if (change.jwks !== undefined) next.jwks_url = null;
    if (change.jwks_url !== undefined) next.jwks = null;
    const update = `UPDATE issuer SET name = ?, status = ?, jwks_url = ?, jwks = ?,
      allowed_audiences = ?, allowed_algs = ?, max_ttl_s = ?, clock_skew_s = ?,
      version = version + 1 WHERE issuer_id = ?`;
    store.db
      .query(update)
      .run(
        next.name,
        next.status,
        next.jwks_url,
        next.jwks && JSON.stringify(next.jwks),
        JSON.stringify(next.allowed_audiences),
        JSON.stringify(next.allowed_algs),
        next.max_ttl_s,
        next.clock_skew_s,
        issuerId,
      );
    stamp(store.db, "issuer", issuerId);
    return true;
  });
}
