/** Elements as fast-xml-parser returns them: every child a list, every text a string. */
import { XMLParser } from "fast-xml-parser";

/** Children by name, attributes as `@name`, the text as `#text`. */
export type Element = Readonly<Record<string, unknown>>;

const TEXT = "#text";
const ATTRIBUTE = "@";

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE,
  textNodeName: TEXT,
  alwaysCreateTextNode: true,
  // Keeps `007`, and leaves entities to `unescaped`.
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  isArray: (_name, _path, _isLeaf, isAttribute) => isAttribute !== true,
});

/** The one element of a text that XMLValidator has accepted. */
export function parsed(xml: string, name: string): Element {
  const [element] = childrenOf(parser.parse(xml) as Element, name);
  return element ?? {};
}

/** Children of a name, in order. */
export function childrenOf(element: Element, name: string): readonly Element[] {
  const found = element[name];
  return Array.isArray(found) ? found : [];
}

/** The first child of a name. */
export function childOf(element: Element, name: string): Element | null {
  return childrenOf(element, name)[0] ?? null;
}

function childNamesOf(element: Element): readonly string[] {
  return Object.keys(element).filter((name) => name !== TEXT && !name.startsWith(ATTRIBUTE));
}

/**
 * Every text inside with its path: `address/component[city]`, `content/text/body`. Repeated paths
 * occur in document order.
 */
export function* leavesOf(element: Element, way = ""): Generator<readonly [string, string]> {
  for (const child of childNamesOf(element)) {
    for (const each of childrenOf(element, child)) {
      const attributes = Object.values(attributesOf(each));
      const label = attributes.length === 0 ? child : `${child}[${attributes.join(" ")}]`;
      if (childNamesOf(each).length > 0) yield* leavesOf(each, `${way}${label}/`);
      else yield [way + label, textOf(each)];
    }
  }
}

/** Attributes that identify an element instead of holding content. */
const LABELS: readonly string[] = ["name", "type", "format"];

/** Names of inner elements with neither text nor attributes. */
export function emptyIn(element: Element): readonly string[] {
  return childNamesOf(element).flatMap((name) => {
    return childrenOf(element, name).flatMap((each) => {
      if (childNamesOf(each).length > 0) return emptyIn(each);
      const holds = Object.keys(attributesOf(each)).some((given) => !LABELS.includes(given));
      return holds || textOf(each).trim() !== "" ? [] : [name];
    });
  });
}

/** An attribute's value; null without it. */
export function attributeOf(element: Element, name: string): string | null {
  const value = element[ATTRIBUTE + name];
  return typeof value === "string" ? unescaped(value) : null;
}

/** All attributes. */
export function attributesOf(element: Element): Readonly<Record<string, string>> {
  const names = Object.keys(element).filter((name) => name.startsWith(ATTRIBUTE));
  return Object.fromEntries(
    names.map((name) => [name.slice(1), attributeOf(element, name.slice(1)) ?? ""]),
  );
}

/** The text inside; empty without one. */
export function textOf(element: Element | null): string {
  const text = element?.[TEXT];
  return typeof text === "string" ? unescaped(text) : "";
}

/** The text of the first child of a name; empty without one. */
export function textIn(element: Element, name: string): string {
  return textOf(childOf(element, name));
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function unescaped(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([\da-fA-F]+)|#(\d+)|(\w+));/g, (all, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? all;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}
