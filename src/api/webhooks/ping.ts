/**
 * Events outside the journal: pings, which verify an endpoint, and tests. They have the shape of
 * all others and are signed like them; their `seq` is null.
 */
import { type Static, Type } from "@sinclair/typebox";
import { instantIso } from "../../../engine/core/calendar.ts";
import { deriveId } from "../../../engine/core/ids.ts";
import {
  EVENTS_API_VERSION,
  type EventSubject,
  PUBLIC_KINDS,
} from "../../../engine/core/public-events.ts";
import { pingMessage } from "../../../jobs/webhooks/send/ota.ts";
import { type SentBody, sendOnce } from "../../../jobs/webhooks/send/send.ts";
import type { SentAttempt } from "../../../jobs/webhooks/store/delivery.ts";
import type { ControlStore } from "../../access/control/store.ts";
import {
  changeEndpoint,
  endpointById,
  openEndpoint,
  type Ping,
  type Standing,
  type StoredEndpoint,
} from "../../access/control/webhook-endpoints.ts";
import { invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { type ControlOutcome, controlFollowUp, controlWrite } from "../../http/control-write.ts";
import { closed, oneOf } from "../../http/schema/request-parts.ts";
import { randomHex } from "../../lib/trace.ts";
import { EVENT_EXAMPLES } from "../events/kinds.ts";
import { type AtEndpoint, endpointToChange } from "./records.ts";

/** The caller waits for it, so it is shorter than the timeout of a delivery. */
const SEND_MS_MAX = 5_000;

/** State of an endpoint before its ping succeeds; `resume` can repeat the ping. */
export const AWAITING_PING: Standing = { state: "paused", reason: "ping_pending" };
/**
 * State after a successful ping; endpoints of messages start in it, since partners take no ping.
 */
export const ACTIVE: Standing = { state: "active", reason: null };

/** Kind and subject of the event. */
export interface TestMessage {
  readonly type: string;
  /** Marks a test for receivers: the event has not happened. */
  readonly test?: true;
  readonly subject: EventSubject;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Result of sending such an event. */
interface SentUnlisted {
  readonly event_id: string;
  readonly attempt: SentAttempt;
}

/** Sends such an event once, like a delivery. */
function sendUnlisted(
  call: Call,
  stored: StoredEndpoint,
  { type, subject, data, ...marked }: TestMessage,
): Promise<SentUnlisted> {
  const { tenant_id, mode } = call.principal;
  return sendNow(call, stored, (id, stampMs) => ({
    id,
    body: JSON.stringify({
      ...{ id, type, timestamp: instantIso(stampMs), api_version: EVENTS_API_VERSION },
      ...{ tenant_id, mode, seq: null, prev_seq: null, ...marked, subject, data },
    }),
  }));
}

/** Sends the ping of OpenTravel. */
export function sendMessage(call: Call, stored: StoredEndpoint): Promise<SentUnlisted> {
  return sendNow(call, stored, (id, stampMs) => pingMessage(id, stampMs));
}

async function sendNow(
  { context }: Call,
  stored: StoredEndpoint,
  bodyOf: (id: string, stampMs: number) => SentBody,
): Promise<SentUnlisted> {
  const { config, keys } = context;
  const stampMs = context.engineNow();
  const event_id = deriveId("evt", stampMs, randomHex(16));
  const endpoint = openEndpoint(keys.encryption, stored, context.now());
  const terms = { allowPrivate: config.webhooksAllowPrivate, timeoutMs: SEND_MS_MAX };
  return { event_id, attempt: await sendOnce(endpoint, bodyOf(event_id, stampMs), terms) };
}

/** The endpoint as the subject of its own events. */
function ofItself({ endpoint_id, version }: StoredEndpoint): Omit<TestMessage, "type"> {
  return {
    subject: { type: "webhook_endpoint", id: endpoint_id, version },
    data: { endpoint_id },
  };
}

/** An endpoint after a write, and whether it must answer a ping. */
interface Written {
  readonly ok: true;
  readonly endpoint: StoredEndpoint;
  readonly isPinged: boolean;
}

/**
 * Answers a write after which an endpoint may have to be pinged. The ping is sent once the write is
 * committed, and settles whether the endpoint is active; a crash in between leaves it awaiting.
 */
export async function pingedWrite(
  call: Call,
  work: (store: ControlStore) => Written | Refusal,
  shown: (endpoint: StoredEndpoint) => Success,
): Promise<ControlOutcome> {
  const pinged: StoredEndpoint[] = [];
  const first = await controlWrite(call, (store) => {
    const written = work(store);
    if (!written.ok) return written;
    if (written.isPinged) pinged.push(written.endpoint);
    return shown(written.endpoint);
  });
  const [endpoint] = pinged;
  if (!first.ok || !endpoint) return first;
  const event = { type: "webhook.ping", ...ofItself(endpoint) };
  const { attempt } = await sendUnlisted(call, endpoint, event);
  const { ok, reason, status } = attempt;
  const ping: Ping = { ok, reason, status, at: instantIso(call.context.now()) };
  return controlFollowUp(call, first, (store) => settle(store, endpoint, ping, shown));
}

function settle(
  store: ControlStore,
  { endpoint_id, url }: StoredEndpoint,
  ping: Ping,
  shown: (endpoint: StoredEndpoint) => Success,
): ControlOutcome {
  const now = endpointById(store, endpoint_id);
  if (now === null) return refuse("webhook_endpoint_not_found", { endpoint_id });
  // A concurrent change of the address pings the new one.
  if (now.url === url) changeEndpoint(store, endpoint_id, { ping, ...settled(now, ping) });
  return shown(endpointById(store, endpoint_id)!);
}

/** No change if it was paused or disabled meanwhile. */
function settled({ state, reason }: StoredEndpoint, ping: Ping): Standing | Record<string, never> {
  if (state !== AWAITING_PING.state || reason !== AWAITING_PING.reason) return {};
  if (ping.ok) return ACTIVE;
  return { state: "paused", reason: "ping_failed" };
}

/** The kind that exists only for tests. */
const TEST_KIND = "webhook.test";

/** A partner would act on an example message. */
const NO_EXAMPLE = {
  path: "/kind",
  message: "cannot be sent to an endpoint of this format",
  expected: `${TEST_KIND}, or nothing`,
};

export const TestBody = closed({
  kind: Type.Optional(oneOf([TEST_KIND, ...PUBLIC_KINDS])),
});
type TestRequest = Static<typeof TestBody>;

/**
 * Handler that sends a test regardless of the endpoint's state and filters; 502 if the receiver did
 * not accept it. Nothing is stored, so every call sends it again.
 */
export async function test(call: AtEndpoint<TestRequest>): Promise<Success | Refusal> {
  const found = endpointToChange(call, call.context.store);
  if (!found.ok) return found;
  const { endpoint } = found;
  const { kind = TEST_KIND } = call.body;
  if (endpoint.format !== "json" && kind !== TEST_KIND) return invalid([NO_EXAMPLE]);
  const about = kind === TEST_KIND ? ofItself(endpoint) : EVENT_EXAMPLES[kind];
  const message: TestMessage = { type: kind, subject: about.subject, data: about.data, test: true };
  const { event_id, attempt } =
    endpoint.format === "json"
      ? await sendUnlisted(call, endpoint, message)
      : await sendMessage(call, endpoint);
  const { retry_after_s: _later, ...shown } = attempt;
  const { endpoint_id } = endpoint;
  if (attempt.ok) return { ok: true, data: { endpoint_id, event_id, kind, ...shown } };
  const { ok: _failed, reason, status, ...sent } = shown;
  const detail = { endpoint_id, reason, status, attempt: { event_id, kind, ...sent } };
  return refuse("notification_delivery_failed", detail);
}
