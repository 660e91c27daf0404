/** W3C Trace Context. An invalid header is ignored: the request starts its own trace. */

export interface Trace {
  /** 32 lower-case hex characters; the envelope's `trace_id`. */
  readonly traceId: string;
  /** The caller's span, 16 lower-case hex characters; null when the trace starts here. */
  readonly parentId: string | null;
}

const HEADER = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-[^,]*)?$/;
const VERSION_00_LENGTH = 55;
const ZERO_TRACE = "0".repeat(32);
const ZERO_PARENT = "0".repeat(16);

/**
 * Reads a `traceparent` header (W3C Trace Context §3.2). Null, a malformed or a repeated header
 * (joined with a comma) gives a new trace; a later version is read by its first 55 characters.
 */
export function traceOf(header: string | null): Trace {
  const parts = header === null ? null : HEADER.exec(header);
  if (header === null || parts === null) return { traceId: newTrace(), parentId: null };
  const [, version, traceId = ZERO_TRACE, parentId = ZERO_PARENT] = parts;
  const valid =
    version !== "ff" &&
    (version !== "00" || header.length === VERSION_00_LENGTH) &&
    traceId !== ZERO_TRACE &&
    parentId !== ZERO_PARENT;
  return valid ? { traceId, parentId } : { traceId: newTrace(), parentId: null };
}

/** A new trace id, 32 lower-case hex characters. */
export function newTrace(): string {
  return randomHex(16);
}

/** Reading the system's source for each id would dominate a request's set-up. */
const POOL_BYTES = 4096;
/** Converted to text once; slices of it are nearly free. */
let pool = "";
let used = 0;

/** `bytes` (1–4096) random bytes from the system's secure source as lower-case hex. */
export function randomHex(bytes: number): string {
  if (used + 2 * bytes > pool.length) {
    pool = crypto.getRandomValues(Buffer.alloc(POOL_BYTES)).toString("hex");
    used = 0;
  }
  const start = used;
  used += 2 * bytes;
  return pool.slice(start, used);
}
