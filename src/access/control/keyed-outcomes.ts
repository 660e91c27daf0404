/**
 * Outcomes of keyed admin calls, kept for 7 days. They are written in the transaction of the
 * change, so the key of every change is known. Secrets are never kept; a replay says so. Outcomes
 * are encrypted because they may identify people.
 */
import { decryptByVersion, encryptByVersion } from "../privacy/encryption.ts";
import type { KeyVersions } from "../privacy/key-versions.ts";
import type { ControlStore } from "./store.ts";

/** How long a key is honoured. */
const KEPT_MS = 7 * 86_400_000;

/** A command by its key, sender and body. */
export interface KeyedCommand {
  /** 32 hex characters of (tenant, scope, key). */
  readonly command_id: string;
  readonly agent_id: string;
  readonly body_hash: string;
}

export type Recalled<Outcome> =
  | { readonly is: "unknown" }
  /** The key was used with another body. */
  | { readonly is: "conflict" }
  | { readonly is: "known"; readonly outcome: Outcome };

const SECRET_HINT =
  "Shown once, in the first answer to this idempotency key. If it is lost, rotate the credential.";

/** For `JSON.stringify`. */
function withoutSecret(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("secret" in value)) return value;
  return value.secret === null ? value : { ...value, secret: null, secret_hint: SECRET_HINT };
}

interface OutcomeRow {
  readonly command_id: string;
  readonly agent_id: string;
  readonly body_hash: string;
  readonly encrypted: string;
}

function contextOf({ command_id, agent_id }: Pick<OutcomeRow, "command_id" | "agent_id">) {
  return ["keyed-outcome", command_id, agent_id];
}

/** The stored outcome of a command's key. Throws when the master key is another one. */
export function recallOutcome<Outcome>(
  store: ControlStore,
  masters: KeyVersions,
  command: KeyedCommand,
): Recalled<Outcome> {
  const select = `SELECT command_id, agent_id, body_hash, encrypted FROM keyed_outcome
    WHERE command_id = ? AND agent_id = ?`;
  const { command_id, agent_id, body_hash } = command;
  const row = store.db.query<OutcomeRow, [string, string]>(select).get(command_id, agent_id);
  if (row === null) return { is: "unknown" };
  if (row.body_hash !== body_hash) return { is: "conflict" };
  const text = decryptByVersion(masters, row.encrypted, contextOf(row)).toString("utf8");
  return { is: "known", outcome: JSON.parse(text) };
}

/** Stores the outcome of a new key without its secret, and deletes expired outcomes. */
export function keepOutcome(
  store: ControlStore,
  masters: KeyVersions,
  command: KeyedCommand,
  outcome: unknown,
): void {
  const nowMs = Date.now();
  const text = JSON.stringify(outcome, withoutSecret);
  const encrypted = encryptByVersion(masters, Buffer.from(text), contextOf(command));
  const insert = `INSERT INTO keyed_outcome (command_id, agent_id, body_hash, encrypted, created_at)
    VALUES (?, ?, ?, ?, ?)`;
  const { command_id, agent_id, body_hash } = command;
  store.write(() => {
    store.db.query("DELETE FROM keyed_outcome WHERE created_at < ?").run(nowMs - KEPT_MS);
    store.db.query(insert).run(command_id, agent_id, body_hash, encrypted, nowMs);
  });
}

/** Replaces a stored outcome: for a change that finishes after an outside call. */
export function replaceOutcome(
  store: ControlStore,
  masters: KeyVersions,
  command: KeyedCommand,
  outcome: unknown,
): void {
  const text = JSON.stringify(outcome, withoutSecret);
  const encrypted = encryptByVersion(masters, Buffer.from(text), contextOf(command));
  const update = "UPDATE keyed_outcome SET encrypted = ? WHERE command_id = ? AND agent_id = ?";
  const { command_id, agent_id } = command;
  store.write(() => store.db.query(update).run(encrypted, command_id, agent_id));
}
