/**
 * Requests whose head is too long, or means two things: a proxy in front and we could each believe
 * another one (RFC 9112 §3.2, §6.3). The runtime refuses most of them itself; these it lets pass.
 */
import type { FieldError } from "./validate.ts";

/** One host, by name or address, with a port or without (RFC 3986 §3.2.2). */
const HOST = /^(?:[\w.~!$&'()*+;=%-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

/** The last that was one: nearly all requests of a process name the same. */
let soundHost: string | null = null;

/**
 * What is wrong with a request's head; null when it is sound. Repeated fields come joined with a
 * comma. Requests of HTTP/1.0 need no `Host`.
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

/** The supervisor has the runtime read more, so that who sends too much is told so. */
export const HEAD_BYTES_MAX = 16 * 1024;

/** Whether the address and the fields are together longer than is taken (RFC 6585 §5). */
export function isHeadTooLong({ url, headers }: Request): boolean {
  let bytes = url.length;
  // Every request pays for this: an iterator would take twice the time.
  headers.forEach((value, name) => {
    bytes += name.length + value.length + FIELD_BYTES;
  });
  return bytes > HEAD_BYTES_MAX;
}

/** `: ` and the end of the line. */
const FIELD_BYTES = 4;
