/** Who may know of what another made (rules §3). */
import type { Actor } from "./parties.ts";
import type { Realm } from "./supply.ts";

/** Who asks. */
export interface Caller extends Realm {
  readonly actor: Actor;
}

/** Whose thing it is. */
export interface Owned extends Realm {
  readonly agent_id: string;
}

/**
 * True when a thing must look to the caller as if it did not exist: it is of another tenant or
 * mode, or of another agent and the caller is an agent or a partner.
 */
export function isHiddenFrom(caller: Caller, owner: Owned): boolean {
  if (owner.tenant_id !== caller.tenant_id || owner.mode !== caller.mode) return true;
  const { kind, id } = caller.actor;
  return (kind === "agent" || kind === "partner") && owner.agent_id !== id;
}
