/** Untrusted XML: equal to what another parser reads, and refused where it is not well-formed. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { XMLParser } from "fast-xml-parser";
import { resultOf } from "../../test/support/result-of.ts";
import { escapedAttribute } from "../xml.ts";
import { attributeOf, childrenOf, type Element, textOf } from "./element.ts";
import { readXml, type XmlReading } from "./untrusted.ts";

function read(xml: string, depthMax = 32): XmlReading {
  return resultOf(readXml(xml, depthMax));
}

function rootOf(xml: string): Element {
  const reading = read(xml);
  if (!reading.ok) throw new Error(reading.fault.message);
  return reading.root;
}

/** Another parser; it trims texts, which ours does not. */
const other = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: "@", alwaysCreateTextNode: true },
  ...{ parseTagValue: false, parseAttributeValue: false, processEntities: false },
  ...{ ignoreDeclaration: true, trimValues: false },
  isArray: (_name: string, _path: unknown, _isLeaf: boolean, isAttribute: boolean) => !isAttribute,
});

const text = fc.string({
  unit: fc.constantFrom("a", "é", "€", "😀", " ", "-", "]", "<", ">", "&", '"', "'", "1"),
  maxLength: 5,
});
const drawn = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .record({
      name: fc.constantFrom("a", "b", "Ünder", "x-1.y"),
      attributes: fc.dictionary(fc.constantFrom("p", "q", "r"), text, { maxKeys: 3 }),
      content: fc.array(tie("content"), { maxLength: 3 }),
      gap: fc.constantFrom("", " ", "\n"),
    })
    .map(({ name, attributes, content, gap }) => {
      const given = Object.entries(attributes).map(([key, value]) => {
        return ` ${key}${gap}=${gap}'${escapedAttribute(value)}'`;
      });
      const opening = `<${name}${given.join("")}${gap}`;
      return content.length === 0
        ? `${opening}/>`
        : `${opening}>${content.join("")}</${name}${gap}>`;
    }),
  content: fc.oneof(
    { maxDepth: 3 },
    text.map(escapedAttribute),
    fc.constantFrom("<!-- - < -->", "<![CDATA[<b> ]]]>"),
    tie("element"),
  ),
}));

/** The other parser leaves empty texts beside children out. */
function withText(element: Element): object {
  const isEmpty = (key: string, value: unknown) => key === "#text" && value === "";
  return JSON.parse(
    JSON.stringify(element, (key, value) => (isEmpty(key, value) ? undefined : value)),
  );
}

test("every document is read as another parser reads it", () => {
  fc.assert(
    fc.property(drawn.element, (xml) => {
      const document = `<?xml version="1.0"?>\n${xml}\n`;
      const [root] = Object.values(other.parse(document)) as Element[][];
      expect(withText(rootOf(document))).toEqual(withText(root![0]!));
    }),
    { numRuns: 500 },
  );
});

test("names lose their prefixes, and no name is one of every object", () => {
  const xml =
    '<s:E xmlns:s="urn:x"><s:Body a="1"><X/><t:X>&amp;</t:X><constructor/></s:Body></s:E>';
  const [body] = childrenOf(rootOf(xml), "Body");
  expect(childrenOf(body!, "X").map(textOf)).toEqual(["", "&"]);
  expect(attributeOf(body!, "a")).toBe("1");
  expect(childrenOf(body!, "constructor")).toHaveLength(1);
  expect(childrenOf(rootOf("<a/>"), "toString")).toEqual([]);
  expect(childrenOf(rootOf("<a><__proto__ b='1'/></a>"), "__proto__")).toHaveLength(1);
});

test("what is not well-formed, or may not be sent, is refused and never thrown", () => {
  const faultOf = (xml: string) => {
    const reading = read(xml);
    return reading.ok ? null : reading.fault.message;
  };
  const malformed = [
    ...["<a", "<a>", "<a></b>", "<a/><b/>", "a<b/>", "<a/>b", "</a>", "<a x=1/>", "<a x/>"],
    ...["<a x='1' x='2'/>", "<a b='<'/>", "<1/>", "<a><b></a></b>", "<a><!-- -- --></a>", "<>"],
    ...["<a><![CDATA[x]]</a>", "<![CDATA[x]]><a/>", "<a>< b/></a>", "<?php?><a/>", "<a:b:c/>"],
  ];
  for (const xml of malformed) expect(faultOf(xml)).toStartWith("is not well-formed XML at line 1");
  expect(faultOf("<a>\n\n<b></c></a>")).toBe("is not well-formed XML at line 3");
  expect(faultOf("  \n")).toBe("is empty");
  for (const xml of ["<!DOCTYPE a><a/>", "<a><!-- <!ENTITY b 'c'> --></a>"]) {
    expect(faultOf(xml)).toBe("has a DOCTYPE");
  }
  for (const reference of ["&b;", "&", "&#0;", "&#xD800;", "&#1114112;", "&#x110000;"]) {
    expect(faultOf(`<a>${reference}</a>`)).toBe("has an unknown entity");
  }
  expect(faultOf("<a>\u0001</a>")).toBe("has a forbidden character");
  expect(faultOf('<?xml version="1.0" encoding="UTF-16"?><a/>')).toContain("encoding");
  expect(textOf(rootOf("<a>&#233;&#x20AC;&lt;</a>"))).toBe("é€<");
});

test("32 levels are read, 33 are refused before the rest", () => {
  const deep = (levels: number) => "<a>".repeat(levels) + "</a>".repeat(levels);
  expect(read(deep(32)).ok).toBeTrue();
  expect(read(deep(33))).toMatchObject({ fault: { message: "is nested too deeply" } });
  expect(read("<a>".repeat(500_000))).toMatchObject({ fault: { message: "is nested too deeply" } });
});

test("a large text is read in slices", () => {
  const slices = readXml(`<a>${"<b c='1'/>".repeat(50_000)}</a>`, 32);
  let turns = 0;
  let slice = slices.next();
  for (; !slice.done; slice = slices.next()) turns += 1;
  expect(slice.value).toMatchObject({ ok: true, name: "a" });
  expect(turns).toBeGreaterThan(40);
});
