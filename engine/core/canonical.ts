/**
 * Canonical JSON (RFC 8785, JCS): one byte sequence per value, so that hashes and signatures can be
 * checked by anyone. Object members in order of their UTF-16 code units, ECMAScript number form,
 * no white space.
 */

/**
 * RFC 8785 text of a JSON value. Undefined members are dropped and undefined items are null, as
 * `JSON.stringify` does. Throws TypeError on what JSON cannot carry faithfully: NaN, infinities,
 * lone surrogates, bigints, functions, symbols and objects that are neither plain nor arrays.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case "string":
      return canonicalString(value);
    case "number":
      if (!Number.isFinite(value)) throw new TypeError("number is not finite");
      return String(value);
    case "boolean":
      return String(value);
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value);
    default:
      throw new TypeError(`${typeof value} has no JSON form`);
  }
}

/** Needs no escaping: most strings, and most of what is hashed. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** RFC 8785 text of a string. Throws TypeError when it has a lone surrogate. */
export function canonicalString(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError("string has a lone surrogate");
  return JSON.stringify(text);
}

function canonicalArray(items: readonly unknown[]): string {
  let text = "";
  // Indexed, because a hole of a sparse array must become null and not vanish.
  for (let index = 0; index < items.length; index += 1) {
    if (index > 0) text += ",";
    text += items[index] === undefined ? "null" : canonicalJson(items[index]);
  }
  return `[${text}]`;
}

function canonicalObject(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError("object is not plain");
  }
  const members = value as Readonly<Record<string, unknown>>;
  let text = "";
  // The default order of strings is that of their UTF-16 code units, as RFC 8785 §3.2.3 asks.
  for (const key of Object.keys(members).sort()) {
    const member = members[key];
    if (member === undefined) continue;
    if (text !== "") text += ",";
    text += `${canonicalString(key)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}
