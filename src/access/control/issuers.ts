/**
 * Delegation issuers (domain §12): who may vouch for travelers. They belong to a tenant and a mode,
 * so that nobody of mode test decides whom live bookings trust.
 */
import type { JSONWebKeySet } from "jose";
import type { Mode, Realm } from "../../../engine/core/supply.ts";
import { selectOf, soundRow, soundRows, stamp } from "./checked-rows.ts";
import { type ControlStore, newId } from "./store.ts";

export type IssuerStatus = "active" | "suspended" | "revoked";
/** What a delegation token may be signed with (spec part 5). */
export const DELEGATION_ALGS = ["RS256", "ES256"] as const;
export type DelegationAlg = (typeof DELEGATION_ALGS)[number];

interface IssuerTerms {
  readonly iss: string;
  readonly name: string;
  /** Must contain the platform audience for any of the issuer's tokens to pass. */
  readonly allowed_audiences: readonly string[];
  readonly allowed_algs: readonly DelegationAlg[];
  /** Longest life of a token, seconds. */
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
  /** Counts its changes, from 1. */
  readonly version: number;
}

/** What can be changed of an issuer; what is left out stays. A key source replaces the other. */
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

/** An issuer as its table row. */
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

/** The issuer a row stands for. */
export function issuerOf(row: IssuerRow): Issuer {
  return {
    ...row,
    jwks: row.jwks === null ? null : JSON.parse(row.jwks),
    allowed_audiences: JSON.parse(row.allowed_audiences),
    allowed_algs: JSON.parse(row.allowed_algs),
  };
}

/**
 * Registers an issuer of the realm (defaults: active, both algorithms, 600 s of life, 60 s of skew)
 * and returns its id, or null when the realm has an unrevoked one of that `iss` (`conflict`).
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

/** The realm's issuer of that name, or null; revoked ones have given theirs up. */
export function issuerByName(store: ControlStore, realm: Realm, iss: string): Issuer | null {
  const select = `${SELECT_ISSUERS} WHERE tenant_id = ? AND mode = ? AND iss = ?
    AND status <> 'revoked'`;
  const { tenant_id, mode } = realm;
  const query = store.db.query<IssuerRow, [string, Mode, string]>(select);
  const [row = null] = soundRows("issuer", query.all(tenant_id, mode, iss));
  return row && issuerOf(row);
}

/**
 * Changes an issuer and counts its version; false when it is unknown or was revoked before, which
 * is terminal.
 */
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
