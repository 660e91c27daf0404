/** Access tokens revoked before expiry (RFC 7009), kept until they expire. */
import type { Database } from "bun:sqlite";
import { type DamagedRow, selectOf, soundRows, stamp } from "./checked-rows.ts";
import type { ControlStore } from "./store.ts";

interface TokenRow {
  readonly jti: string;
  readonly expires_at: number;
}

/** The `jti` of every revoked token; damaged rows go to `onDamaged`. */
export function revokedTokens(
  db: Database,
  onDamaged: (damaged: DamagedRow) => void,
): ReadonlySet<string> {
  const rows = db.query<TokenRow, []>(selectOf("revoked_token")).all();
  return new Set(soundRows("revoked_token", rows, onDamaged).map(({ jti }) => jti));
}

/** Revokes a token that expires at `expiresAtMs`; deletes expired rows. */
export function revokeToken(
  store: ControlStore,
  jti: string,
  expiresAtMs: number,
  nowMs: number,
): void {
  store.write(() => {
    const ended = `${selectOf("revoked_token")} WHERE expires_at <= ?`;
    // A damaged row may not have expired.
    const rows = soundRows("revoked_token", store.db.query<TokenRow, [number]>(ended).all(nowMs));
    for (const row of rows) store.db.query("DELETE FROM revoked_token WHERE jti = ?").run(row.jti);
    store.db
      .query("INSERT OR IGNORE INTO revoked_token (jti, expires_at) VALUES (?, ?)")
      .run(jti, expiresAtMs);
    stamp(store.db, "revoked_token", jti);
  });
}
