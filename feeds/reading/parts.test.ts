/**
 * Goal: a document is read the same however its bytes arrive, and reading stops at malformed input.
 * Method: every size of pieces over texts with nested markup; a table of broken ones.
 */
import { expect, test } from "bun:test";
import { inPieces } from "../../test/support/feed-documents.ts";
import { leavesOf, textOf } from "./element.ts";
import { type Part, partsOf } from "./parts.ts";

function partsIn(text: string, size?: number): Promise<Part[]> {
  return Array.fromAsync(partsOf(inPieces(text, size)));
}

const TANGLED = `<?xml version="1.0" encoding="utf-8"?>
<!-- innkeep seq=1 at=x --><?about <r>?>
<r a="1 > 0" b='"'>
  <!-- <x> is no element --><x/>
  <y z=">"><![CDATA[</y> & <y>]]>ü€😀&#x1F600;&amp;</y><!----><w><w><w>deep</w></w></w>
</r>
<!-- the end -->`;

test("the parts are the same for any size of the pieces", async () => {
  const whole = await partsIn(TANGLED);
  expect(whole.map((part) => ("name" in part ? part.name : part.kind))).toEqual([
    ...["comment", "r", "comment", "x", "y", "comment", "w", "comment"],
  ]);
  expect(whole[1]).toEqual({ kind: "root", name: "r", attributes: { a: "1 > 0", b: '"' } });
  const [, , , , y] = whole;
  expect(y?.kind === "element" && textOf(y.element)).toBe("</y> & <y>ü€😀😀&");
  for (let size = 1; size <= 40; size += 1) expect(await partsIn(TANGLED, size)).toEqual(whole);
});

test("texts are reported with their references resolved and their path", async () => {
  const parts = await partsIn('<r><a><b n="&quot;1">x &lt; &#65;</b><c/></a></r>');
  const [, a] = parts;
  expect(a?.kind === "element" && [...leavesOf(a.element)]).toEqual([
    ['b["1]', "x < A"],
    ["c", ""],
  ]);
});

/** What is broken, and a word of what is said. */
const BROKEN: readonly (readonly [text: string, said: string])[] = [
  ["", "no element"],
  ["hello", "in no element"],
  ["<r>", "ends before </r>"],
  ["<r><a></a>", "ends before </r>"],
  ["<r><a>", "ends before </r>"],
  ["<r><a b='", "breaks off"],
  ["<r><a></b></a></r>", "element 1 of <r>"],
  ["<r><a><b></a></b></r>", "element 1 of <r>"],
  ["<r></s>", "unexpected </s>"],
  ["<r></r></r>", "unexpected </r>"],
  ["<r/><r/>", "another element"],
  ["<r></r>text", "in no element"],
  ["<r>text<a/></r>", "in no element"],
  ["<r><![CDATA[x]]></r>", "in no element"],
  ["<r><a>1 & 2</a></r>", "element 1"],
  ["<r><a>&nbsp;</a></r>", "references"],
  ["<r a='&nbsp;'/>", "references"],
  ["<r><a>&#0;</a></r>", "forbids"],
  ["<r><a>&#xD800;</a></r>", "forbids"],
  ["<r><a>&#x110000;</a></r>", "forbids"],
  ["<r><a>\u0001</a></r>", "forbids"],
  ["<r><a>\uffff</a></r>", "forbids"],
  ["<r><a>]]></a></r>", "]]> in a text"],
  ["<r><a b='<'/></r>", "< in a tag"],
  ["<r><a b=1/></r>", "element 1"],
  ["<r><a b='1' b='2'/></r>", "element 1"],
  ["<r><!-- a -- b --></r>", "-- in a comment"],
  ["<!DOCTYPE r><r/>", "DOCTYPE"],
  ['<!DOCTYPE r [<!ENTITY e "x">]><r><a>&e;</a></r>', "DOCTYPE"],
  ["<r/><?xml version='1.0'?>", "not at the very beginning"],
  ["<?xml version='1.0' encoding='ISO-8859-1'?><r/>", "ISO-8859-1"],
];

test("malformed input is a fault, and nothing is reported after it", async () => {
  for (const [text, said] of BROKEN) {
    for (const size of [1, 7, 65_536]) {
      const last = (await partsIn(text, size)).at(-1);
      const what = last?.kind === "fault" ? last.what : `read as ${JSON.stringify(last)}`;
      expect({ text, what }).toEqual({ text, what: expect.stringContaining(said) });
    }
  }
});

test("the content before a fault is reported, however large its piece", async () => {
  for (const size of [1, 7, 65_536]) {
    const parts = await partsIn("<!-- c --><r><a/><b></c></r>", size);
    expect(parts.map(({ kind }) => kind)).toEqual(["comment", "root", "element", "fault"]);
  }
});

test("bytes that are not UTF-8 are a fault; a failing reader is not a fault of the document", async () => {
  async function* latin1() {
    yield Buffer.from("<r><a>\u00fc</a></r>", "latin1");
  }
  expect(await Array.fromAsync(partsOf(latin1()))).toEqual([
    { kind: "fault", what: "bytes that are not UTF-8" },
  ]);
  async function* torn() {
    yield Buffer.from("<r>");
    throw new Error("the line is dead");
  }
  expect(Array.fromAsync(partsOf(torn()))).rejects.toThrow("the line is dead");
});

test("an endless element is refused before it fills the memory", async () => {
  async function* endless() {
    yield Buffer.from("<r><a>");
    for (;;) yield Buffer.alloc(1_000_000, "x");
  }
  const parts = await Array.fromAsync(partsOf(endless()));
  expect(parts.at(-1)).toEqual({ kind: "fault", what: "element 1 of <r>: it does not end" });
});

test("a document of any size is streamed, and memory of read parts is freed", async () => {
  const [elements, characters] = [40, 400_000];
  const heapBytes = () => {
    Bun.gc(true);
    return process.memoryUsage().heapUsed;
  };
  let seen = 0;
  let heapMost = 0;
  async function* document() {
    yield Buffer.from("<r>");
    for (let i = 0; i < elements; i += 1) {
      yield Buffer.from(`<a>${"x".repeat(characters)}</a>`);
      expect(seen).toBe(i + 1);
      if (i % 20 === 19) heapMost = Math.max(heapMost, heapBytes());
    }
    yield Buffer.from("</r>");
  }
  const before = heapBytes();
  for await (const part of partsOf(document())) if (part.kind === "element") seen += 1;
  expect(seen).toBe(elements);
  expect(heapMost - before).toBeLessThan((elements * characters) / 3);
});
