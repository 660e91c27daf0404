/**
 * The pipeline of a request: the checks in a fixed order, of which the first failure answers,
 * then handler and response. State is not checked here: the engine looks up the
 * idempotency key first.
 */

import { verifyDelegation } from "../access/auth/delegation.ts";
import type { Principal } from "../access/control/principal.ts";
import { untilPassedOn } from "../lib/passing-on.ts";
import { traceOf } from "../lib/trace.ts";
import { addressRefusal, admit, allowed, mayByTools, mayOf } from "./admission.ts";
import { bodyAsDeclared, queryAsDeclared } from "./aliases.ts";
import { type Answer, invalid, refuse } from "./answer.ts";
import { BODY_BYTES_MAX, type BodyReading, BrokenOff, readBody } from "./body.ts";
import type { Call, PublicCall } from "./call.ts";
import { challenged } from "./challenges.ts";
import type { Context, Origin } from "./context.ts";
import { type Contract, concretePath, readsJson } from "./contract.ts";
import { damageRefusal, storageRefusal } from "./damage-refusals.ts";
import { untilFresh } from "./freshness.ts";
import { admitGuest } from "./guest-admission.ts";
import { finished } from "./headers.ts";
import { type KeyReading, readKey } from "./idempotency.ts";
import { ANY_VERSION, readIfMatch } from "./if-match.ts";
import { logRefused } from "./log-refused.ts";
import { queryErrors, readQuery, type SentQuery } from "./query.ts";
import type { ProtectedRoute, PublicRoute, Route } from "./route.ts";
import { sendData } from "./send-data.ts";
import { simulate } from "./simulate.ts";
import { readScenario } from "./test-scenario.ts";
import type { FieldError } from "./validate.ts";

/** Less than a client waits. */
const PASSED_ON_MS = 4_000;

/**
 * A call being filled in by the checks. It has all members from the beginning and is passed to the
 * handler without copies.
 */
type Draft = { -readonly [K in Exclude<keyof Call, "principal">]: Call[K] } & SentQuery & {
    principal: Principal | undefined;
  };

/** Answers a request by its route. Never throws because of a request. */
export async function respond(
  route: Route,
  request: Request,
  params: Readonly<Record<string, string>>,
  context: Context,
  origin: Origin,
): Promise<Response> {
  const startedMs = performance.now();
  const call = draftOf(route, request, params, context, origin);
  const { renderer = "envelope" } = route;
  let answer: Answer;
  let response: Response;
  try {
    answer = await (route.access === "public"
      ? answerPublic(route, call)
      : answerProtected(route as ProtectedRoute, call));
    if (context.config.databaseUrl !== null) answer = await passedOn(call, answer);
    const sending = sendData(renderer, call, answer);
    response = sending instanceof Promise ? await sending : sending;
  } catch (error) {
    if (error instanceof BrokenOff || request.signal.aborted)
      return gone(call, performance.now() - startedMs);
    const damaged = damageRefusal(error, context) ?? storageRefusal(error, context);
    if (!damaged) {
      context.log.error("a handler threw", { trace_id: call.traceId, route: route.path, error });
    }
    answer = damaged ?? refuse("internal_error");
    response = await sendData(renderer, call, answer);
  }
  for (const name in call.answerHeaders) response.headers.set(name, call.answerHeaders[name]!);
  note(call, answer, response, performance.now() - startedMs);
  return finished(response, call);
}

/** Answers about the journal, which is on the other machines already, or calls that make others. */
const OF_JOURNAL = /^\/(?:v1\/(?:search|availability|quotes|holds|bookings)|mcp|a2a)\b/;
/** What operators change in files that are the worker's: deliveries and mails. */
const OF_OPERATORS = /^\/(?:v1\/admin|console)\b/;

/**
 * With several machines no answer about a change leaves before the others have it. A read may show
 * a change earlier.
 */
