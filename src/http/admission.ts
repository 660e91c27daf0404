/**
 * Admission: who calls, for which tenant, whether its kind, scopes and properties
 * allow the route, and whether it calls too often. None of these answers is ever sealed.
 */
import type { RatePolicy, RateVerdict } from "../../jobs/redis/rate-limiter.ts";
import { type Authentication, authenticate } from "../access/auth/bearer.ts";
import { authenticateBasic } from "../access/auth/client-auth.ts";
import {
  type AccessRefusal,
  type Principal,
  requireAllProperties,
  requireKind,
  requireScope,
} from "../access/control/principal.ts";
import { hmacHex } from "../access/privacy/personal-data.ts";
import type { May } from "../actions/next-action.ts";
import { invalid, type Refusal, refuse } from "./answer.ts";
import type { PublicCall } from "./call.ts";
import { challenged } from "./challenges.ts";
import type { Access, AddressLimit, Contract } from "./contract.ts";
import type { ProtectedRoute, PublicRoute } from "./route.ts";
import type { Routes } from "./route-table.ts";
import { UUID_PATTERN } from "./schema/request-parts.ts";

const UUID = new RegExp(`^${UUID_PATTERN}$`, "i");
/** Per client address, for public calls that do not say otherwise. */
const ADDRESS_PER_MINUTE = 60;
const MINUTE_S = 60;
const DAY_S = 86_400;

/** Cached per principal object. */
const known = new WeakMap<Principal, { readonly routes: Routes; readonly may: May }>();

/** Calls that may be offered to the caller, by kind, scopes and properties. */
export function mayOf(principal: Principal, routes: Routes): May {
  const found = known.get(principal);
  if (found?.routes === routes) return found.may;
  const may = mayBy(principal, routes, () => true);
  known.set(principal, { routes, may });
  return may;
}

/** The same for callers with tools only: tools and public reads. */
export function mayByTools(principal: Principal, routes: Routes): May {
  return mayBy(principal, routes, ({ tool, access, method }) => {
    return tool !== undefined || (access === "public" && method === "GET");
  });
}

function mayBy(principal: Principal, routes: Routes, isInReach: (route: Contract) => boolean): May {
  const byId = new Map<string, boolean>();
  const hasNoProperty = principal.property_ids?.size === 0;
  const mayUse = (route: Contract) =>
    isInReach(route) &&
    (route.access === "public" || allowed(route.access, principal) === null) &&
    // A quote needs a property, and this caller has access to none.
    !(hasNoProperty && route.id === "quote");
  return (method, href, id) => {
    if (id === undefined) {
      const queryAt = href.indexOf("?");
      const route = routes.match(method, queryAt < 0 ? href : href.slice(0, queryAt));
      return route !== undefined && mayUse(route);
    }
    let isAllowed = byId.get(id);
    if (isAllowed === undefined) {
      isAllowed = mayUse(routes.byId(id));
      byId.set(id, isAllowed);
    }
    return isAllowed;
  };
}

type Admission = { readonly ok: true; readonly principal: Principal } | Refusal;
type Asking = PublicCall & { may: PublicCall["may"]; realm: PublicCall["realm"] };

/**
 * The caller of a protected route, or the refusal. A promise only for access tokens that must be
 * verified, and for credentials with a limit.
 */
export function admit(route: ProtectedRoute, call: Asking): Admission | Promise<Admission> {
  const { context, request } = call;
  const nowMs = context.now();
  const authorization = request.headers.get("authorization");
  const { resource, takesBasic } = route;
  const authenticated =
    (takesBasic ? authenticateBasic(context.control, authorization, nowMs) : null) ??
    authenticate(context, { authorization, resource, nowMs });
  const enter = (who: Authentication) => admitted(route, call, who, nowMs);
  return authenticated instanceof Promise ? authenticated.then(enter) : enter(authenticated);
}

/** Steps 3 to 5, for the credential's principal. */
function admitted(
  route: ProtectedRoute,
  call: Asking,
  authenticated: Authentication,
  nowMs: number,
): Admission | Promise<Admission> {
  if (!authenticated.ok) return challenged(route, call, authenticated);
  const { context, request } = call;
  const { principal } = authenticated;
  context.lastUsed.note(principal.credential_id, nowMs);
  call.may = mayOf(principal, context.routes);
  call.realm = principal;
  const otherTenant = tenantRefusal(request.headers.get("x-tenant-id"), principal);
  if (otherTenant) return otherTenant;
  const refused = allowed(route.access, principal);
  if (refused) return challenged(route, call, refused);
  const charging = chargeCredential(call, principal);
  return charging === null ? authenticated : charging.then((refusal) => refusal ?? authenticated);
}

