/**
 * One attempt: an event, signed and sent to the endpoint's current address. The status of the
 * answer decides the result; for partner messages also the body.
 */
import { createHmac, randomBytes } from "node:crypto";
import { SYSTEM_TIME } from "../../../engine/log/system-time.ts";
import type { GuardTerms } from "../../net/address-guard.ts";
import {
  guardedRequest,
  type RequestFailure,
  type RequestTerms,
} from "../../net/guarded-request.ts";
import type { Endpoint } from "../endpoint.ts";
import { type Reason, reasonOfStatus, type SentAttempt } from "../store/delivery.ts";
import {
  answerOf,
  EXCERPT_TERMS,
  excerptOf,
  type Headers,
  type Judged,
  judge,
  masked,
  SEND_MS_MAX,
  secretsIn,
  VERDICT_TERMS,
} from "./answer.ts";

const NOT_KEPT = "(not kept: the event names a guest)";
const SECRET_PREFIX = "whsec_";

/** Header: `webhook-id` of the subject's previous event, if it is a dead letter. */
export const AFTER_DEAD_LETTER = "innkeep-after-dead-letter";

export type Addressee = Pick<Endpoint, "url" | "headers" | "secrets">;

export interface SendTerms
  extends GuardTerms,
    Pick<RequestTerms, "resolve" | "connections" | "signal"> {
  /** Default: `SEND_MS_MAX`. */
  readonly timeoutMs?: number;
}

/** The payload. `id` is the `webhook-id`, equal in every attempt. */
export interface SentBody {
  readonly id: string;
  readonly body: string;
  /** Default: JSON. */
  readonly contentType?: string;
  /** Whether the body of a 2xx answer says success. Default: always. */
  readonly isTaken?: (answer: string) => boolean;
  /** With `per_subject`: `webhook-id` of the subject's previous event, if it is a dead letter. */
  readonly afterDeadLetter?: string | null;
  /** The journal of the event, as in pulls and streams. */
  readonly journalId?: string;
  /** True for guest data: receivers may echo it, so nothing of the answer is stored. */
  readonly isConfidential?: boolean;
}

const NO_ANSWER = { status: null, response_headers: {}, retry_after_s: null } as const;

/** Sends once. Never throws. */
export async function sendOnce(
  addressee: Addressee,
  sent: SentBody,
  { timeoutMs = SEND_MS_MAX, ...terms }: SendTerms,
): Promise<SentAttempt> {
  const startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  const request_id = `req_${randomBytes(12).toString("hex")}`;
  const headers = headersOf(addressee, sent, request_id);
  const secrets = secretsIn(headers, addressee.headers);
  let judged: Judged | null = null;
  let excerpt = "";
  let isTaken = sent.isTaken === undefined;
  const outcome = await guardedRequest(
    addressee.url,
    { method: "POST", headers, body: sent.body },
    { ...terms, timeoutMs },
    async (response) => {
      judged = judge(response, elapsedMs(), secrets);
      const answer = await answerOf(response, sent.isTaken ? VERDICT_TERMS : EXCERPT_TERMS);
      excerpt = sent.isConfidential ? NOT_KEPT : excerptOf(answer, secrets);
      isTaken = sent.isTaken?.(answer) ?? true;
    },
  );
  // Known as soon as the headers arrive, even if the body is cut off or too slow.
  const head = judged as Judged | null;
  const answered = head ? reasonOfStatus(head.status!) : failureOf(outcome);
  const reason = answered === null && !isTaken ? "invalid_answer" : answered;
  return {
    ...{ ok: reason === null, reason, latency_ms: elapsedMs(), ...(head ?? NO_ANSWER) },
    ...{ address: outcome.address, request_id, excerpt },
    ...(sent.isConfidential && { response_headers: {} }),
    request_headers: masked(headers, secrets, addressee.headers),
  };
}

/** The tenant's headers come first, so they cannot replace ours. */
function headersOf({ headers, secrets }: Addressee, sent: SentBody, requestId: string) {
  const { id, body, contentType = "application/json", afterDeadLetter, journalId } = sent;
  const timestampS = Math.floor(SYSTEM_TIME.wallMs() / 1000);
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...(Object.fromEntries(own) as Headers),
    "content-type": contentType,
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": "Innkeep-Webhooks",
    "x-request-id": requestId,
    ...(journalId && { "innkeep-journal-id": journalId }),
    ...(afterDeadLetter && { [AFTER_DEAD_LETTER]: afterDeadLetter }),
    // The body decides, so it must not be compressed.
    ...(sent.isTaken && { "accept-encoding": "identity" }),
    "webhook-id": id,
    "webhook-timestamp": String(timestampS),
    "webhook-signature": signatureOf(secrets, { id, timestampS, body }),
  };
}

function failureOf(outcome: { ok: true } | { ok: false; reason: RequestFailure }): Reason {
  if (outcome.ok) throw new Error("request succeeded without an answer");
  return outcome.reason === "broken" ? "invalid_answer" : outcome.reason;
}

/**
 * The `webhook-signature` header (Standard Webhooks 1.0.0, HMAC-SHA256): one signature for each
 * secret, so that a receiver that knows any of them can verify during a rotation.
 */
function signatureOf(
  secrets: readonly string[],
  { id, timestampS, body }: { id: string; timestampS: number; body: string },
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
      const signed = `${id}.${timestampS}.${body}`;
      return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
    })
    .join(" ");
}
