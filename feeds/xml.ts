/**
 * Text on its way into a document. The documents are written as strings from the formats' own
 * element names; whatever comes from a hotel goes through here first, and only once. What XML 1.0
 * cannot hold is dropped, because one such character makes a partner refuse the whole file.
 */

/** The first line of every document. */
export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** What is not a character of XML 1.0, half a surrogate pair among it. */
const NO_CHARACTER = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const MARKUP = /[&<>"']/g;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** What a document can say of a text; line ends are the one that parsers read every other as. */
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

/** The content of an element. */
export function escapedText(text: string): string {
  return escaped(writable(text));
}

/** The value of an attribute. Parsers make spaces of its line ends, so it has none. */
export function escapedAttribute(text: string): string {
  return escaped(oneLine(text));
}
