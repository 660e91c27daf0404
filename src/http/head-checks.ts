/**
 * Rejects heads that are too long or ambiguous: a proxy could interpret them differently (RFC 9112
 * §3.2, §6.3). The runtime rejects most of them; these it accepts.
 */
import type { FieldError } from "./validate.ts";

/** One host, by name or address, with a port or without (RFC 3986 §3.2.2). */
const HOST = /^(?:[\w.~!$&'()*+;=%-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

/** The last valid host: nearly all requests have the same. */
let soundHost: string | null = null;

/**
 * The error of a request's head, or null. Repeated fields are joined with a comma. Requests of
 * HTTP/1.0 need no `Host`.
 */
export function headFault({ headers }: Request): FieldError | null {
  const host = headers.get("host");
  if (host !== soundHost) {
    if (host !== null && !HOST.test(host)) {
      return { path: "Host", message: "is malformed or repeated", expected: "one host" };
    }
    soundHost = host;
  }
  const length = headers.get("content-length");
  if (length !== null && !/^\d+$/.test(length)) {
    return { path: "Content-Length", message: "is malformed or repeated", expected: "one length" };
  }
  return null;
}

/** The supervisor lets the runtime read more, so that larger heads get an error answer. */
export const HEAD_BYTES_MAX = 16 * 1024;

/** Whether URL and fields together exceed the limit (RFC 6585 §5). */
export function isHeadTooLong({ url, headers }: Request): boolean {
  let bytes = url.length;
  // Hot path: an iterator would take twice the time.
  headers.forEach((value, name) => {
    bytes += name.length + value.length + FIELD_BYTES;
  });
  return bytes > HEAD_BYTES_MAX;
}

/** `: ` and the end of the line. */
const FIELD_BYTES = 4;
