/** Credentials of an agent. A secret leaves `issueCredential` once; only its hash is stored. */
import type { Mode } from "../../engine/core/supply.ts";
import { mintSecret, secretPrefix } from "../auth/secrets-format.ts";
import { type ControlStore, newId } from "./store.ts";

export interface IssuedCredential {
  readonly credential_id: string;
  /** `ik_live_…` or `ik_test_…` by the agent's mode; cannot be read again. */
  readonly secret: string;
}

/**
 * Issues a new active credential, valid until `expiresAtMs` (null: until revoked). Throws when the
 * agent is unknown.
 */
export function issueCredential(
  store: ControlStore,
  agentId: string,
  expiresAtMs: number | null = null,
): IssuedCredential {
  return store.write(() => {
    const agent = store.db
      .query<{ mode: Mode }, [string]>("SELECT mode FROM agent WHERE agent_id = ?")
      .get(agentId);
    if (agent === null) throw new Error(`unknown agent ${agentId}`);
    const issued = { credential_id: newId("crd"), secret: mintSecret(agent.mode) };
    const insert = `INSERT INTO credential (credential_id, agent_id, secret_hash, prefix, last4,
      state, created_at, expires_at, retire_at) VALUES (?, ?, ?, ?, ?, 'active', ?, ?, NULL)`;
    store.db
      .query(insert)
      .run(
        issued.credential_id,
        agentId,
        store.hashSecret(issued.secret),
        secretPrefix(agent.mode),
        issued.secret.slice(-4),
        Date.now(),
        expiresAtMs,
      );
    return issued;
  });
}

/** Ends a credential at `retireAtMs`, for a rotation with overlap; false when not active. */
export function retireCredential(
  store: ControlStore,
  credentialId: string,
  retireAtMs: number,
): boolean {
  const update = `UPDATE credential SET state = 'retiring', retire_at = ?
    WHERE credential_id = ? AND state = 'active'`;
  return store.write(() => store.db.query(update).run(retireAtMs, credentialId).changes === 1);
}

/** Revokes a credential at once and for good; false when it is unknown or already revoked. */
export function revokeCredential(store: ControlStore, credentialId: string): boolean {
  const update =
    "UPDATE credential SET state = 'revoked' WHERE credential_id = ? AND state <> 'revoked'";
  return store.write(() => store.db.query(update).run(credentialId).changes === 1);
}
