/** Credentials of agents. `issueCredential` returns the secret once; only its hash is stored. */
import type { Mode } from "../../../engine/core/supply.ts";
import { mintSecret, secretPrefix } from "../privacy/credential-secret.ts";
import { changeSound, selectOf, soundRow, soundRows, stamp } from "./checked-rows.ts";
import { type ControlStore, newId } from "./store.ts";

export interface IssuedCredential {
  readonly credential_id: string;
  /** `ik_live_…` or `ik_test_…`; cannot be read again. */
  readonly secret: string;
}

/** `expired`: past `expires_at` or the overlap after a rotation. */
export type CredentialState = "active" | "retiring" | "revoked" | "expired";

export interface Credential {
  readonly credential_id: string;
  readonly agent_id: string;
  /** First and last characters of the secret. */
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

type CredentialRow = Credential & { readonly secret_hash?: string };

const LAST_USED = ["last_used_at"];

function credentialOf({ secret_hash: _hash, ...row }: CredentialRow, nowMs: number): Credential {
  const validUntil = Math.min(row.expires_at ?? Infinity, row.retire_at ?? Infinity);
  if (row.state === "revoked" || nowMs < validUntil) return row;
  return { ...row, state: "expired" };
}

/**
 * Issues an active credential, valid until `expiresAtMs` (null: until revoked). Throws when the
 * agent is unknown.
 */
export function issueCredential(
  store: ControlStore,
  agentId: string,
  expiresAtMs: number | null = null,
): IssuedCredential {
  return store.write(() => {
    const agent = soundRow<{ mode: Mode }>(store.db, "agent", agentId);
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
    stamp(store.db, "credential", issued.credential_id);
    return issued;
  });
}

/** The agent's credential at `nowMs`, or null. */
export function findCredential(
  store: ControlStore,
  agentId: string,
  credentialId: string,
  nowMs: number,
): Credential | null {
  const row = soundRow<CredentialRow>(store.db, "credential", credentialId, LAST_USED);
  return row?.agent_id === agentId ? credentialOf(row, nowMs) : null;
}

/** The agent's credentials at `nowMs`, newest first. */
export function listCredentials(store: ControlStore, agentId: string, nowMs: number): Credential[] {
  const select = `${selectOf("credential", LAST_USED)} WHERE agent_id = ?
    ORDER BY created_at DESC, credential_id DESC`;
  const rows = store.db.query<CredentialRow, [string]>(select).all(agentId);
  return soundRows("credential", rows).map((row) => credentialOf(row, nowMs));
}

/** Ends a credential at `retireAtMs`, for a rotation with overlap; false when not active. */
export function retireCredential(
  store: ControlStore,
  credentialId: string,
  retireAtMs: number,
): boolean {
  const where = ["credential_id = ? AND state = 'active'", credentialId] as const;
  const set = ["state = 'retiring', retire_at = ?", retireAtMs] as const;
  return store.write(() => changeSound(store.db, "credential", where, set) === 1);
}

/** Revokes a credential for good; false when unknown or already revoked. */
export function revokeCredential(store: ControlStore, credentialId: string): boolean {
  const update =
    "UPDATE credential SET state = 'revoked' WHERE credential_id = ? AND state <> 'revoked'";
  return store.write(() => {
    const isRevoked = store.db.query(update).run(credentialId).changes === 1;
    if (isRevoked) stamp(store.db, "credential", credentialId);
    return isRevoked;
  });
}

/** Revokes all credentials of an agent, damaged ones too. */
export function revokeCredentialsOf(store: ControlStore, agentId: string): void {
  const select = "SELECT credential_id FROM credential WHERE agent_id = ?";
  store.write(() => {
    const rows = store.db.query<{ credential_id: string }, [string]>(select).all(agentId);
    for (const { credential_id } of rows) revokeCredential(store, credential_id);
  });
}

/** Records when credentials were last used, epoch milliseconds by id; older values are ignored. */
export function noteUses(store: ControlStore, uses: ReadonlyMap<string, number>): void {
  const update = `UPDATE credential SET last_used_at = max(ifnull(last_used_at, 0), ?)
    WHERE credential_id = ?`;
  store.write(() => {
    for (const [credentialId, usedAtMs] of uses) store.db.query(update).run(usedAtMs, credentialId);
  });
}
