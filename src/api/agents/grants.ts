/**
 * What an operator may hand out: rights that exist, and none that it does not have itself. A
 * credential carries its agent's rights to whoever reads its secret, so issuing one is handing them
 * out too.
 */
import { type Principal, type PrincipalKind, requireScope } from "../../control/principal.ts";
import { type Refusal, refuse } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { FieldError } from "../../http/validate.ts";

/** The rights of an agent. */
export interface Grant {
  readonly scopes: readonly string[];
  /** Null: every property of the tenant and mode. */
  readonly property_ids: readonly string[] | null;
}

function isAdmin(scope: string): boolean {
  return scope.startsWith("admin:");
}

/**
 * Faults of rights as they were asked for: administration for an agent that is no operator, and
 * properties that the tenant does not have in this mode.
 */
export function grantFaults(call: Call, kind: PrincipalKind, asked: Partial<Grant>): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, scope] of (asked.scopes ?? []).entries()) {
    if (kind === "operator" || !isAdmin(scope)) continue;
    const expected = "a scope without admin:";
    errors.push({ path: `/scopes/${i}`, message: "is for operators only", expected });
  }
  const { replica } = call.context;
  for (const [i, id] of (asked.property_ids ?? []).entries()) {
    if (replica.state.property(call.principal, id)) continue;
    const expected = "the id of a property";
    errors.push({ path: `/property_ids/${i}`, message: "is not a known property", expected });
  }
  return errors;
}

/**
 * Why the operator may not hand out these rights: `forbidden` names the admin scope it lacks,
 * `resource_access_denied` the property it may not reach. Null when it may.
 */
export function grantRefusal(operator: Principal, grant: Grant): Refusal | null {
  for (const scope of grant.scopes.filter(isAdmin)) {
    const refused = requireScope(operator, scope);
    if (refused) return refused;
  }
  const { property_ids: own } = operator;
  if (own === null) return null;
  if (grant.property_ids === null) {
    return refuse("resource_access_denied", { reason: "all_properties" });
  }
  const property_id = grant.property_ids.find((id) => !own.has(id));
  return property_id === undefined ? null : refuse("resource_access_denied", { property_id });
}