/**
 * Steps 2 and 4 again, for an open call: its caller with current rights, or the refusal of a new
 * call.
 */
export async function admittedStill(
  call: PublicCall,
): Promise<{ readonly ok: true; readonly principal: Principal } | Refusal> {
  const { context, request, route } = call;
  const { access, resource } = route;
  if (access === "public") throw new Error("a public call has no caller");
  const authorization = request.headers.get("authorization");
  const presented = { authorization, resource, nowMs: context.now() };
  const known = call.again?.() ?? (await authenticate(context, presented));
  const refused = known.ok ? allowed(access, known.principal) : known;
  return refused ? challenged({ ...route, access }, call, refused) : known;
}

/**
 * Step 5: charges one request to the credential's rate. Returns the refusal, or null and adds the
 * rate headers to the answer; synchronous without a limit, which has no headers.
 */
export function chargeCredential(
  call: PublicCall,
  { credential_id, limits }: Principal,
): Promise<Refusal | null> | null {
  const { rpm, burst } = limits;
  if (rpm === null) return null;
  const policy = { name: "default", limit: rpm, windowS: MINUTE_S, burst: burst ?? rpm };
  return call.context.limiter.take(credential_id, policy).then((verdict) => {
    if (verdict) Object.assign(call.answerHeaders, rateHeaders(policy, verdict));
    return verdict?.isAllowed === false ? tooMany(policy, verdict) : null;
  });
}

/** Step 4 alone: null when the caller's kind, scopes and properties allow the route. */
export function allowed(
  { kinds, scope, touches }: Access,
  principal: Principal,
): AccessRefusal | null {
  return (
    requireKind(principal, kinds) ??
    (scope === null ? null : requireScope(principal, scope)) ??
    (touches === "tenant" ? requireAllProperties(principal) : null)
  );
}

/** Step 5 of a public route with a limit per address; null lets it pass. */
export async function addressRefusal(
  { addressLimit }: PublicRoute,
  call: PublicCall,
): Promise<Refusal | null> {
  return addressLimit === undefined ? null : chargeAddress(call, addressLimit);
}

/**
 * Charges `cost` to the limit of an address; the refusal when it is exceeded. Redis counts hashed
 * addresses, some for a day.
 */
export function chargeAddress(
  call: PublicCall,
  limit: AddressLimit,
  cost = 1,
): Promise<Refusal | null> {
  const address = JSON.stringify(["address", call.clientAddress()]);
  return charge(call, hmacHex(call.context.keys.hmac, address, 16), limit, cost);
}

/** The same refusal, without charging. */
export function spentAddress(call: PublicCall, limit: AddressLimit): Promise<Refusal | null> {
  return chargeAddress(call, limit, 0);
}

/** Charges `cost` to the limit of `key`; the refusal when it is exceeded. */
export async function charge(
  call: PublicCall,
  key: string,
  { name, perMinute = ADDRESS_PER_MINUTE, perDay }: AddressLimit,
  cost: number,
): Promise<Refusal | null> {
  const limit = perDay ?? perMinute;
  const policy = { name, limit, windowS: perDay === undefined ? MINUTE_S : DAY_S, burst: limit };
  const verdict = await call.context.limiter.take(key, policy, cost);
  if (verdict?.isAllowed !== false) return null;
  Object.assign(call.answerHeaders, rateHeaders(policy, verdict));
  return tooMany(policy, verdict);
}

/**
 * draft-ietf-httpapi-ratelimit-headers, as structured fields. The quota is the burst, its window
 * the time in which a spent burst is there again: so `r` ≤ `q`, `t` ≤ `w`, and `q` in each `w` is
 * the rate in the long run.
 */
function rateHeaders(policy: RatePolicy, { remaining, fullInS }: RateVerdict) {
  const { name, limit, burst, windowS } = policy;
  return {
    "ratelimit-policy": `"${name}";q=${burst};w=${Math.ceil((burst * windowS) / limit)}`,
    ratelimit: `"${name}";r=${remaining};t=${fullInS}`,
  };
}

function tooMany(policy: RatePolicy, verdict: RateVerdict): Refusal {
  const { name, limit, windowS, burst } = policy;
  const detail = { policy: name, limit, burst, window_s: windowS };
  return refuse("rate_limited", detail, { retry_after: verdict.retryInS });
}

function tenantRefusal(header: string | null, principal: Principal): Refusal | null {
  if (header === null) return null;
  if (!UUID.test(header)) {
    return invalid([{ path: "X-Tenant-Id", message: "is malformed", expected: "a uuid" }]);
  }
  const tenant_id = header.toLowerCase();
  if (tenant_id === principal.tenant_id) return null;
  return refuse("resource_access_denied", { reason: "other_tenant", tenant_id });
}
