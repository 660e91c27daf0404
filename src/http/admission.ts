/**
 * Steps 2 to 5 of rules §1: who calls, for which tenant, whether its kind and scopes allow the
 * route, and whether it calls too often. None of these answers is ever sealed.
 */
import type { RatePolicy, RateVerdict } from "../../jobs/rate-limiter.ts";
import { authenticate } from "../auth/bearer.ts";
import {
  type AccessRefusal,
  type Principal,
  requireKind,
  requireScope,
} from "../control/principal.ts";
import type { ProtectedRoute, PublicCall, PublicRoute } from "./call.ts";
import { bad, invalid } from "./respond.ts";
import { UUID_PATTERN } from "./schema/request-parts.ts";
import type { May } from "./scopes.ts";

const UUID = new RegExp(`^${UUID_PATTERN}$`, "i");
const KINDS_WITH_ADMIN = ["operator"] as const;
/** Per client address, for the public calls that cost something (rules §3). */
const ADDRESS_PER_MINUTE = 60;

/** A caller who may go on, and what to tell it about its rate. */
export interface Admitted {
  readonly principal: Principal;
  readonly rateHeaders: Readonly<Record<string, string>> | null;
}

/** What the caller may be offered (rules §9): depends on kind and scopes alone. */
export function mayOf(principal: Principal): May {
  return (scope) =>
    requireScope(principal, scope) === null &&
    (!scope.startsWith("admin:") || requireKind(principal, KINDS_WITH_ADMIN) === null);
}

/** The caller of a protected route, or the answer that refuses it. */
export async function admit(
  route: ProtectedRoute,
  call: PublicCall & { may: May | undefined },
): Promise<Admitted | Response> {
  const { headers } = call.request;
  const authenticated = await authenticate(call.deps, {
    authorization: headers.get("authorization"),
    resource: route.resource,
    nowMs: call.deps.now(),
  });
  if (!authenticated.ok) return refuse(route, call, authenticated);
  const { principal } = authenticated;
  call.deps.lastUsed.note(principal.credential_id, call.deps.now());
  call.may = mayOf(principal);
  const tenantProblem = tenantRefusal(headers.get("x-tenant-id"), principal, call);
  if (tenantProblem) return tenantProblem;
  const refused = allowed(route, principal);
  if (refused) return refuse(route, call, refused);
  const charged = await chargeCredential(call, principal);
  return charged instanceof Response ? charged : { principal, rateHeaders: charged };
}

/**
 * Step 5: takes one request from the credential's rate. The headers to tell it by, null where there
 * is no limit to tell; or the refusal.
 */
export async function chargeCredential(
  call: PublicCall,
  { credential_id, limits }: Principal,
): Promise<Response | Admitted["rateHeaders"]> {
  const { rpm, burst } = limits;
  if (rpm === null) return null;
  const policy = { name: "default", perMinute: rpm, burst: burst ?? rpm };
  const verdict = await call.deps.limiter.take(credential_id, policy);
  if (verdict?.isAllowed === false) return tooMany(call, policy, verdict);
  return verdict && rateHeaders(policy, verdict);
}

/** Step 4 alone, for a caller that is known already. */
export function allowed(route: ProtectedRoute, principal: Principal): AccessRefusal | null {
  const { kinds, scope } = route.access;
  const wrongKind = requireKind(principal, kinds);
  return wrongKind ?? (scope === null ? null : requireScope(principal, scope));
}

/** Step 5 of a public route with a limit per address; null lets it pass. */
export async function addressRefusal(
  route: PublicRoute,
  call: PublicCall,
): Promise<Response | null> {
  if (route.addressLimit === undefined) return null;
  const perMinute = ADDRESS_PER_MINUTE;
  const policy = { name: route.addressLimit, perMinute, burst: perMinute };
  const verdict = await call.deps.limiter.take(call.clientAddress(), policy);
  return verdict?.isAllowed === false ? tooMany(call, policy, verdict) : null;
}

/** draft-ietf-httpapi-ratelimit-headers, as structured fields. */
function rateHeaders({ name, burst }: RatePolicy, { remaining, fullInS }: RateVerdict) {
  return {
    "ratelimit-policy": `"${name}";q=${burst};w=60`,
    ratelimit: `"${name}";r=${remaining};t=${fullInS}`,
  };
}

function tooMany(call: PublicCall, policy: RatePolicy, verdict: RateVerdict): Response {
  return bad(call, {
    code: "rate_limited",
    detail: { policy: policy.name, limit: policy.perMinute, burst: policy.burst, window_s: 60 },
    retry_after: verdict.retryInS,
    headers: rateHeaders(policy, verdict),
  });
}

/** 401 and 403 say where a token can be had and which scope it needs (RFC 6750 §3, RFC 9728 §5). */
export function refuse(route: ProtectedRoute, call: PublicCall, refusal: AccessRefusal): Response {
  const { code, detail } = refusal;
  if (code !== "unauthenticated" && code !== "forbidden") return bad(call, { code, detail });
  const parts: string[] = [];
  if (code === "forbidden") parts.push('error="insufficient_scope"');
  else if (detail.reason !== "missing_credential") parts.push('error="invalid_token"');
  if (call.deps.config.oauthIssuer !== null) {
    const path = "/.well-known/oauth-protected-resource";
    const own = route.resource === "mcp" ? `${path}/mcp` : path;
    parts.push(`resource_metadata="${call.deps.config.baseUrl}${own}"`);
  }
  if (route.access.scope !== null) parts.push(`scope="${route.access.scope}"`);
  const challenge = parts.length > 0 ? `Bearer ${parts.join(", ")}` : "Bearer";
  return bad(call, { code, detail, headers: { "www-authenticate": challenge } });
}

function tenantRefusal(
  header: string | null,
  principal: Principal,
  call: PublicCall,
): Response | null {
  if (header === null) return null;
  if (!UUID.test(header)) {
    return invalid(call, [{ path: "X-Tenant-Id", message: "is malformed", expected: "a uuid" }]);
  }
  if (header.toLowerCase() === principal.tenant_id) return null;
  const detail = { reason: "other_tenant", tenant_id: header.toLowerCase() };
  return bad(call, { code: "resource_access_denied", detail });
}
