/** Access tokens that were revoked before their end (RFC 7009), remembered until then. */
import type { ControlStore } from "./store.ts";

/** What `ControlView` reads. */
export const SELECT_REVOKED_TOKENS = "SELECT jti FROM revoked_token";

/** Revokes the token of that `jti`, which ends at `expiresAtMs`; forgets those that have ended. */
export function revokeToken(
  store: ControlStore,
  jti: string,
  expiresAtMs: number,
  nowMs: number,
): void {
  store.write(() => {
    store.db.query("DELETE FROM revoked_token WHERE expires_at <= ?").run(nowMs);
    store.db
      .query("INSERT OR IGNORE INTO revoked_token (jti, expires_at) VALUES (?, ?)")
      .run(jti, expiresAtMs);
  });
}
