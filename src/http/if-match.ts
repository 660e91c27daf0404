/** `If-Match` on admin changes (RFC 9110 §13.1.1): the version the caller has seen. */

import { type Refusal, refuse } from "./answer.ts";
import type { FieldError } from "./validate.ts";

const HEADER = "If-Match";
/** An entity tag, alone or before the content's, or bare; one spelling per version. */
const VERSION = /^(?:"([1-9]\d{0,14})(?:-[0-9a-z]{1,16})?"|([1-9]\d{0,14}))$/;

export interface IfMatch {
  /** Null for any version (absent, `*`, or malformed). */
  readonly version: number | null;
  readonly errors: readonly FieldError[];
}

export const ANY_VERSION: IfMatch = { version: null, errors: [] };

/** The version of the header. */
export function readIfMatch(request: Request): IfMatch {
  const header = request.headers.get(HEADER);
  if (header === null || header.trim() === "*") return ANY_VERSION;
  const [, quoted, bare] = VERSION.exec(header.trim()) ?? [];
  const version = Number(quoted ?? bare);
  if (version > 0) return { version, errors: [] };
  const expected = 'a version, like "3"';
  return { version: null, errors: [{ path: HEADER, message: "is not a version", expected }] };
}

/** The refusal of a change to another version; null if it matches. */
export function versionMismatch(
  seen: number | null,
  version: number,
  ids: Readonly<Record<string, string>>,
): Refusal | null {
  if (seen === null || seen === version) return null;
  return refuse("conflict", { reason: "version_mismatch", version, ...ids });
}
