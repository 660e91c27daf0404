/**
 * The checks every request passes, in the order of rules §1; the first that fails answers. What
 * depends on state is not checked here: the engine looks the idempotency key up before it looks at
 * anything else.
 */
import { type DelegationGrant, verifyDelegation } from "../auth/delegation.ts";
import { traceOf } from "../base/trace.ts";
import type { Principal } from "../control/principal.ts";
import { addressRefusal, admit, allowed, mayOf, refuse } from "./admission.ts";
import { BODY_BYTES_MAX, readBody } from "./body.ts";
import type { Params, ProtectedRoute, PublicCall, PublicRoute, Route } from "./call.ts";
import type { Deps } from "./deps.ts";
import { secured } from "./headers.ts";
import { readKey } from "./idempotency.ts";
import { bad, invalid } from "./respond.ts";
import type { FieldError } from "./validate.ts";

const NO_QUERY: ReadonlyMap<string, string> = new Map();

type Draft = { -readonly [K in keyof PublicCall]: PublicCall[K] };

/** Where a request comes from. */
export interface Origin {
  /** Whom a limit per address counts. */
  readonly clientAddress: () => string;
  /**
   * Set by a front end of this process that has taken steps 2, 3 and 5 already (a tool call is one
   * request, however many handlers it reaches).
   */
  readonly principal?: Principal;
}

/** Answers a request by its route. Never throws for anything a client sends. */
export async function answer(
  route: Route,
  request: Request,
  params: Params,
  deps: Deps,
  origin: Origin,
): Promise<Response> {
  const startedMs = performance.now();
  const call = draftOf(request, params, deps, origin.clientAddress);
  let response: Response;
  try {
    response = await (route.access === "public"
      ? answerPublic(route, call)
      : answerProtected(route as ProtectedRoute, call, origin.principal));
  } catch (error) {
    deps.log.error("a handler threw", {
      trace_id: call.traceId,
      route: route.path,
      error,
    });
    response = bad(call, { code: "internal_error" });
  }
  const ms = performance.now() - startedMs;
  deps.metrics.request(route.method, route.path, response.status, ms);
  if (response.status >= 500) {
    deps.log.warn("answered 5xx", requestFields(route, call, response, ms));
  } else if (deps.config.logLevel === "debug") {
    deps.log.debug("answered", requestFields(route, call, response, ms));
  }
  return secured(response, deps.config.baseUrl.startsWith("https:"));
}

/** What a log line may say of a request: templates and ids, never bodies or credentials. */
function requestFields(route: Route, call: PublicCall, { status }: Response, ms: number) {
  const { traceId: trace_id } = call;
  return { trace_id, method: route.method, route: route.path, status, ms: Math.round(ms) };
}

/** A request before any check. */
export function draftOf(
  request: Request,
  params: Params,
  deps: Deps,
  clientAddress: () => string,
): Draft {
  const { url, method, headers } = request;
  const pathAt = url.indexOf("/", url.indexOf("//") + 2);
  const queryAt = url.indexOf("?", pathAt);
  const path = queryAt < 0 ? url.slice(pathAt) : url.slice(pathAt, queryAt);
  const query = queryAt < 0 ? NO_QUERY : new Map(new URLSearchParams(url.slice(queryAt + 1)));
  const { traceId } = traceOf(headers.get("traceparent"));
  return {
    ...{ deps, method, path, params, query, traceId, request, clientAddress },
    body: undefined,
    bodyBytes: 0,
    may: undefined,
  };
}

/**
 * Step 7 for queries: names the route does not know. Discovery and health ignore them (rules §2):
 * probes and caches add their own.
 */
function queryErrors(route: Route, query: ReadonlyMap<string, string>): FieldError[] {
  const errors: FieldError[] = [];
  if (!route.path.startsWith("/v1/")) return errors;
  for (const name of query.keys()) {
    if (route.query?.includes(name)) continue;
    const expected = route.query?.length ? `one of ${route.query.join(", ")}` : "no parameters";
    errors.push({ path: `?${name}`, message: "is not a known parameter", expected });
  }
  return errors;
}

async function answerPublic(route: PublicRoute, call: Draft): Promise<Response> {
  const refused = await addressRefusal(route, call);
  if (refused) return refused;
  const errors = queryErrors(route, call.query);
  if (route.reads === "json") errors.push(...(await readInto(call, route)));
  if (errors.length > 0) return invalid(call, errors);
  return route.handle(call);
}

/** Reads the JSON body into the call; returns what is wrong with it. */
async function readInto(call: Draft, route: Route): Promise<readonly FieldError[]> {
  const reading = await readBody(call.request, route.bodyBytesMax ?? BODY_BYTES_MAX);
  if (!reading.ok) return reading.errors;
  call.body = reading.body;
  call.bodyBytes = reading.bytes;
  return [];
}

async function answerProtected(
  route: ProtectedRoute,
  call: Draft,
  known: Principal | undefined,
): Promise<Response> {
  if (known) {
    call.may = mayOf(known);
    const refused = allowed(route, known);
    return refused ? refuse(route, call, refused) : answerAdmitted(route, call, known);
  }
  const admitted = await admit(route, call);
  if (admitted instanceof Response) return admitted;
  const response = await answerAdmitted(route, call, admitted.principal);
  for (const name in admitted.rateHeaders) {
    response.headers.set(name, admitted.rateHeaders[name]!);
  }
  return response;
}

/** Steps 6 and 7, then the handler. */
async function answerAdmitted(
  route: ProtectedRoute,
  call: Draft,
  principal: Principal,
): Promise<Response> {
  const { request, deps } = call;
  let delegation: DelegationGrant | null = null;
  if (route.isDelegated) {
    const result = await verifyDelegation({
      token: request.headers.get("x-delegated-user"),
      tenantId: principal.tenant_id,
      audience: deps.config.platformAudience,
      view: deps.control,
      nowMs: deps.now(),
    });
    if (!result.ok) return bad(call, result);
    delegation = result;
  }
  const errors = queryErrors(route, call.query);
  if (route.reads === "json") errors.push(...(await readInto(call, route)));
  const reading = keyOf(route, call);
  errors.push(...reading.errors);
  errors.push(...checkedBody(route, call, errors.length > 0));
  if (errors.length > 0) return invalid(call, errors);
  return route.handle({ ...call, principal, delegation, key: reading.key });
}

/** Schema faults of the body; an unreadable body has said its own fault already. */
function checkedBody(
  route: ProtectedRoute,
  call: PublicCall,
  hasFaults: boolean,
): readonly FieldError[] {
  if (!route.check || (call.body === undefined && hasFaults)) return [];
  const isLeftOut = call.body === undefined && route.isBodyOptional === true;
  return route.check(isLeftOut ? {} : call.body);
}

function keyOf(route: ProtectedRoute, call: PublicCall) {
  if (!route.key) return { key: null, errors: [] };
  const { body } = call;
  const bodyKey =
    typeof body === "object" && body !== null && Object.hasOwn(body, "idempotency_key")
      ? (body as { idempotency_key: unknown }).idempotency_key
      : undefined;
  return readKey(call.request.headers.get("idempotency-key"), bodyKey, route.key === "required");
}
