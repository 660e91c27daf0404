/** Position of the idempotency key in a request, and the part of the body it covers. */
import type { FieldError } from "./validate.ts";

const BARE = /^[\x21-\x7e]{1,255}$/;
/** RFC 8941 §3.3.3 string; inside it only `"` and `\` are escaped. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
const HEADER = "Idempotency-Key";
const EXPECTED = "1 to 255 visible ASCII characters, bare or as a quoted string";

export interface KeyReading {
  readonly key: string | null;
  readonly errors: readonly FieldError[];
}

/**
 * Reads the key from the header and the body's `idempotency_key` (undefined when absent). The same
 * key in both is one key; different ones, a malformed one, or none where `required`, are errors.
 */
export function readKey(header: string | null, bodyKey: unknown, required: boolean): KeyReading {
  const errors: FieldError[] = [];
  const fromHeader = header === null ? null : parseKey(header);
  const fromBody = bodyKey === undefined ? null : parseKey(bodyKey);
  if (header !== null && fromHeader === null) errors.push(malformed(HEADER));
  if (bodyKey !== undefined && fromBody === null) errors.push(malformed("/idempotency_key"));
  if (errors.length > 0) return { key: null, errors };
  if (fromHeader !== null && fromBody !== null && fromHeader !== fromBody) {
    const message = "differs from the body's idempotency_key";
    return { key: null, errors: [{ path: HEADER, message, expected: "one key" }] };
  }
  const key = fromHeader ?? fromBody;
  if (key === null && required) {
    return { key, errors: [{ path: HEADER, message: "is missing", expected: EXPECTED }] };
  }
  return { key, errors };
}

/** The key, or null when invalid. */
function parseKey(raw: unknown): string | null {
  if (typeof raw !== "string") return null;
  const quoted = QUOTED.exec(raw);
  if (raw.startsWith('"') && quoted === null) return null;
  const key = quoted ? quoted[1]!.replace(/\\(["\\])/g, "$1") : raw;
  return BARE.test(key) ? key : null;
}

function malformed(path: string): FieldError {
  return { path, message: "is not an idempotency key", expected: EXPECTED };
}

/** Input of the body hash: the body without its key; a missing body counts as empty. */
export function bodyForHash(body: unknown): unknown {
  if (body === undefined) return {};
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, "idempotency_key")) {
    return body;
  }
  const { idempotency_key: _key, ...rest } = body as Record<string, unknown>;
  return rest;
}
