/**
 * Reads a document of any size part by part: the root, then each of its elements whole; only one
 * element is in memory. Elements are delimited by the depth of tags and validated by
 * fast-xml-parser. Faults that it accepts and partners refuse are checked here: forbidden
 * characters, undeclared entities, text between elements.
 */
import { XMLValidator } from "fast-xml-parser";
import { attributesOf, type Element, parsed } from "./element.ts";

export type Part =
  | { readonly kind: "comment"; readonly text: string }
  | {
      readonly kind: "root";
      readonly name: string;
      readonly attributes: Readonly<Record<string, string>>;
    }
  | { readonly kind: "element"; readonly name: string; readonly element: Element }
  /** The document is not well-formed. Nothing follows. */
  | { readonly kind: "fault"; readonly what: string };

/** Far larger than any element of a feed; bounds the memory for an unclosed one. */
const ELEMENT_CHARACTERS_MAX = 16_000_000;

/** Characters forbidden in XML 1.0. Decoded UTF-8 has no lone surrogates. */
const FORBIDDEN = /[^\t\n\r -\ufffd]/;
const REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;
const NUMERIC = /&#(?:x([\da-fA-F]+)|(\d+));/g;
const DECLARED = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>/g;
const TAG = /<(?:[^"'>]|"[^"]*"|'[^']*')*>/g;
const NAME = /^<([\p{L}_:][\p{L}\p{N}_:.-]*)/u;

/** The markup cannot be read further. */
class Malformed extends Error {}

function referenceFault(xml: string): string | null {
  if (!xml.includes("&")) return null;
  if (REFERENCE.test(xml)) return "an & that begins none of XML's own references";
  for (const [all, hex, decimal] of xml.matchAll(NUMERIC)) {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    if (!isCharacter || FORBIDDEN.test(String.fromCodePoint(code))) {
      return `${all}, which XML forbids`;
    }
  }
  return null;
}

/** Removes comments and escapes CDATA like other text. */
function plain(xml: string): string {
  if (!xml.includes("<!")) return xml;
  return xml.replace(DECLARED, (found) => {
    if (found.startsWith("<!--")) return "";
    return found.slice(9, -3).replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  });
}

/** Validates and parses an element. Throws Malformed. */
function elementIn(xml: string, name: string, where: string): Element {
  const text = plain(xml);
  const judged = XMLValidator.validate(text);
  if (judged !== true) throw new Malformed(`${where}: ${judged.err.msg}`);
  const fault = referenceFault(text);
  if (fault !== null) throw new Malformed(`${where}: ${fault}`);
  if (text.includes("]]>") && text.replace(TAG, "").includes("]]>")) {
    throw new Malformed(`${where}: ]]> in a text`);
  }
  return parsed(text, name);
}

/** The position after the `>` of the tag at `start`, outside of quotes; -1 if incomplete. */
function tagEnd(text: string, start: number): number {
  let quote = 0;
  for (let i = start + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === 62) {
      return i + 1;
    } else if (code === 34 || code === 39) {
      quote = code;
    }
  }
  return -1;
}

const after = (text: string, word: string, from: number) => {
  const at = text.indexOf(word, from);
  return at < 0 ? -1 : at + word.length;
};

/** The position after the markup at `start`; -1 if incomplete. */
function markupEnd(text: string, start: number): number {
  // A declaration may turn out to be a comment or CDATA.
  const begun = text.slice(start, start + 9);
  if (begun === "<!-" || (begun.length < 9 && "<![CDATA[".startsWith(begun))) return -1;
  if (text.startsWith("<!--", start)) return after(text, "-->", start + 4);
  if (text.startsWith("<![CDATA[", start)) return after(text, "]]>", start + 9);
  if (text.startsWith("<?", start)) return after(text, "?>", start + 2);
  return tagEnd(text, start);
}

/** Takes text in pieces and returns complete parts. */
class Splitter {
  #text = "";
  readonly #parts: Part[] = [];
  /** Position up to which the text was read. */
  #at = 0;
  /** Start of the current element. */
  #from = 0;
  #depth = 0;
  #root: string | null = null;
  #isClosed = false;
  #isStarted = false;
  #count = 0;

  push(text: string): void {
    if (FORBIDDEN.test(text)) throw new Malformed(`${this.#where()}: a character XML forbids`);
    const kept = this.#keptFrom();
    this.#text = this.#text.slice(kept) + text;
    this.#at -= kept;
    this.#from -= kept;
    for (;;) {
      const start = this.#text.indexOf("<", this.#at);
      const end = start < 0 ? -1 : markupEnd(this.#text, start);
      if (end < 0) break;
      this.#outside(this.#at, start);
      this.#at = end;
      this.#markup(start, end);
    }
    if (this.#text.length - this.#keptFrom() > ELEMENT_CHARACTERS_MAX) {
      throw new Malformed(`${this.#where()}: it does not end`);
    }
  }

  /** The parts completed since the last call. */
  complete(): readonly Part[] {
    return this.#parts.splice(0);
  }

  end(): void {
    if (this.#text.indexOf("<", this.#at) >= 0) {
      throw new Malformed(`${this.#where()}: the document breaks off`);
    }
    this.#outside(this.#at, this.#text.length);
    if (this.#root === null) throw new Malformed("there is no element");
    if (!this.#isClosed) throw new Malformed(`the document ends before </${this.#root}>`);
  }

  /** Start of the text that is still needed. */
  #keptFrom(): number {
    return this.#depth > 1 ? this.#from : this.#at;
  }

  #where(): string {
    if (this.#root === null) return "before the root";
    if (this.#isClosed) return `after </${this.#root}>`;
    return `element ${this.#count + 1} of <${this.#root}>`;
  }

  /** Text between the elements of the root is a fault: readers would ignore it. */
  #outside(from: number, to: number): void {
    if (this.#depth > 1 || from === to || !/\S/.test(this.#text.slice(from, to))) return;
    throw new Malformed(`${this.#where()}: text that is in no element`);
  }

  #markup(start: number, end: number): void {
    const second = this.#text[start + 1];
    if (second === "?") {
      this.#instruction(start, end);
    } else if (second === "!") {
      this.#declared(start, end);
    } else if (second === "/") {
      this.#closed(start, end);
    } else {
      this.#opened(start, end);
    }
    this.#isStarted = true;
  }

  #declared(start: number, end: number): void {
    if (this.#text.startsWith("<!--", start)) {
      const text = this.#text.slice(start + 4, end - 3);
      if (text.includes("--")) throw new Malformed(`${this.#where()}: -- in a comment`);
      if (this.#depth <= 1) this.#parts.push({ kind: "comment", text });
    } else if (!this.#text.startsWith("<![CDATA[", start)) {
      throw new Malformed(`${this.#where()}: a DOCTYPE or another declaration`);
    } else if (this.#depth <= 1) {
      throw new Malformed(`${this.#where()}: text that is in no element`);
    }
  }

  #instruction(start: number, end: number): void {
    const text = this.#text.slice(start, end);
    if (/^<\?xml\s/i.test(text)) {
      if (this.#isStarted || start !== 0) {
        throw new Malformed(`${this.#where()}: the XML declaration is not at the very beginning`);
      }
      const [, encoding = "UTF-8"] = /\sencoding=["']([^"']*)["']/.exec(text) ?? [];
      if (!/^utf-?8$/i.test(encoding)) throw new Malformed(`the encoding ${encoding}, not UTF-8`);
    }
  }

  #opened(start: number, end: number): void {
    const isEmpty = this.#text[end - 2] === "/";
    const nextAt = this.#text.indexOf("<", start + 1);
    if (nextAt >= 0 && nextAt < end) throw new Malformed(`${this.#where()}: < in a tag`);
    if (this.#isClosed) throw new Malformed(`${this.#where()}: another element`);
    if (this.#depth === 0) {
      const tag = this.#text.slice(start, end);
      const [, name] = NAME.exec(tag) ?? [];
      if (name === undefined) throw new Malformed(`${this.#where()}: ${tag.slice(0, 40)}`);
      const whole = isEmpty ? tag : `${tag}</${name}>`;
      const attributes = attributesOf(elementIn(whole, name, `the root <${name}>`));
      this.#root = name;
      this.#isClosed = isEmpty;
      this.#parts.push({ kind: "root", name, attributes });
    }
    if (this.#depth === 1) this.#from = start;
    if (!isEmpty) this.#depth += 1;
    else if (this.#depth === 1) this.#element(end);
  }

  #closed(start: number, end: number): void {
    this.#depth -= 1;
    if (this.#depth === 1) this.#element(end);
    if (this.#depth > 0) return;
    const name = this.#text.slice(start + 2, end - 1).trimEnd();
    if (name !== this.#root || this.#isClosed) throw new Malformed(`an unexpected </${name}>`);
    this.#isClosed = true;
  }

  #element(end: number): void {
    const xml = this.#text.slice(this.#from, end);
    const [, name = ""] = NAME.exec(xml) ?? [];
    const element = elementIn(xml, name, this.#where());
    this.#count += 1;
    this.#parts.push({ kind: "element", name, element });
  }
}

/** The parts of a document in pieces of bytes; the last part may be a fault. */
export async function* partsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const splitter = new Splitter();
  const push = (chunk?: Uint8Array) => {
    let text: string;
    try {
      text = chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new Malformed("bytes that are not UTF-8");
    }
    splitter.push(text);
  };
  try {
    for await (const chunk of bytes) {
      push(chunk);
      yield* splitter.complete();
    }
    push();
    splitter.end();
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    // Parts before the fault were well-formed.
    yield* splitter.complete();
    yield { kind: "fault", what: error.message };
  }
}
