/**
 * Repairs damaged rows by revoking or removing them; their rights must be issued again. The
 * contents of a damaged row are never trusted.
 */
import type { Database } from "bun:sqlite";
import type { KeyVersions } from "../privacy/key-versions.ts";
import { DEFAULT_LIMITS } from "./agents.ts";
import { type CheckedTable, checkingRows, type DamagedRow, stamp } from "./checked-rows.ts";
import { revokeCredentialsOf } from "./credentials.ts";
import { rotateSigningKey } from "./signing-keys.ts";
import type { ControlStore } from "./store.ts";

const MODE = "mode = CASE WHEN mode IN ('live', 'test') THEN mode ELSE 'live' END";

/** Statement per table; rows of other tables are deleted. `?1` is the time. */
const BECOMES: Partial<Record<CheckedTable, string>> = {
  tenant: "name = 'damaged', created_at = ?1",
  agent: `state = 'revoked', kind = 'agent', ${MODE}, scopes = '', property_ids = '[]',
    limits = '${JSON.stringify(DEFAULT_LIMITS)}', contact = NULL, daily_summary = NULL,
    return_origins = NULL, sells_directly = NULL, created_at = ?1, version = 1`,
  credential: "state = 'revoked', created_at = ?1, expires_at = NULL, retire_at = NULL",
  person: `state = 'revoked', email_encrypted = NULL, scopes = '', property_ids = '[]',
    created_at = ?1, version = version + 1`,
  issuer: `status = 'revoked', ${MODE}, jwks_url = NULL, jwks = '{"keys":[]}', created_at = ?1,
    allowed_audiences = '[]', allowed_algs = '[]', max_ttl_s = 600, clock_skew_s = 60, version = 1`,
};

/**
 * Revokes or removes every damaged row and returns them. The token of a damaged revocation is
 * unknown, so all access tokens end: their signing key is replaced at once.
 */
export async function dropDamaged(
  store: ControlStore,
  masters: KeyVersions,
  nowMs: number,
): Promise<readonly DamagedRow[]> {
  // The key first: a crash in between must not leave a revoked token valid.
  if (readAll(store.db).some(({ table }) => table === "revoked_token")) {
    await rotateSigningKey(store, masters, "access_token", { nowMs, immediately: true });
  }
  return store.write(() => {
    const damaged = readAll(store.db);
    for (const row of damaged) drop(store, row, nowMs);
    return damaged;
  });
}

function readAll(db: Database): readonly DamagedRow[] {
  const steps = checkingRows(db);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** By row number: the id may be damaged too. */
function drop(store: ControlStore, { table, id, nth }: DamagedRow, nowMs: number): void {
  const set = BECOMES[table];
  if (set === undefined) {
    store.db.query(`DELETE FROM ${table} WHERE rowid = ?`).run(nth);
    return;
  }
  store.db.query(`UPDATE ${table} SET ${set} WHERE rowid = ?2`).run(nowMs, nth);
  stamp(store.db, table, nth, "rowid");
  if (table === "agent") revokeCredentialsOf(store, id);
}