async function passedOn({ method, route }: Draft, answer: Answer): Promise<Answer> {
  if (method === "GET" || method === "HEAD" || OF_JOURNAL.test(route.path)) return answer;
  const isPassedOn = await untilPassedOn(PASSED_ON_MS, OF_OPERATORS.test(route.path));
  if (isPassedOn ?? true) return answer;
  return refuse("upstream_unavailable", { upstream: "control_store" });
}

/** The client disconnected; metrics count it as 499. */
function gone(call: Draft, ms: number): Response {
  const response = new Response(null, { status: 499 });
  note(call, null, response, ms);
  return response;
}

/** Data for metrics and logs: templates and ids, never bodies or credentials. */
function note(call: Draft, answer: Answer | null, { status }: Response, ms: number) {
  const { context, route, traceId, principal } = call;
  const { metrics, traffic, log, config } = context;
  metrics.request(route, status, ms);
  if (principal && principal.kind !== "guest") traffic.note(principal, route, status, ms);
  if (status >= 400) logRefused(call, answer, status, ms);
  if (status < 500 && config.logLevel !== "debug") return;
  const { method, path } = route;
  const fields = { trace_id: traceId, method, route: path, status, ms: Math.round(ms) };
  if (status >= 500) log.warn("answered 5xx", fields);
  else log.debug("answered", fields);
}

/** The concrete path of an address, without query; HTTP/1.0 without `Host` has only a path. */
export function pathOf(url: string): string {
  const pathAt = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2);
  const queryAt = url.indexOf("?", pathAt);
  return queryAt < 0 ? url.slice(pathAt) : url.slice(pathAt, queryAt);
}

/** A request before any check. */
function draftOf(
  route: Contract,
  request: Request,
  params: Readonly<Record<string, string>>,
  context: Context,
  { clientAddress, principal, again, hasRoutes, consent }: Origin,
): Draft {
  const { url, method, headers } = request;
  const asked = pathOf(url);
  // The scope of a key must not depend on percent-encoding.
  const path = asked.includes("%") ? concretePath(route.path, params) : asked;
  const { traceId } = traceOf(headers.get("traceparent"));
  const { query, repeated, contradictions } = queryAsDeclared(route, readQuery(url));
  const may = principal && (hasRoutes ? mayOf : mayByTools)(principal, context.routes);
  // One literal: spreading would copy each part.
  return {
    context,
    route,
    method,
    path,
    params,
    query,
    repeated,
    contradictions,
    traceId,
    request,
    clientAddress,
    again,
    body: undefined,
    sent: undefined,
    bodyBytes: 0,
    may,
    realm: principal,
    principal,
    key: null,
    seenVersion: null,
    delegation: (route.isDelegated && consent) || null,
    answerHeaders: {},
  };
}

async function answerPublic(route: PublicRoute, call: Draft): Promise<Answer> {
  const { request } = call;
  const limited = call.principal ? null : await addressRefusal(route, call);
  const refused = limited ?? (await route.guard?.(call)) ?? null;
  if (refused) return refused;
  if (route.isForGuests) {
    const admitted = await admitGuest(call);
    if (!admitted.ok) return admitted;
    call.principal = admitted.principal;
    call.realm = admitted.principal;
    call.may = mayOf(admitted.principal, call.context.routes);
  }
  const unreadable = readsJson(route) ? taken(call, await bodyOf(route, call)) : NONE;
  const { key, errors: ofKey } = route.isForGuests ? keyOf(route, call) : NO_KEY;
  const { version, errors: ofVersion } = route.takesIfMatch ? readIfMatch(request) : ANY_VERSION;
  const misread = understood(route, call, unreadable.length > 0);
  const { errors: ofScenario } = readScenario(request, route, undefined);
  const ofHeaders = [ofKey, ofVersion, ofScenario] as const;
  const errors = joined(queryErrors(route, call), unreadable, ...ofHeaders, misread);
  if (errors.length > 0) return invalid(errors);
  call.key = key;
  call.seenVersion = version;
  if (route.readsReplica) await untilFresh(call.context.replica);
  return route.handle(call);
}

