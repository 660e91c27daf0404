/** JSON that has a canonical form. */

/** What a lone surrogate must look like in JSON: decoded UTF-8 cannot hold a raw one. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * The value of a JSON text. Throws on what is not JSON, and on text with an unpaired surrogate: it
 * has no canonical form (RFC 8785 §3.2.2.2), so its request could not be told from another.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text, SURROGATE_ESCAPE.test(text) ? wellFormed : undefined);
}

function wellFormed(key: string, value: unknown): unknown {
  if (key.isWellFormed() && (typeof value !== "string" || value.isWellFormed())) return value;
  throw new SyntaxError("unpaired surrogate");
}
