/**
 * `/v1/admin/delegation-issuers` (domain §12): who may vouch for travelers. Issuers belong to the
 * tenant; its operators of both modes see the same ones.
 */
import { instantIso } from "../../../engine/core/calendar.ts";
import { traceDelegation } from "../../auth/delegation-trace.ts";
import {
  addIssuer,
  changeIssuer,
  findIssuer,
  type Issuer,
  type IssuerChange,
  type IssuerStatus,
  issuerByName,
  listIssuers,
} from "../../control/issuers.ts";
import { writeNotice } from "../../control/notices.ts";
import type { ControlStore } from "../../control/store.ts";
import type { Call, ProtectedRoute } from "../../http/call.ts";
import {
  type ControlOutcome,
  type ControlRefusal,
  causeOf,
  controlWrite,
  invalidInput,
} from "../../http/control-call.ts";
import type { NextAction } from "../../http/envelope.ts";
import { readIfMatch, versionMismatch } from "../../http/if-match.ts";
import { action, permitted } from "../../http/next-actions.ts";
import { bad, good, invalid } from "../../http/respond.ts";
import { checkEmpty } from "../bookings/schemas.ts";
import {
  checkIssuer,
  checkIssuerPatch,
  checkIssuerTest,
  type IssuerPatchRequest,
  type IssuerRequest,
  type IssuerTestRequest,
  sourceProblems,
} from "./schemas.ts";

const ACCESS = { kinds: ["operator"], scope: "admin:delegation-issuers" } as const;
const PATH = "/v1/admin/delegation-issuers";

/** An issuer on the wire; its tenant is the caller's. */
function issuerOut(issuer: Issuer) {
  const { issuer_id, iss, name, status, jwks_url, jwks, version } = issuer;
  const { allowed_audiences, allowed_algs, max_ttl_s, clock_skew_s, created_at } = issuer;
  return {
    ...{ issuer_id, iss, name, status, jwks_url, jwks },
    ...{ allowed_audiences, allowed_algs, max_ttl_s, clock_skew_s },
    created_at: instantIso(created_at),
    version,
  };
}

function actionsAt(call: Call, issuerId: string): NextAction[] {
  return permitted([action("get", "GET", `${PATH}/${issuerId}`)], call.may);
}

/** The tenant's issuer of the path, or the refusal: unknown and foreign ids answer alike. */
function issuerOfPath(
  call: Call,
  store: ControlStore,
): { readonly ok: true; readonly issuer: Issuer } | ControlRefusal {
  const issuer_id = call.params.id ?? "";
  const issuer = findIssuer(store, call.principal.tenant_id, issuer_id);
  if (issuer) return { ok: true, issuer };
  return { ok: false, code: "delegation_issuer_not_found", detail: { issuer_id } };
}

function create(call: Call): Promise<Response> {
  const { idempotency_key: _key, jwks, jwks_url, ...terms } = call.body as IssuerRequest;
  const { tenant_id } = call.principal;
  const { config } = call.deps;
  return controlWrite(call, (store) => {
    const rules = { isRequired: true, allowPrivate: config.webhooksAllowPrivate };
    const problems = sourceProblems({ jwks, jwks_url }, rules);
    if (problems.length > 0) return invalidInput(problems);
    const known = issuerByName(store, tenant_id, terms.iss);
    if (known) {
      const detail = { reason: "iss_taken", issuer_id: known.issuer_id };
      return { ok: false, code: "conflict", detail };
    }
    const source = jwks ? { jwks } : { jwks_url: jwks_url! };
    const audiences = { allowed_audiences: [config.platformAudience] };
    const issuerId = addIssuer(store, tenant_id, { ...audiences, ...terms, ...source })!;
    const data = issuerOut(findIssuer(store, tenant_id, issuerId)!);
    return { ok: true, status: 201, data, actions: actionsAt(call, issuerId) };
  });
}

function list(call: Call): Response {
  const items = listIssuers(call.deps.store, call.principal.tenant_id).map(issuerOut);
  return good(call, { data: { items } });
}

