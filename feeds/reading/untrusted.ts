/**
 * Elements of a large untrusted text, in the form of `element.ts`, with names without prefixes.
 * Read in slices, so that other requests are served in between: the common parser needs half a
 * second for two megabytes. It takes elements, attributes, texts, comments and CDATA; document
 * types, entities of their own and processing instructions are refused.
 */
import { hasForbidden } from "../xml.ts";
import type { Element } from "./element.ts";

/** A fault of a text; it never contains the text. */
export interface XmlFault {
  readonly message: string;
  readonly expected: string;
}

export type XmlReading =
  | { readonly ok: true; readonly name: string; readonly root: Element }
  | { readonly ok: false; readonly fault: XmlFault };

/** Tags between two turns: less than a millisecond. */
const SLICE_TAGS = 1_000;
const NAME = String.raw`[\p{L}_][\p{L}\p{N}._-]*(?::[\p{L}_][\p{L}\p{N}._-]*)?`;
const OPENING = new RegExp(`<(${NAME})`, "uy");
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, "uy");
const END_OF_OPENING = /\s*(\/?)>/y;
const CLOSING = new RegExp(`</(${NAME})\\s*>`, "uy");
const COMMENT = "<!--";
const CDATA = "<![CDATA[";
const DECLARATION = /^\uFEFF?<\?xml(\s[^?]*)\?>/;
const REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;
const CHARACTER = /&#(?:x([\da-fA-F]+)|(\d+));/g;
const CHARACTER_MAX = 0x10ffff;

interface Open {
  readonly name: string;
  readonly element: Record<string, unknown>;
}

/** Reads a text; yields between slices. At most `depthMax` levels. */
export function* readXml(
  text: string,
  depthMax: number,
): Generator<undefined, XmlReading, undefined> {
  const fault = textFault(text);
  if (fault) return { ok: false, fault };
  const reader = new Reader(text, depthMax);
  while (!reader.isDone) {
    for (let tags = 0; tags < SLICE_TAGS && !reader.isDone; tags += 1) reader.step();
    yield;
  }
  return reader.result();
}

/** What is refused wherever it stands. */
function textFault(text: string): XmlFault | null {
  if (text.trim() === "") return { message: "is empty", expected: "an XML document" };
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    return { message: "has a DOCTYPE", expected: "XML without DOCTYPE and entities" };
  }
  if (REFERENCE.test(text) || hasStrangeCharacter(text)) {
    return { message: "has an unknown entity", expected: "only XML's own, such as &amp;" };
  }
  if (hasForbidden(text)) {
    return { message: "has a forbidden character", expected: "characters of XML 1.0" };
  }
  const [, declared = ""] = DECLARATION.exec(text) ?? [];
  const [, encoding = "utf-8"] = /\sencoding\s*=\s*["']([^"']*)["']/.exec(declared) ?? [];
  if (/^(?:utf-?8|us-ascii)$/i.test(encoding)) return null;
  return { message: "declares an unsupported encoding", expected: "UTF-8" };
}

function hasStrangeCharacter(text: string): boolean {
  for (const [, hex, decimal] of text.matchAll(CHARACTER)) {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    if (code === 0 || code > CHARACTER_MAX || isSurrogate) return true;
  }
  return false;
}

class Reader {
  readonly #text: string;
  readonly #depthMax: number;
  readonly #open: Open[] = [];
  #at: number;
  #root: Open | null = null;
  #fault: XmlFault | null = null;

  constructor(text: string, depthMax: number) {
    this.#text = text;
    this.#depthMax = depthMax;
    this.#at = DECLARATION.exec(text)?.[0].length ?? (text.startsWith("\uFEFF") ? 1 : 0);
  }

  get isDone(): boolean {
    return this.#fault !== null || this.#at >= this.#text.length;
  }

  result(): XmlReading {
    if (this.#fault === null && (this.#root === null || this.#open.length > 0)) this.#malformed();
    if (this.#fault) return { ok: false, fault: this.#fault };
    const { name, element } = this.#root!;
    return { ok: true, name, root: element };
  }

  /** Reads up to the end of the next tag, comment or CDATA. */
  step(): void {
    const text = this.#text;
    const tagAt = text.indexOf("<", this.#at);
    this.#addText(text.slice(this.#at, tagAt < 0 ? text.length : tagAt));
    this.#at = tagAt < 0 ? text.length : tagAt;
    if (this.isDone) return;
    if (text.startsWith(COMMENT, this.#at)) this.#skipComment();
    else if (text.startsWith(CDATA, this.#at)) this.#takeCdata();
    else if (text[this.#at + 1] === "/") this.#close();
    else this.#openTag();
  }

  #malformed(): void {
    const line = this.#text.slice(0, this.#at).split("\n").length;
    const message = `is not well-formed XML at line ${line}`;
    this.#fault ??= { message, expected: "a well-formed XML document" };
  }

  #addText(raw: string): void {
    if (raw === "") return;
    const parent = this.#open.at(-1);
    if (parent) parent.element["#text"] += raw;
    else if (raw.trim() !== "") this.#malformed();
  }

  #skipComment(): void {
    const end = this.#text.indexOf("--", this.#at + COMMENT.length);
    if (end < 0 || this.#text[end + 2] !== ">") return this.#malformed();
    this.#at = end + 3;
  }

  #takeCdata(): void {
    const from = this.#at + CDATA.length;
    const end = this.#text.indexOf("]]>", from);
    if (end < 0 || this.#open.length === 0) return this.#malformed();
    this.#addText(this.#text.slice(from, end).replaceAll("&", "&amp;"));
    this.#at = end + 3;
  }

  #close(): void {
    const [, name] = this.#match(CLOSING) ?? [];
    if (name === undefined || this.#open.pop()?.name !== name) this.#malformed();
  }

  #openTag(): void {
    const [, name] = this.#match(OPENING) ?? [];
    const parent = this.#open.at(-1);
    if (name === undefined || (!parent && this.#root)) return this.#malformed();
    const opened = { name, element: { "#text": "" } };
    if (!this.#takeAttributes(opened.element)) return this.#malformed();
    const [, slash] = this.#match(END_OF_OPENING) ?? [];
    if (slash === undefined) return this.#malformed();
    if (parent) addChild(parent.element, localOf(name), opened.element);
    else this.#root = { ...opened, name: localOf(name) };
    if (slash === "/") return;
    this.#open.push(opened);
    if (this.#open.length <= this.#depthMax) return;
    this.#fault = {
      message: "is nested too deeply",
      expected: `at most ${this.#depthMax} levels`,
    };
  }

  /** False when an attribute stands twice. */
  #takeAttributes(element: Record<string, unknown>): boolean {
    for (;;) {
      const found = this.#match(ATTRIBUTE);
      if (!found) return true;
      const [, name, double, single] = found;
      const key = `@${name}`;
      if (Object.hasOwn(element, key)) return false;
      element[key] = double ?? single ?? "";
    }
  }

  /** A match at the present position, which moves to its end. */
  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }
}

function localOf(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Own members only: a name may be one of every object's, such as `constructor`. */
function addChild(parent: Record<string, unknown>, name: string, child: object): void {
  const known = Object.hasOwn(parent, name) ? parent[name] : undefined;
  if (Array.isArray(known)) known.push(child);
  else Object.defineProperty(parent, name, { value: [child], enumerable: true });
}
