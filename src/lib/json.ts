/** JSON that has a canonical form. */

/** An escaped lone surrogate; decoded UTF-8 cannot contain a raw one. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Parses a JSON text. Throws for invalid JSON and for unpaired surrogates, which have no canonical
 * form (RFC 8785 §3.2.2.2).
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text, SURROGATE_ESCAPE.test(text) ? wellFormed : undefined);
}

function wellFormed(key: string, value: unknown): unknown {
  if (key.isWellFormed() && (typeof value !== "string" || value.isWellFormed())) return value;
  throw new SyntaxError("unpaired surrogate");
}
