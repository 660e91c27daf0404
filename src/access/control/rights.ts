/**
 * Compares a credential's rights with those it grants or changes. Administrators of agents stay
 * within the rights of the presented credential, which an access token may have narrowed. Kind and
 * mode are not compared: only operators administer, and agents of the other mode are not found.
 */
import { type Agent, DEFAULT_LIMITS } from "./agents.ts";
import { coversScope, type Principal, type PrincipalLimits } from "./principal.ts";

/** `property_ids` null: every property of the tenant and mode. */
export type Rights = Pick<Agent, "scopes" | "property_ids" | "limits">;

/** Missing rights; empty members are omitted. */
export interface Lack {
  readonly missing_scopes?: readonly string[];
  /** Null: every property. */
  readonly missing_property_ids?: readonly string[] | null;
  /** Names of the limits beyond its own. */
  readonly missing_limits?: readonly string[];
}

/** The rights that the credential lacks, or null. */
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

/** Limits of a new agent: the default, or the credential's own if smaller. */
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

type Limit = Exclude<PrincipalLimits[keyof PrincipalLimits], undefined>;

/** All that bound what is done by API. */
const LIMITS = Object.keys(DEFAULT_LIMITS) as readonly (keyof typeof DEFAULT_LIMITS)[];

/** Effective limits: a missing burst is the rate; no burst without a rate. */
function meantBy(limits: PrincipalLimits): PrincipalLimits {
  const { rpm, burst } = limits;
  return { ...limits, burst: rpm === null ? null : (burst ?? rpm) };
}

/** None exceeds any limit; amounts in different currencies are not within each other. */
function isWithin(limit: Limit, own: Limit): boolean {
  if (own === null) return true;
  if (limit === null) return false;
  if (typeof limit === "number") return typeof own === "number" && limit <= own;
  return typeof own === "object" && limit.currency === own.currency && limit.amount <= own.amount;
}

/** The missing properties; null for all. */
function propertiesLacking(own: Principal["property_ids"], ids: Rights["property_ids"]) {
  return own === null ? [] : (ids?.filter((id) => !own.has(id)) ?? null);
}
