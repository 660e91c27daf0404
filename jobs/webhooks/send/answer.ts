/**
 * The answer of a receiver: its status, headers and body as far as they are stored. Answers cannot
 * exhaust memory or time, and secrets in them are masked.
 */
import type { IncomingMessage } from "node:http";
import { SYSTEM_TIME } from "../../../engine/log/system-time.ts";
import type { SentAttempt } from "../store/delivery.ts";
import { retryAfterS } from "../store/retry.ts";

/** Limit of an attempt. */
export const SEND_MS_MAX = 15_000;
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
/** Headers of answers that may echo or set a secret. */
const SECRET_NAME = /auth|cookie|credential|key|password|secret|signature|token/i;

/** Names and values of headers. */
export type Headers = SentAttempt["request_headers"];

/** The members that the headers of an answer determine. */
export type Judged = Pick<
  SentAttempt,
  "status" | "latency_ms" | "response_headers" | "retry_after_s"
>;

/** Reads the status and the headers of an answer. */
export function judge(
  { statusCode, headers }: IncomingMessage,
  latency_ms: number,
  secrets: readonly string[],
): Judged {
  return {
    ...{ status: statusCode ?? 0, latency_ms, response_headers: masked(headers, secrets) },
    retry_after_s: retryAfterS(headers["retry-after"], SYSTEM_TIME.wallMs()),
  };
}

/** Values to mask in answers: header values and their words, the longest first. */
export function secretsIn(sent: Headers, own: Headers): readonly string[] {
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
export function masked(
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
/** The status decides: the body is read only for operators. */
export const EXCERPT_TERMS: ReadTerms = { bytes: READ_BYTES, ms: EXCERPT_MS_MAX };
/** The body decides. */
export const VERDICT_TERMS: ReadTerms = { bytes: VERDICT_BYTES, ms: SEND_MS_MAX };

/** The body as far as it arrives within the limits. */
export async function answerOf(response: IncomingMessage, terms: ReadTerms): Promise<string> {
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
export function excerptOf(answer: string, secrets: readonly string[]): string {
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