/** Steps 2 to 7, then the handler; awaits only what is not known at once. */
async function answerProtected(route: ProtectedRoute, call: Draft): Promise<Answer> {
  const { request, context } = call;
  const admitting = call.principal ? admitKnown(route, call, call.principal) : admit(route, call);
  const admitted = admitting instanceof Promise ? await admitting : admitting;
  if (!admitted.ok) return admitted;
  const { principal } = admitted;
  call.principal = principal;
  if (route.isDelegated && call.delegation === null) {
    const delegation = await verifyDelegation({
      token: request.headers.get("x-delegated-user"),
      realm: principal,
      platform: context.config,
      view: context.control,
      nowMs: context.now(),
    });
    if (!delegation.ok) return delegation;
    call.delegation = delegation;
  }
  const unreadable = readsJson(route) ? taken(call, await bodyOf(route, call)) : NONE;
  const { key, errors: ofKey } = keyOf(route, call);
  const { version, errors: ofVersion } = route.takesIfMatch ? readIfMatch(request) : ANY_VERSION;
  const scenario = readScenario(request, route, principal.mode);
  const misread = understood(route, call, unreadable.length > 0);
  const ofHeaders = [ofKey, ofVersion, scenario.errors] as const;
  const errors = joined(queryErrors(route, call), unreadable, ...ofHeaders, misread);
  if (errors.length > 0) return invalid(errors);
  call.key = key;
  call.seenVersion = version;
  if (scenario.code !== null) return simulate(route, call as Call, scenario.code);
  const waiting = route.readsReplica && untilFresh(context.replica);
  if (waiting) await waiting;
  return route.handle(call as Call);
}

/** Step 4 alone, for a front end that has done the others. */
function admitKnown(route: ProtectedRoute, call: Draft, principal: Principal) {
  const refused = allowed(route.access, principal);
  return refused ? challenged(route, call, refused) : ({ ok: true, principal } as const);
}

const NONE: readonly FieldError[] = Object.freeze([]);

/** All faults in order; allocates nothing without faults. */
function joined(...lists: (readonly FieldError[])[]): readonly FieldError[] {
  return lists.some(({ length }) => length > 0) ? lists.flat() : NONE;
}

function bodyOf({ bodyBytesMax = BODY_BYTES_MAX }: Contract, { request }: Draft) {
  return readBody(request, bodyBytesMax);
}

/** Takes the parsed JSON into the call; returns its faults. */
function taken(call: Draft, reading: BodyReading): readonly FieldError[] {
  if (!reading.ok) return reading.errors;
  call.sent = reading.body;
  call.bodyBytes = reading.bytes;
  return NONE;
}

/** The body's reading or its faults; an unreadable body is reported already. */
function understood(route: Contract, call: Draft, isUnreadable: boolean): readonly FieldError[] {
  if (!route.body || !readsJson(route) || isUnreadable) return NONE;
  const isLeftOut = call.sent === undefined && route.isBodyOptional === true;
  const errors: FieldError[] = [];
  const sent = bodyAsDeclared(route.body.schema, isLeftOut ? {} : call.sent, errors);
  const reading = route.body.read(sent, call.context.timeIn(call.realm));
  if (!reading.ok) return joined(errors, reading.errors);
  if (errors.length > 0) return errors;
  call.body = reading.value;
  return NONE;
}

const NO_KEY: KeyReading = { key: null, errors: NONE };

function keyOf(route: Contract, { sent, request }: PublicCall): KeyReading {
  if (!route.key) return NO_KEY;
  const bodyKey =
    typeof sent === "object" && sent !== null && Object.hasOwn(sent, "idempotency_key")
      ? (sent as { idempotency_key: unknown }).idempotency_key
      : undefined;
  return readKey(request.headers.get("idempotency-key"), bodyKey, route.key === "required");
}
