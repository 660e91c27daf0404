/**
 * What a credential has, held against what is to be handed out, kept or touched. Whoever
 * administers agents stays within its own rights: those of the credential that is presented, which
 * an access token may have narrowed, not those of the agent behind it. The kind is no part of the
 * comparison: only operators administer, and what another kind may call an operator may too. Nor is
 * the mode: an agent of the other mode is not found.
 */
import { type Agent, DEFAULT_LIMITS } from "./agents.ts";
import { coversScope, type Principal, type PrincipalLimits } from "./principal.ts";

/** What an agent may do; `property_ids` null: every property of the tenant and mode. */
export type Rights = Pick<Agent, "scopes" | "property_ids" | "limits">;

/** What a credential lacks; only what there is of it. */
export interface Lack {
  readonly missing_scopes?: readonly string[];
  /** Null: every property. */
  readonly missing_property_ids?: readonly string[] | null;
  /** Names of the limits that lie beyond its own. */
  readonly missing_limits?: readonly string[];
}

/** What the credential lacks of these rights; null when it has them all. */
export function lacking(own: Principal, { scopes, property_ids, limits }: Rights): Lack | null {
  const missing_scopes = scopes.filter((scope) => !coversScope(own.scopes, scope));
  const missing_property_ids = propertiesLacking(own.property_ids, property_ids);
  const [meant, mine] = [meantBy(limits), meantBy(own.limits)];
  const missing_limits = LIMITS.filter((name) => !isWithin(meant[name], mine[name]));
  const lack: Lack = {
    ...(missing_scopes.length > 0 && { missing_scopes }),
    ...(missing_property_ids?.length !== 0 && { missing_property_ids }),
    ...(missing_limits.length > 0 && { missing_limits }),
  };
  return Object.keys(lack).length > 0 ? lack : null;
}

/** The limits of a new agent: what is left out is the default, or the credential's own if less. */
export function limitsWithin(
  own: PrincipalLimits,
  asked: Partial<PrincipalLimits>,
): PrincipalLimits {
  const mine = meantBy(own);
  const defaults = LIMITS.map((name) => {
    const fallback = DEFAULT_LIMITS[name];
    return [name, isWithin(fallback, mine[name]) ? fallback : own[name]];
  });
  return { ...Object.fromEntries(defaults), ...asked };
}

type Limit = PrincipalLimits[keyof PrincipalLimits];

const LIMITS = Object.keys(DEFAULT_LIMITS) as readonly (keyof PrincipalLimits)[];

/** Limits as they work: a burst that is left open is the rate's own, and none without a rate. */
function meantBy(limits: PrincipalLimits): PrincipalLimits {
  const { rpm, burst } = limits;
  return { ...limits, burst: rpm === null ? null : (burst ?? rpm) };
}

/** None is more than any; amounts of two currencies cannot be compared, so neither is within. */
function isWithin(limit: Limit, own: Limit): boolean {
  if (own === null) return true;
  if (limit === null) return false;
  if (typeof limit === "number") return typeof own === "number" && limit <= own;
  return typeof own === "object" && limit.currency === own.currency && limit.amount <= own.amount;
}

/** The properties that are lacking, null for all of them. */
function propertiesLacking(own: Principal["property_ids"], ids: Rights["property_ids"]) {
  return own === null ? [] : (ids?.filter((id) => !own.has(id)) ?? null);
}
