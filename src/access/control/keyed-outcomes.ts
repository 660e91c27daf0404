/**
 * Outcomes of keyed admin calls (spec 4.1, rules §1). They are written in the transaction of the
 * change itself, so a key whose change is there is always known, for 7 days. A secret is shown
 * once, by the call that made it: what is kept holds none, and its replay says so. It is encrypted
 * all the same, because it may tell who is behind an agent.
 */
import { decryptByVersion, encryptByVersion } from "../privacy/encryption.ts";
import type { KeyVersions } from "../privacy/key-versions.ts";
import type { ControlStore } from "./store.ts";

/** How long a key is honoured (domain §20). */
const KEPT_MS = 7 * 86_400_000;

/** A command by its key: who sent it and what it said. */
export interface KeyedCommand {
  /** 32 hex characters of (tenant, scope, key). */
  readonly command_id: string;
  readonly agent_id: string;
  readonly body_hash: string;
}

export type Recalled<Outcome> =
  | { readonly is: "unknown" }
  /** The key was used for another body. */
  | { readonly is: "conflict" }
  | { readonly is: "known"; readonly outcome: Outcome };

const SECRET_HINT =
  "Shown once, in the first answer to this idempotency key. If it is lost, rotate the credential.";

/** For `JSON.stringify`: what is kept holds no secret. */
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

/** What is known of a command's key. Throws when the master key is not the one it was kept with. */
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

/**
 * Keeps the outcome of a command whose key is not known yet, without the secret that it may show,
 * and forgets those past their time.
 */
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

/**
 * Puts another outcome in the place of one that was kept: that of a change with a second part,
 * which had to wait for somebody outside.
 */
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
