/** Creates and changes webhook endpoints and their secrets. */
import type { Format, OtaTerms } from "../../../jobs/webhooks/endpoint.ts";
import type { ControlStore } from "../../access/control/store.ts";
import {
  addEndpoint,
  changeEndpoint,
  type EndpointChange,
  type EndpointTerms,
  encryptHeaders,
  endpointById,
  listEndpoints,
  newSecret,
  type StoredEndpoint,
} from "../../access/control/webhook-endpoints.ts";
import { invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { type ControlOutcome, controlWrite } from "../../http/control-write.ts";
import { versionMismatch } from "../../http/if-match.ts";
import type { FieldError } from "../../http/validate.ts";
import { grantFaults, namedProperties } from "../agents/grants.ts";
import { ACTIVE, AWAITING_PING, pingedWrite } from "./ping.ts";
import { type AtEndpoint, endpointRightsRefusal, endpointToChange, shownTo } from "./records.ts";
import {
  ALL_KINDS,
  type EndpointPatchRequest,
  type EndpointRequest,
  endpointProblems,
  MASK,
  type RotateSecretRequest,
} from "./requests.ts";

/** Per tenant and mode. */
const ENDPOINTS_MAX = 50;
/** Every delivery carries one signature per secret. */
const SECRETS_MAX = 4;
const OVERLAP_S = 86_400;

/** As stored under the idempotency key: only the first answer shows the secret. */
function withoutSecret(shown: Success): Success {
  const secret_note =
    "Shown once, in the first answer to this idempotency key. If it is lost, rotate the secret.";
  return { ...shown, data: { ...shown.data, secret: null, secret_note } };
}

/** The first answer, with its new secret; a replay has none. */
function withSecret(outcome: ControlOutcome, secret: string): ControlOutcome {
  if (!outcome.ok || secret === "") return outcome;
  const { secret_note: _note, ...data } = outcome.data;
  return { ...outcome, data: { ...data, secret } };
}

/** Errors and missing rights of an endpoint's new terms. */
function termsRefusal(
  call: Call,
  body: EndpointPatchRequest,
  rights: Pick<StoredEndpoint, "format" | "scopes" | "property_ids">,
): Refusal | null {
  const faults = [
    ...endpointProblems(body, rights.format, call.context.config.webhooksAllowPrivate),
    ...(body.property_ids === undefined ? [] : grantFaults(call, "operator", rights)),
  ];
  return faults.length > 0 ? invalid(faults) : endpointRightsRefusal(call, rights);
}

function kindsOf(events: readonly string[]): readonly string[] | null {
  return events.includes(ALL_KINDS) ? null : events;
}

/** Settings of messages; null for endpoints that receive events. */
function otaOf(format: Format, { ota }: EndpointPatchRequest): OtaTerms | null {
  return format === "json" ? null : { requestor_id: ota?.requestor_id ?? null };
}

/** A new endpoint's terms; by default its properties are those of the credential. */
function newTerms(call: Call<EndpointRequest>): EndpointTerms {
  const { url, format = "json", events = [], description = null, subjects = null } = call.body;
  const { property_ids: named, scopes = [], max_in_flight = 10, max_per_s = null } = call.body;
  const { ordering = format === "json" ? "none" : "per_subject" } = call.body;
  const own = call.principal.property_ids;
  const property_ids = named === undefined ? own && [...own] : namedProperties(call, named);
  return {
    ...{ url, format, ota: otaOf(format, call.body), description, kinds: kindsOf(events) },
    ...{ property_ids, subjects, scopes, max_in_flight, max_per_s, ordering },
  };
}

/** Handler that creates an endpoint; it becomes active if the ping succeeds. */
export async function create(call: Call<EndpointRequest>): Promise<ControlOutcome> {
  const { principal, context, body } = call;
  const terms = newTerms(call);
  const { row: after_row } = context.replica.head;
  let secret = "";
  const outcome = await pingedWrite(
    call,
    (store) => {
      const refused = termsRefusal(call, body, terms);
      if (refused) return refused;
      if (listEndpoints(store, principal).length >= ENDPOINTS_MAX) {
        return refuse("conflict", { reason: "endpoint_limit", limit: ENDPOINTS_MAX });
      }
      const { headers = {} } = body;
      const all = { ...terms, headers, after_row };
      const made = addEndpoint(store, context.keys.encryption, principal, all, context.now());
      secret = made.secret;
      const isPinged = terms.format === "json";
      if (!isPinged) changeEndpoint(store, made.endpoint_id, ACTIVE);
      return { ok: true, endpoint: endpointById(store, made.endpoint_id)!, isPinged };
    },
    (endpoint) => ({ ...withoutSecret(shownTo(call, endpoint)), status: 201 }),
  );
  return withSecret(outcome, secret);
}

/** The own headers of a change; a masked value keeps the stored one. */
function headersOf(call: Call, { endpoint_id, headers: stored }: StoredEndpoint, sent: Headers) {
  const known = new Map(Object.entries(stored).map(([name, each]) => [name.toLowerCase(), each]));
  const fresh = Object.entries(sent).filter(([name, value]) => {
    return value !== MASK || !known.has(name.toLowerCase());
  });
  const { encryption } = call.context.keys;
  // A header may have the name of an inherited property.
  const encrypted = new Map(
    Object.entries(encryptHeaders(encryption, endpoint_id, Object.fromEntries(fresh))),
  );
  return Object.fromEntries(
    Object.keys(sent).map((name) => [name, encrypted.get(name) ?? known.get(name.toLowerCase())!]),
  );
}
type Headers = Readonly<Record<string, string>>;

/**
 * Stored headers may not be sent to another origin: their values are masked in answers, and a
 * caller could read them by changing the address.
 */
function carriedProblems(
  { url, headers: stored }: StoredEndpoint,
  { url: to = url, headers: sent }: EndpointPatchRequest,
): FieldError[] {
  if (new URL(to).origin === new URL(url).origin) return [];
  const isCarried = sent ? Object.values(sent).includes(MASK) : Object.keys(stored).length > 0;
  if (!isCarried) return [];
  const expected = "all values again, or {} for none";
  return [{ path: "/headers", message: "are not kept for another origin", expected }];
}

function changeOf(call: Call<EndpointPatchRequest>, endpoint: StoredEndpoint): EndpointChange {
  const { idempotency_key: _key, events, property_ids, headers, ota, ...others } = call.body;
  const isMoved = others.url !== undefined && others.url !== endpoint.url;
  const isPinged = isMoved && endpoint.format === "json";
  const awaits = isPinged && endpoint.state !== "disabled" && endpoint.reason !== "operator";
  return {
    ...others,
    ...(events && { kinds: kindsOf(events) }),
    ...(ota !== undefined && { ota: otaOf(endpoint.format, { ota }) }),
    ...(property_ids !== undefined && { property_ids: namedProperties(call, property_ids) }),
    ...(headers && { headers: headersOf(call, endpoint, headers) }),
    ...(isMoved && { ping: null }),
    ...(awaits && AWAITING_PING),
  };
}

/** Handler that changes an endpoint; a new address must answer a ping. */
export function patch(call: AtEndpoint<EndpointPatchRequest>): Promise<ControlOutcome> {
  return pingedWrite(
    call,
    (store) => {
      const found = endpointToChange(call, store);
      if (!found.ok) return found;
      const { endpoint_id, version, url } = found.endpoint;
      const stale = versionMismatch(call.seenVersion, version, { endpoint_id });
      if (stale) return stale;
      const change = changeOf(call, found.endpoint);
      const refused = termsRefusal(call, call.body, { ...found.endpoint, ...change });
      if (refused) return refused;
      const carried = carriedProblems(found.endpoint, call.body);
      if (carried.length > 0) return invalid(carried);
      if (Object.keys(change).length > 0) changeEndpoint(store, endpoint_id, change);
      const endpoint = endpointById(store, endpoint_id)!;
      return { ok: true, endpoint, isPinged: endpoint.url !== url && endpoint.format === "json" };
    },
    (endpoint) => shownTo(call, endpoint),
  );
}

/** Handler that rotates the secret; the previous one keeps signing for a while. */
export async function rotateSecret(call: AtEndpoint<RotateSecretRequest>): Promise<ControlOutcome> {
  const overlapMs = (call.body.overlap_s ?? OVERLAP_S) * 1000;
  let secret = "";
  const outcome = await controlWrite(call, (store) => {
    const found = endpointToChange(call, store);
    if (!found.ok) return found;
    const rotated = rotation(call, store, found.endpoint, overlapMs);
    if (!rotated.ok) return rotated;
    secret = rotated.secret;
    const endpoint = endpointById(store, found.endpoint.endpoint_id)!;
    return { ...withoutSecret(shownTo(call, endpoint)), status: 201 };
  });
  return withSecret(outcome, secret);
}

function rotation(
  { context }: Call,
  store: ControlStore,
  { endpoint_id, secrets }: StoredEndpoint,
  overlapMs: number,
): { readonly ok: true; readonly secret: string } | Refusal {
  const nowMs = context.now();
  const retireMs = nowMs + overlapMs;
  const retiring = secrets
    .map((each) => ({ ...each, retire_at: Math.min(each.retire_at ?? Infinity, retireMs) }))
    .filter(({ retire_at }) => nowMs < retire_at);
  if (retiring.length >= SECRETS_MAX) {
    return refuse("conflict", { reason: "secrets_overlap", limit: SECRETS_MAX, endpoint_id });
  }
  const { secret, kept } = newSecret(context.keys.encryption, endpoint_id, nowMs);
  changeEndpoint(store, endpoint_id, { secrets: [kept, ...retiring] });
  return { ok: true, secret };
}
