/** Access tokens that were revoked before their end (RFC 7009), remembered until then. */
import type { Database } from "bun:sqlite";
import { type DamagedRow, selectOf, soundRows, stamp } from "./checked-rows.ts";
import type { ControlStore } from "./store.ts";

interface TokenRow {
  readonly jti: string;
  readonly expires_at: number;
}

/** The `jti` of every revoked token; `onDamaged` hears of rows whose token is not known. */
export function revokedTokens(
  db: Database,
  onDamaged: (damaged: DamagedRow) => void,
): ReadonlySet<string> {
  const rows = db.query<TokenRow, []>(selectOf("revoked_token")).all();
  return new Set(soundRows("revoked_token", rows, onDamaged).map(({ jti }) => jti));
}

/** Revokes the token of that `jti`, which ends at `expiresAtMs`; forgets those that have ended. */
export function revokeToken(
  store: ControlStore,
  jti: string,
  expiresAtMs: number,
  nowMs: number,
): void {
  store.write(() => {
    const ended = `${selectOf("revoked_token")} WHERE expires_at <= ?`;
    // A damaged row may not have ended.
    const rows = soundRows("revoked_token", store.db.query<TokenRow, [number]>(ended).all(nowMs));
    for (const row of rows) store.db.query("DELETE FROM revoked_token WHERE jti = ?").run(row.jti);
    store.db
      .query("INSERT OR IGNORE INTO revoked_token (jti, expires_at) VALUES (?, ?)")
      .run(jti, expiresAtMs);
    stamp(store.db, "revoked_token", jti);
  });
}
