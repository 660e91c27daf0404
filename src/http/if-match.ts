/** `If-Match` on admin changes (RFC 9110 §13.1.1): the version the caller has seen. */

import type { ControlRefusal } from "./control-call.ts";
import type { FieldError } from "./validate.ts";

const HEADER = "If-Match";
/** As an entity tag, or bare. */
const VERSION = /^"?(\d{1,15})"?$/;

export type IfMatch =
  | { readonly ok: true; readonly version: number | null }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** The version of the header; null when any will do (absent, or `*`). */
export function readIfMatch(request: Request): IfMatch {
  const header = request.headers.get(HEADER);
  if (header === null || header.trim() === "*") return { ok: true, version: null };
  const version = VERSION.exec(header.trim())?.[1];
  if (version !== undefined) return { ok: true, version: Number(version) };
  const expected = 'a version, like "3"';
  return { ok: false, errors: [{ path: HEADER, message: "is not a version", expected }] };
}

/** What a change of another version answers (rules §2); null when the version is the one seen. */
export function versionMismatch(
  seen: number | null,
  version: number,
  ids: Readonly<Record<string, string>>,
): ControlRefusal | null {
  if (seen === null || seen === version) return null;
  const detail = { reason: "version_mismatch", version, ...ids };
  return { ok: false, code: "conflict", detail };
}
