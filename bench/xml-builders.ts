/**
 * The two libraries that teams write XML with, given what stands in an `ari.xml` of ours as the
 * plain objects that they take. Both use the same form: members `@name` are attributes.
 */
import { XMLBuilder, XMLParser } from "fast-xml-parser";
import { create } from "xmlbuilder2";

/** One element's content as an object; a member that comes more than once is an array. */
export type XmlObject = { readonly [name: string]: unknown };

export const LIBRARIES = ["fast-xml-parser", "xmlbuilder2"] as const;
export type Library = (typeof LIBRARIES)[number];

/** Results that are parsed or built at a time where a document is not taken whole. */
export const SLICE_RESULTS = 500;

const FORM = { ignoreAttributes: false, attributeNamePrefix: "@", textNodeName: "#text" };
const RESULT = "<Result>";
const END = "</Transaction>";

const parser = new XMLParser({
  ...FORM,
  ...{ parseTagValue: false, parseAttributeValue: false, processEntities: false },
  isArray: (name) => name === "Result" || name === "RoomBundle",
});
const builder = new XMLBuilder({
  ...FORM,
  ...{ suppressEmptyNode: true, suppressBooleanAttributes: false },
});

/** The elements `Result` of a whole document of ours, without what separates them. */
export function resultsOf(document: string): string {
  const from = document.indexOf(RESULT);
  return from < 0 ? "" : document.slice(from, document.lastIndexOf(END)).replaceAll("\n", "");
}

/** The results of a document as objects, slice by slice. */
export function* slicesOf(document: string): Generator<readonly XmlObject[]> {
  const results = resultsOf(document);
  for (let from = 0; from < results.length; ) {
    let to = from;
    for (let n = 0; n < SLICE_RESULTS && to < results.length; n += 1) {
      const next = results.indexOf(RESULT, to + 1);
      to = next < 0 ? results.length : next;
    }
    const { slice } = parser.parse(`<slice>${results.slice(from, to)}</slice>`);
    yield slice.Result;
    from = to;
  }
}

/** The elements `Result` as a library writes them, without indentation. */
export function build(library: Library, results: readonly XmlObject[]): string {
  const document = { Transaction: { Result: results } };
  const text =
    library === "fast-xml-parser"
      ? builder.build(document)
      : create(document).end({ prettyPrint: false, headless: true });
  return text.slice("<Transaction>".length, -END.length);
}
