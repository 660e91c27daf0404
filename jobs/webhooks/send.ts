/**
 * One attempt: an event, signed and sent to the endpoint's current address. The status of the
 * answer decides the result; for partner messages also the body. Answers cannot exhaust memory or
 * time: headers, body bytes and body time are limited.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { SYSTEM_TIME } from "../../engine/log/system-time.ts";
import type { GuardTerms } from "../net/address-guard.ts";
import { guardedRequest, type RequestFailure, type RequestTerms } from "../net/guarded-request.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Reason, reasonOfStatus } from "./reasons.ts";
import { retryAfterS } from "./retry-after.ts";
import { signatureOf } from "./signature.ts";

const SEND_MS_MAX = 15_000;
const EXCERPT_BYTES = 1024;
/** More is read than kept, so that a secret at the end is masked as a whole. */
const READ_BYTES = 2 * EXCERPT_BYTES;
/** Shorter values are masked only in headers whose name suggests a secret. */
const SECRET_CHARS_MIN = 4;
/** Authentication schemes, which are not secret (RFC 9110 §11.1). */
const SCHEME = /^(basic|bearer|digest|token|apikey)$/i;
/** The status decides, so a slow body is cut off. */
const EXCERPT_MS_MAX = 1_000;
/** Where the body decides, more of it is read. */
const VERDICT_BYTES = 32 * 1024;
const HEADERS_MAX = 32;
const HEADER_CHARS_MAX = 256;
const MASK = "***";
const NOT_KEPT = "(not kept: the event names a guest)";
/** Headers of answers that may echo or set a secret. */
const SECRET_NAME = /auth|cookie|credential|key|password|secret|signature|token/i;

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

type Headers = Readonly<Record<string, string>>;

/** The stored result of an attempt. */
export interface SentAttempt {
  readonly ok: boolean;
  /** Null on success. */
  readonly reason: Reason | null;
  /** Null without an answer. */
  readonly status: number | null;
  /** Until the headers of the answer, or until the failure. */
  readonly latency_ms: number;
  /** The IP address called; null when no connection was tried. */
  readonly address: string | null;
  /** Sent as `x-request-id`, for the receiver's log. */
  readonly request_id: string;
  /** Secrets and the tenant's own headers are masked. */
  readonly request_headers: Headers;
  /** Limited in number and length; secrets are masked. */
  readonly response_headers: Headers;
  /** The first KiB of the body as printable text. */
  readonly excerpt: string;
  /** From `Retry-After`, at most a day; null without it. */
  readonly retry_after_s: number | null;
}

/** The members that the headers of an answer determine. */
type Judged = Pick<SentAttempt, "status" | "latency_ms" | "response_headers" | "retry_after_s">;

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

function judge(
  { statusCode, headers }: IncomingMessage,
  latency_ms: number,
  secrets: readonly string[],
): Judged {
  return {
    ...{ status: statusCode ?? 0, latency_ms, response_headers: masked(headers, secrets) },
    retry_after_s: retryAfterS(headers["retry-after"], SYSTEM_TIME.wallMs()),
  };
}

function failureOf(outcome: { ok: true } | { ok: false; reason: RequestFailure }): Reason {
  if (outcome.ok) throw new Error("request succeeded without an answer");
  return outcome.reason === "broken" ? "invalid_answer" : outcome.reason;
}

/** Values to mask in answers: header values and their words, the longest first. */
function secretsIn(sent: Headers, own: Headers): readonly string[] {
  const all = [...Object.entries(own), ["webhook-signature", sent["webhook-signature"]!] as const];
  return all
    .flatMap(([name, value]) => {
      const words = [value, ...value.split(" ").filter((word) => !SCHEME.test(word))];
      const least = SECRET_NAME.test(name) ? 1 : SECRET_CHARS_MIN;
      return words.filter(({ length }) => length >= least);
    })
    .sort((a, b) => b.length - a.length);
}

/** Headers with secrets masked; all values of `hidden`'s names are masked. */
function masked(
  headers: IncomingMessage["headers"],
  secrets: readonly string[],
  hidden: Headers = {},
): Headers {
  const isHidden = new Set(Object.keys(hidden).map((name) => name.toLowerCase()));
  const shown = Object.entries(headers).slice(0, HEADERS_MAX);
  return Object.fromEntries(
    shown.map(([name, value]) => {
      if (isHidden.has(name) || SECRET_NAME.test(name)) return [name, MASK];
      const text = printable(String(value), secrets);
      return [name.slice(0, HEADER_CHARS_MAX), text.slice(0, HEADER_CHARS_MAX)];
    }),
  );
}

/** Limits of reading a body. */
interface ReadTerms {
  readonly bytes: number;
  readonly ms: number;
}
const EXCERPT_TERMS: ReadTerms = { bytes: READ_BYTES, ms: EXCERPT_MS_MAX };
const VERDICT_TERMS: ReadTerms = { bytes: VERDICT_BYTES, ms: SEND_MS_MAX };

/** The body as far as it arrives within the limits. */
async function answerOf(response: IncomingMessage, terms: ReadTerms): Promise<string> {
  const encoding = response.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") return "";
  const timer = setTimeout(() => response.destroy(), terms.ms);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= terms.bytes) break;
    }
  } catch {
    // Cut off: the part received is used.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, terms.bytes).toString();
}

/** The first KiB with secrets masked. */
function excerptOf(answer: string, secrets: readonly string[]): string {
  const bytes = Buffer.from(answer);
  const found = bytes.subarray(0, READ_BYTES).toString();
  const whole = bytes.length < READ_BYTES ? found : withoutBeginning(found, secrets);
  return Buffer.from(printable(whole, secrets)).subarray(0, EXCERPT_BYTES).toString();
}

/** Removes the beginning of a secret that is cut off at the end of the text. */
function withoutBeginning(text: string, secrets: readonly string[]): string {
  const cut = secrets.map((secret) => {
    const most = Math.min(secret.length - 1, text.length);
    for (let chars = most; chars > 0; chars -= 1) {
      if (text.endsWith(secret.slice(0, chars))) return chars;
    }
    return 0;
  });
  return text.slice(0, text.length - Math.max(0, ...cut));
}

/** Replaces control characters, which a terminal would interpret, and secrets. */
function printable(text: string, secrets: readonly string[]): string {
  // One pass: masks and the rest of a replaced secret are not searched again.
  const anySecret = new RegExp(secrets.map((secret) => RegExp.escape(secret)).join("|"), "g");
  const shown = secrets.length === 0 ? text : text.replace(anySecret, MASK);
  return shown.replaceAll("\r\n", "\n").replace(/[^\P{C}\t\n]/gu, "\ufffd");
}
