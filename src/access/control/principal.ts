/** The caller of a request, and checks of its rights. */
import type { AgentLimits } from "../../../engine/core/commands.ts";
import type { Actor } from "../../../engine/core/parties.ts";
import type { Mode } from "../../../engine/core/supply.ts";

/** Kinds of agents. */
export type PrincipalKind = "agent" | "operator" | "service" | "partner";

/** Limits of an agent; null means none. */
export interface PrincipalLimits extends AgentLimits {
  /** Requests per minute and bucket size, per credential. */
  readonly rpm: number | null;
  readonly burst: number | null;
  readonly max_open_quotes: number | null;
  /**
   * Deeds at the console above it are proved by the secret or passkey; absent and null: none. It
   * bounds no right of the API, so it is not compared with those of others.
   */
  readonly step_up_amount?: AgentLimits["max_booking_amount"];
}

export interface Principal {
  readonly tenant_id: string;
  readonly agent_id: string;
  /** Of a credential, or of the person who acts for the agent. */
  readonly credential_id: string;
  /** Present for a person, whose rights these are. */
  readonly person_id?: string;
  /** A guest has the id of the one booking as `agent_id`, and no agent's right. */
  readonly kind: PrincipalKind | "guest";
  readonly mode: Mode;
  readonly scopes: ReadonlySet<string>;
  /** Null: every property of the tenant and mode. */
  readonly property_ids: ReadonlySet<string> | null;
  readonly limits: PrincipalLimits;
}

/** Who acts, for events and audits. */
export function actorOf({ kind, agent_id, person_id }: Principal): Actor {
  return { kind, id: agent_id, ...(person_id !== undefined && { person_id }) };
}

/** A 401 or 403 of the catalogue; never sealed. */
export interface AccessRefusal {
  readonly ok: false;
  readonly code:
    | "unauthenticated"
    | "forbidden"
    | "principal_kind_not_allowed"
    | "resource_access_denied";
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Null when the principal has one of the kinds. Checked before `requireScope`. */
export function requireKind(
  principal: Principal,
  kinds: readonly PrincipalKind[],
): AccessRefusal | null {
  if (kinds.some((kind) => kind === principal.kind)) return null;
  return {
    ok: false,
    code: "principal_kind_not_allowed",
    detail: { kind: principal.kind, allowed: [...kinds] },
  };
}

/** True when the scope is granted; `admin:*` grants every `admin:` scope. */
export function coversScope(scopes: ReadonlySet<string>, scope: string): boolean {
  return scopes.has(scope) || (scope.startsWith("admin:") && scopes.has("admin:*"));
}

/** The scopes that both grant. */
export function sharedScopes(one: ReadonlySet<string>, other: ReadonlySet<string>): Set<string> {
  return new Set([
    ...[...one].filter((scope) => coversScope(other, scope)),
    ...[...other].filter((scope) => coversScope(one, scope)),
  ]);
}

/** The ids of properties that both have; null is all. */
export function sharedIds(
  one: Principal["property_ids"],
  other: Principal["property_ids"],
): Principal["property_ids"] {
  if (one === null || other === null) return one ?? other;
  return new Set([...one].filter((id) => other.has(id)));
}

/** Null when the scope is granted. */
export function requireScope(principal: Principal, scope: string): AccessRefusal | null {
  const { scopes } = principal;
  if (coversScope(scopes, scope)) return null;
  return {
    ok: false,
    code: "forbidden",
    detail: { required_scope: scope, granted: [...scopes].sort() },
  };
}

/** Null when the principal may access every property. Checked after `requireScope`. */
export function requireAllProperties({ property_ids }: Principal): AccessRefusal | null {
  if (property_ids === null) return null;
  return { ok: false, code: "resource_access_denied", detail: { reason: "all_properties" } };
}
