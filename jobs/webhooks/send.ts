/**
 * One attempt: an event signed and sent to where an endpoint is now, judged by the status of the
 * answer alone; of a message whose receiver says in its answer what came of it, by that too. What a
 * receiver does with its answer costs no more than the terms: its headers are bounded, of its body
 * the first KiB is looked at, and only for a moment, or as far as it takes to judge.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { SYSTEM_TIME } from "../../engine/shell/system-time.ts";
import type { GuardTerms } from "../net/address-guard.ts";
import { guardedRequest, type RequestFailure, type RequestTerms } from "../net/guarded-request.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Reason, reasonOfStatus } from "./reasons.ts";
import { retryAfterS } from "./retry-after.ts";
import { signatureOf } from "./signature.ts";

const SEND_MS_MAX = 15_000;
const EXCERPT_BYTES = 1024;
/** More of it is read, so that no secret is cut in two and then not known. */
const READ_BYTES = 2 * EXCERPT_BYTES;
/** Shorter values may stand in any answer; they are masked if their header's name is a secret's. */
const SECRET_CHARS_MIN = 4;
/** Words of a value that say what the others are (RFC 9110 §11.1). */
const SCHEME = /^(basic|bearer|digest|token|apikey)$/i;
/** A receiver that drips its body has been judged already, */
const EXCERPT_MS_MAX = 1_000;
/** unless its body is what it is judged by. */
const VERDICT_BYTES = 32 * 1024;
const HEADERS_MAX = 32;
const HEADER_CHARS_MAX = 256;
const MASK = "***";
const NOT_KEPT = "(not kept: the event names a guest)";
/** Answers repeat what they were sent, and set cookies. */
const SECRET_NAME = /auth|cookie|credential|key|password|secret|signature|token/i;

/** Names the event of the same subject that was given up before this one. */
export const AFTER_DEAD_LETTER = "innkeep-after-dead-letter";

export type Addressee = Pick<Endpoint, "url" | "headers" | "secrets">;

export interface SendTerms
  extends GuardTerms,
    Pick<RequestTerms, "resolve" | "connections" | "signal"> {
  /** `SEND_MS_MAX` unless given. */
  readonly timeoutMs?: number;
}

/** What is sent: the `webhook-id` that stays the same however often, and the text. */
export interface SentBody {
  readonly id: string;
  readonly body: string;
  /** JSON unless given. */
  readonly contentType?: string;
  /** Whether an answer of 2xx says that it was taken; every one does unless given. */
  readonly isTaken?: (answer: string) => boolean;
  /**
   * With `per_subject`: the `webhook-id` of the subject's event before this one, when that has died
   * and is not to be waited for.
   */
  readonly afterDeadLetter?: string | null;
  /** Which history the event is of, as pulls and streams tell it. */
  readonly journalId?: string;
  /** It names a guest, and receivers repeat what they were sent: nothing they say is kept. */
  readonly isConfidential?: boolean;
}

type Headers = Readonly<Record<string, string>>;

/** What is kept of an attempt. */
export interface SentAttempt {
  readonly ok: boolean;
  /** Null when it succeeded. */
  readonly reason: Reason | null;
  /** Null when there was no answer. */
  readonly status: number | null;
  /** Until the answer's headers, or until it failed. */
  readonly latency_ms: number;
  /** Where it went; null when it went nowhere. */
  readonly address: string | null;
  /** As sent in `x-request-id`, for the receiver's log. */
  readonly request_id: string;
  /** Secrets masked, and whatever a tenant has added. */
  readonly request_headers: Headers;
  /** Bounded, secrets masked. */
  readonly response_headers: Headers;
  /** The first KiB of the answer as printable text. */
  readonly excerpt: string;
  /** What `Retry-After` asks for, at most a day; null when it does not. */
  readonly retry_after_s: number | null;
}

/** What the head of an answer says. */
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
  // Judged by now, whatever became of the body: cut off, too slow, without an end.
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

/** The tenant's own headers come first: they replace none of ours. */
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
    // What is judged must be readable.
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
  if (outcome.ok) throw new Error("an answer came without a head");
  return outcome.reason === "broken" ? "invalid_answer" : outcome.reason;
}

/** What may not be shown wherever an answer repeats it: the longest first, words of it too. */
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

/** As they may be shown; what stands in `hidden` is the tenant's and may be anything. */
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

/** How much of an answer is read, and for how long. */
interface ReadTerms {
  readonly bytes: number;
  readonly ms: number;
}
const EXCERPT_TERMS: ReadTerms = { bytes: READ_BYTES, ms: EXCERPT_MS_MAX };
const VERDICT_TERMS: ReadTerms = { bytes: VERDICT_BYTES, ms: SEND_MS_MAX };

/** What comes of it in that time; what comes later is not waited for. */
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
    // Cut off; what has come is shown.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, terms.bytes).toString();
}

/** The first KiB of it as may be shown. */
function excerptOf(answer: string, secrets: readonly string[]): string {
  const bytes = Buffer.from(answer);
  const found = bytes.subarray(0, READ_BYTES).toString();
  const whole = bytes.length < READ_BYTES ? found : withoutBeginning(found, secrets);
  return Buffer.from(printable(whole, secrets)).subarray(0, EXCERPT_BYTES).toString();
}

/** Without the beginning of a secret that the end of the text may have cut off. */
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

/** Operators read it in a terminal, which obeys control characters. */
function printable(text: string, secrets: readonly string[]): string {
  // In one pass: no secret is looked for in what another one left, or in a mask.
  const anySecret = new RegExp(secrets.map((secret) => RegExp.escape(secret)).join("|"), "g");
  const shown = secrets.length === 0 ? text : text.replace(anySecret, MASK);
  return shown.replaceAll("\r\n", "\n").replace(/[^\P{C}\t\n]/gu, "\ufffd");
}
