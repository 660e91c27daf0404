/** Credentials of an agent. A secret leaves `issueCredential` once; only its hash is stored. */
import type { Mode } from "../../engine/core/supply.ts";
import { mintSecret, secretPrefix } from "../privacy/credential-secret.ts";
import { type ControlStore, newId } from "./store.ts";

export interface IssuedCredential {
  readonly credential_id: string;
  /** `ik_live_…` or `ik_test_…` by the agent's mode; cannot be read again. */
  readonly secret: string;
}

/** `expired` follows from the clock: its time ran out, or its overlap after a rotation did. */
export type CredentialState = "active" | "retiring" | "revoked" | "expired";

export interface Credential {
  readonly credential_id: string;
  readonly agent_id: string;
  /** What its secret starts with, and what it ends with. */
  readonly prefix: string;
  readonly last4: string;
  readonly state: CredentialState;
  /** Epoch milliseconds, as those below. */
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly retire_at: number | null;
  /** To the minute. */
  readonly last_used_at: number | null;
}

const SELECT_CREDENTIALS = `SELECT credential_id, agent_id, prefix, last4, state, created_at,
  expires_at, retire_at, last_used_at FROM credential`;

function credentialOf(row: Credential, nowMs: number): Credential {
  const validUntil = Math.min(row.expires_at ?? Infinity, row.retire_at ?? Infinity);
  if (row.state === "revoked" || nowMs < validUntil) return row;
  return { ...row, state: "expired" };
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

/** The agent's credential of that id as it is at `nowMs`, or null. */
export function findCredential(
  store: ControlStore,
  agentId: string,
  credentialId: string,
  nowMs: number,
): Credential | null {
  const select = `${SELECT_CREDENTIALS} WHERE credential_id = ? AND agent_id = ?`;
  const row = store.db.query<Credential, [string, string]>(select).get(credentialId, agentId);
  return row && credentialOf(row, nowMs);
}

/** The agent's credentials as they are at `nowMs`, newest first. */
export function listCredentials(store: ControlStore, agentId: string, nowMs: number): Credential[] {
  const select = `${SELECT_CREDENTIALS} WHERE agent_id = ?
    ORDER BY created_at DESC, credential_id DESC`;
  const rows = store.db.query<Credential, [string]>(select).all(agentId);
  return rows.map((row) => credentialOf(row, nowMs));
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

/** Revokes all credentials of an agent. */
export function revokeCredentialsOf(store: ControlStore, agentId: string): void {
  const update = "UPDATE credential SET state = 'revoked' WHERE agent_id = ?";
  store.write(() => store.db.query(update).run(agentId));
}

/** Notes when credentials were last used, epoch milliseconds by id; older news change nothing. */
export function noteUses(store: ControlStore, uses: ReadonlyMap<string, number>): void {
  const update = `UPDATE credential SET last_used_at = max(ifnull(last_used_at, 0), ?)
    WHERE credential_id = ?`;
  store.write(() => {
    for (const [credentialId, usedAtMs] of uses) store.db.query(update).run(usedAtMs, credentialId);
  });
}
