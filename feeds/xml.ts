/**
 * Escaping of text in documents. All data from hotels passes here exactly once. Characters that XML
 * 1.0 forbids are dropped, because partners refuse a file with one.
 */

/** The first line of every document. */
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Characters forbidden in XML 1.0, including lone surrogates. */
const NO_CHARACTER = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const MARKUP = /[&<>"']/g;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Whether a text has a character that XML 1.0 forbids. */
export function hasForbidden(text: string): boolean {
  return text.search(NO_CHARACTER) >= 0;
}

/** Text that XML can hold, with the line ends that parsers produce. */
function writable(text: string): string {
  return text.replace(NO_CHARACTER, "").replace(/\r\n?/g, "\n").trim();
}

/** The same on one line. */
export function oneLine(text: string): string {
  return writable(text).replace(/\s+/g, " ");
}

function escaped(text: string): string {
  return text.replace(MARKUP, (character) => ENTITIES[character]!);
}

/** Escapes the content of an element. */
export function escapedText(text: string): string {
  return escaped(writable(text));
}

/** Escapes an attribute's value, on one line because parsers replace line ends. */
export function escapedAttribute(text: string): string {
  return escaped(oneLine(text));
}
