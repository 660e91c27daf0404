/**
 * `/v1/admin/delegation-issuers`: issuers of travelers' tokens. They belong to a
 * tenant and a mode: operators see and change those of their own mode.
 */
import { instantIso } from "../../../engine/core/calendar.ts";
import { isOwnIssuer } from "../../access/auth/delegation.ts";
import { traceDelegation } from "../../access/auth/delegation-trace.ts";
import {
  addIssuer,
  changeIssuer,
  findIssuer,
  type Issuer,
  type IssuerChange,
  type IssuerStatus,
  issuerByName,
  listIssuers,
} from "../../access/control/issuers.ts";
import { writeNotice } from "../../access/control/notices.ts";
import type { ControlStore } from "../../access/control/store.ts";
import { action, type NextAction, permitted } from "../../actions/next-action.ts";
import { invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import {
  type ControlOutcome,
  causeOf,
  controlWrite,
  type Ending,
} from "../../http/control-write.ts";
import { versionMismatch } from "../../http/if-match.ts";
import { route } from "../../http/route.ts";
import { EmptyBody } from "../../http/schema/request-parts.ts";
import { type FieldError, json } from "../../http/validate.ts";
import { pathId } from "../parameters.ts";
import {
  IssuerPatchBody,
  type IssuerPatchRequest,
  type IssuerRequest,
  IssuerTestBody,
  NewIssuer,
  sourceProblems,
} from "./requests.ts";
import { Issuer as IssuerAnswer, IssuerList, IssuerTest } from "./responses.ts";

const ACCESS = {
  kinds: ["operator"],
  scope: "admin:delegation-issuers",
  touches: "tenant",
} as const;
const PATH = "/v1/admin/delegation-issuers";

/** The service's own tokens identify callers and carry no consent. */
const OWN_ISSUER: FieldError = {
  path: "/iss",
  message: "is the issuer of this service",
  expected: "another issuer, which signs for travelers",
};

type AtIssuer<B = unknown> = Call<B, "id">;

/** An issuer on the wire; its tenant and mode are the caller's. */
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

/** The issuer of the path, or the refusal; unknown and foreign ids have the same answer. */
function issuerOfPath(
  call: AtIssuer,
  store: ControlStore,
): { readonly ok: true; readonly issuer: Issuer } | Refusal {
  const { id: issuer_id } = call.params;
  const issuer = findIssuer(store, call.principal, issuer_id);
  if (issuer) return { ok: true, issuer };
  return refuse("delegation_issuer_not_found", { issuer_id });
}

function create(call: Call<IssuerRequest>): Promise<ControlOutcome> {
  const { idempotency_key: _key, jwks, jwks_url, ...terms } = call.body;
  const { context, principal } = call;
  const { config } = context;
  return controlWrite(call, (store) => {
    const rules = { isRequired: true, allowPrivate: config.webhooksAllowPrivate };
    const problems = sourceProblems({ jwks, jwks_url }, rules);
    if (isOwnIssuer(config, terms.iss)) problems.unshift(OWN_ISSUER);
    if (problems.length > 0) return invalid(problems);
    const known = issuerByName(store, principal, terms.iss);
    if (known) {
      const detail = { reason: "iss_taken", issuer_id: known.issuer_id };
      return refuse("conflict", detail);
    }
    const source = jwks ? { jwks } : { jwks_url: jwks_url! };
    const audiences = { allowed_audiences: [config.platformAudience] };
    const issuerId = addIssuer(store, principal, { ...audiences, ...terms, ...source })!;
    const data = issuerOut(findIssuer(store, principal, issuerId)!);
    return { ok: true, status: 201, data, actions: actionsAt(call, issuerId) };
  });
}

function list(call: Call): Success {
  const items = listIssuers(call.context.store, call.principal).map(issuerOut);
  return { ok: true, data: { items } };
}

function show(call: AtIssuer): Success | Refusal {
  const found = issuerOfPath(call, call.context.store);
  return found.ok ? { ok: true, data: issuerOut(found.issuer) } : found;
}

function applyChange(
  call: Call,
  store: ControlStore,
  issuer: Issuer,
  change: IssuerChange,
  ending: Ending,
): ControlOutcome {
  const { issuer_id, status } = issuer;
  if (status === "revoked") {
    return refuse("conflict", { reason: "revoked", issuer_id });
  }
  const isEnded = change.status !== undefined && change.status !== "active";
  if (isEnded) ending({ kind: "issuer", id: issuer_id });
  if (Object.keys(change).length > 0) changeIssuer(store, issuer_id, change);
  if (change.status !== undefined) {
    const data = { issuer_id, iss: issuer.iss, status: change.status, previous_status: status };
    writeNotice(store, causeOf(call), { type: "delegation_issuer.status_changed", data });
  }
  const data = issuerOut(findIssuer(store, call.principal, issuer_id)!);
  return { ok: true, data, actions: actionsAt(call, issuer_id) };
}

function patch(call: AtIssuer<IssuerPatchRequest>): Promise<ControlOutcome> {
  const { idempotency_key: _key, ...change } = call.body;
  return controlWrite(call, (store, ending) => {
    const found = issuerOfPath(call, store);
    if (!found.ok) return found;
    const { issuer_id, version } = found.issuer;
    const stale = versionMismatch(call.seenVersion, version, { issuer_id });
    if (stale) return stale;
    const { webhooksAllowPrivate: allowPrivate } = call.context.config;
    const problems = sourceProblems(change, { isRequired: false, allowPrivate });
    if (problems.length > 0) return invalid(problems);
    return applyChange(call, store, found.issuer, change, ending);
  });
}

/** Handler that sets the issuer's status; idempotent. */
function become(status: IssuerStatus) {
  return (call: AtIssuer): Promise<ControlOutcome> =>
    controlWrite(call, (store, ending) => {
      const found = issuerOfPath(call, store);
      if (!found.ok) return found;
      const { issuer } = found;
      if (issuer.status !== status) return applyChange(call, store, issuer, { status }, ending);
      return { ok: true, data: issuerOut(issuer), actions: actionsAt(call, issuer.issuer_id) };
    });
}

/** Result of verifying a token as for a booking; nothing is stored. */
async function test(call: AtIssuer<{ readonly token: string }>): Promise<Success | Refusal> {
  const { store, control, config, now } = call.context;
  const found = issuerOfPath(call, store);
  if (!found.ok) return found;
  const { issuer_id, iss } = found.issuer;
  control.refresh();
  const known = control.issuer(call.principal, iss);
  const trace = await traceDelegation({
    token: call.body.token,
    realm: call.principal,
    platform: config,
    view: control,
    // The view's record has the keys.
    issuer: known?.issuer_id === issuer_id ? known : found.issuer,
    nowMs: now(),
  });
  return { ok: true, data: { issuer_id, ...trace } };
}

const ISSUERS = { tag: "Access administration", access: ACCESS } as const;
const AT_ISSUER = {
  ...ISSUERS,
  path: `${PATH}/:id`,
  params: { id: pathId("Id of the issuer.") },
  success: { status: 200, description: "The issuer.", data: IssuerAnswer },
  errors: ["delegation_issuer_not_found", "conflict"],
} as const;
/** One that says all in its path. */
const STEP = {
  ...AT_ISSUER,
  method: "POST",
  key: "accepted",
  body: json(EmptyBody),
  isBodyOptional: true,
} as const;

export const issuerRoutes = [
  route({
    ...ISSUERS,
    id: "list_issuers",
    method: "GET",
    path: PATH,
    summary: "List the delegation issuers",
    description: "All issuers of the tenant in the caller's mode; complete.",
    success: { status: 200, description: "The issuers, newest first.", data: IssuerList },
    errors: [],
    handle: list,
  }),
  route({
    ...ISSUERS,
    id: "create_issuer",
    method: "POST",
    path: PATH,
    summary: "Register a delegation issuer",
    description: "With its keys: exactly one of `jwks_url` and `jwks`.",
    key: "accepted",
    body: NewIssuer,
    success: { status: 201, description: "The issuer.", data: IssuerAnswer },
    errors: ["conflict"],
    handle: create,
  }),
  route({
    ...AT_ISSUER,
    id: "get_issuer",
    method: "GET",
    summary: "Get a delegation issuer",
    description: "The registered issuer.",
    errors: ["delegation_issuer_not_found"],
    handle: show,
  }),
  route({
    ...AT_ISSUER,
    id: "update_issuer",
    method: "PATCH",
    summary: "Change a delegation issuer",
    description: "Omitted fields stay.",
    key: "accepted",
    takesIfMatch: true,
    body: json(IssuerPatchBody),
    handle: patch,
  }),
  route({
    ...AT_ISSUER,
    id: "delete_issuer",
    method: "DELETE",
    summary: "Revoke a delegation issuer",
    description: "The same as `revoke_issuer`.",
    key: "accepted",
    body: json(EmptyBody),
    isBodyOptional: true,
    handle: become("revoked"),
  }),
  route({
    ...STEP,
    id: "suspend_issuer",
    path: `${PATH}/:id/suspend`,
    summary: "Suspend a delegation issuer",
    description: "Its tokens are refused until it is activated again.",
    handle: become("suspended"),
  }),
  route({
    ...STEP,
    id: "activate_issuer",
    path: `${PATH}/:id/activate`,
    summary: "Activate a delegation issuer",
    description: "Its tokens are accepted again.",
    handle: become("active"),
  }),
  route({
    ...STEP,
    id: "revoke_issuer",
    path: `${PATH}/:id/revoke`,
    summary: "Revoke a delegation issuer",
    description:
      "Its tokens are refused permanently. The `iss` can be registered again, with other keys.",
    handle: become("revoked"),
  }),
  route({
    ...AT_ISSUER,
    id: "test_issuer",
    method: "POST",
    path: `${PATH}/:id/test`,
    summary: "Test a token of a delegation issuer",
    description:
      "The checks that the token passes, and the one that fails, with its reason. Nothing is " +
      "stored.",
    body: json(IssuerTestBody),
    success: { status: 200, description: "The checks.", data: IssuerTest },
    errors: ["delegation_issuer_not_found"],
    handle: test,
  }),
];