function show(call: Call): Response {
  const found = issuerOfPath(call, call.deps.store);
  return found.ok ? good(call, { data: issuerOut(found.issuer) }) : bad(call, found);
}

function applyChange(
  call: Call,
  store: ControlStore,
  issuer: Issuer,
  change: IssuerChange,
): ControlOutcome {
  const { issuer_id, status } = issuer;
  if (status === "revoked") {
    return { ok: false, code: "conflict", detail: { reason: "revoked", issuer_id } };
  }
  if (Object.keys(change).length > 0) changeIssuer(store, issuer_id, change);
  if (change.status !== undefined) {
    const data = { issuer_id, iss: issuer.iss, status: change.status, previous_status: status };
    writeNotice(store, causeOf(call), { type: "delegation_issuer.status_changed", data });
  }
  const data = issuerOut(findIssuer(store, call.principal.tenant_id, issuer_id)!);
  return { ok: true, data, actions: actionsAt(call, issuer_id) };
}

function patch(call: Call): Response | Promise<Response> {
  const { idempotency_key: _key, ...change } = call.body as IssuerPatchRequest;
  const seen = readIfMatch(call.request);
  if (!seen.ok) return invalid(call, seen.errors);
  return controlWrite(call, (store) => {
    const found = issuerOfPath(call, store);
    if (!found.ok) return found;
    const { issuer_id, version } = found.issuer;
    const stale = versionMismatch(seen.version, version, { issuer_id });
    if (stale) return stale;
    const { webhooksAllowPrivate: allowPrivate } = call.deps.config;
    const problems = sourceProblems(change, { isRequired: false, allowPrivate });
    if (problems.length > 0) return invalidInput(problems);
    return applyChange(call, store, found.issuer, change);
  });
}

/** Handler that puts the issuer into a status; one that it has already is no change. */
function become(status: IssuerStatus) {
  return (call: Call): Promise<Response> =>
    controlWrite(call, (store) => {
      const found = issuerOfPath(call, store);
      if (!found.ok) return found;
      const { issuer } = found;
      if (issuer.status !== status) return applyChange(call, store, issuer, { status });
      return { ok: true, data: issuerOut(issuer), actions: actionsAt(call, issuer.issuer_id) };
    });
}

/** What a booking with this token would be told; nothing is kept. */
async function test(call: Call): Promise<Response> {
  const { store, control, config, now } = call.deps;
  const found = issuerOfPath(call, store);
  if (!found.ok) return bad(call, found);
  const { tenant_id } = call.principal;
  control.refresh();
  const trace = await traceDelegation({
    token: (call.body as IssuerTestRequest).token,
    tenantId: tenant_id,
    audience: config.platformAudience,
    view: control,
    // The view's own record of it has its keys at hand.
    issuer: control.issuer(tenant_id, found.issuer.iss) ?? found.issuer,
    nowMs: now(),
  });
  return good(call, { data: { issuer_id: found.issuer.issuer_id, ...trace } });
}

const WRITE = { access: ACCESS, reads: "json", key: "accepted" } as const;
const AT = `${PATH}/:id`;
const EMPTY = { ...WRITE, method: "POST", check: checkEmpty, isBodyOptional: true } as const;

export const adminIssuerRoutes: readonly ProtectedRoute[] = [
  { method: "GET", path: PATH, access: ACCESS, handle: list },
  { ...WRITE, method: "POST", path: PATH, check: checkIssuer, handle: create },
  { method: "GET", path: AT, access: ACCESS, handle: show },
  { ...WRITE, method: "PATCH", path: AT, check: checkIssuerPatch, handle: patch },
  {
    method: "DELETE",
    path: AT,
    access: ACCESS,
    key: "accepted",
    handle: become("revoked"),
  },
  { ...EMPTY, path: `${AT}/suspend`, handle: become("suspended") },
  { ...EMPTY, path: `${AT}/activate`, handle: become("active") },
  { ...EMPTY, path: `${AT}/revoke`, handle: become("revoked") },
  {
    method: "POST",
    path: `${AT}/test`,
    access: ACCESS,
    reads: "json",
    check: checkIssuerTest,
    handle: test,
  },
];
