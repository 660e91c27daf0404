/** Goal: answers are compressed where that saves bytes and leaks no secret. */
import { expect, test } from "bun:test";
import { decoded } from "../../test/support/decoded.ts";
import { ROUTES } from "../app.ts";
import { readConfig } from "../config.ts";
import { type Answer, type Document, type RendererName, refuse } from "./answer.ts";
import type { Asked } from "./call.ts";
import { coded, codedOnce } from "./compress.ts";
import type { Context } from "./context.ts";
import type { Contract } from "./contract.ts";
import { sendData } from "./send-data.ts";

const CODINGS = ["br", "gzip", "zstd"] as const;
const TEXT = "A room in Madrid, with breakfast. ".repeat(100);
const LARGE = { ok: true, data: { text: TEXT, version: 7 } } as const;
const ALL = "gzip, deflate, br, zstd";

type Sent = Readonly<Record<string, string>>;

/** What is answered to a request with these headers. */
async function send(renderer: RendererName, answer: Answer, headers: Sent, route?: Contract) {
  const call: Asked = {
    context: { config: readConfig({}), routes: ROUTES } as unknown as Context,
    request: new Request("http://localhost/", { headers }),
    traceId: "0af7651916cd43dd8448eb211c80319c",
    ...{ method: "GET", path: "/", sent: undefined, may: undefined },
    ...{ query: new Map(), realm: undefined, ...(route && { route }) },
  };
  const response = await sendData(renderer, call, answer);
  const of = (name: string) => response.headers.get(name);
  const about = { coding: of("content-encoding"), vary: of("vary"), etag: of("etag") };
  return { status: response.status, bytes: await response.bytes(), ...about };
}

const search = ROUTES.byId("search");

test("a read's answer has the encoding its caller prefers, and a Vary header", async () => {
  const plain = await send("envelope", LARGE, {}, search);
  expect([plain.coding, plain.vary]).toEqual([null, "Accept-Encoding"]);
  const text = decoded(plain.bytes, null);
  for (const coding of CODINGS) {
    const sent = await send("envelope", LARGE, { "accept-encoding": coding }, search);
    expect([sent.coding, sent.vary]).toEqual([coding, "Accept-Encoding"]);
    expect(sent.bytes.length).toBeLessThan(500);
    expect(decoded(sent.bytes, coding)).toBe(text);
  }
  expect((await send("envelope", LARGE, { "accept-encoding": ALL }, search)).coding).toBe("zstd");
  const none = { "accept-encoding": "identity, *;q=0" };
  expect((await send("envelope", LARGE, none, search)).coding).toBeNull();
});

test("an answer of many megabytes is compressed without blocking other work", async () => {
  const request = new Request("http://localhost/", { headers: { "accept-encoding": "gzip" } });
  const init = () => ({ status: 200, headers: new Headers() });
  expect(coded(request, "x".repeat(256 * 1_024), init())).toBeInstanceOf(Response);
  expect(coded(request, "x".repeat(256 * 1_024 + 1), init())).toBeInstanceOf(Promise);
  const data = { rows: Array.from({ length: 40_000 }, (_, i) => `row ${i}`) };
  const plain = await send("envelope", { ok: true, data }, {}, search);
  for (const coding of CODINGS) {
    const accept = { "accept-encoding": coding };
    const { bytes } = await send("envelope", { ok: true, data }, accept, search);
    expect(decoded(bytes, coding)).toBe(decoded(plain.bytes, null));
  }
});

test("answers of changes (they may show a secret) and tags for If-Match are sent unchanged", async () => {
  const wanted = { "accept-encoding": ALL };
  const inEnvelope = ROUTES.all.filter(({ renderer = "envelope" }) => renderer === "envelope");
  const coded: string[] = [];
  for (const route of inEnvelope) {
    const { coding, vary } = await send("envelope", LARGE, wanted, route);
    if (coding !== null) coded.push(route.id);
    expect({ id: route.id, varies: vary !== null }).toEqual({
      id: route.id,
      varies: coding !== null,
    });
  }
  const secret = inEnvelope.filter(({ description }) => /shown once/i.test(description));
  expect(secret.length).toBeGreaterThan(4);
  for (const { id } of secret) expect(coded).not.toContain(id);
  expect(coded).not.toContain("admin_get_property");
  const changes = ["search", "verify_receipt"];
  const reads = inEnvelope.filter(({ id, method, etag }) =>
    method === "GET" ? etag === undefined || etag === "content" : changes.includes(id),
  );
  expect(coded.sort()).toEqual(reads.map(({ id }) => id).sort());
  const token = await send("oauth", { ok: true, body: LARGE }, wanted);
  expect([token.coding, token.vary]).toEqual([null, null]);
});

test("a page that shows a secret is sent unchanged, other pages of its visitor are not", async () => {
  const wanted = { "accept-encoding": ALL };
  const page = { ok: true, show: { html: TEXT } } as const;
  const secret = await send("private-page", { ...page, hasSecret: true }, wanted);
  expect([secret.coding, secret.vary, decoded(secret.bytes, null)]).toEqual([null, null, TEXT]);
  expect((await send("private-page", page, wanted)).coding).toBe("zstd");
});

test("refusals and answers that fit into a packet are sent unchanged", async () => {
  const wanted = { "accept-encoding": ALL };
  const refused = refuse("validation_failed", { text: TEXT });
  const small = { ok: true, data: { text: "x".repeat(800) } } as const;
  for (const answer of [refused, small]) {
    const { coding, vary } = await send("envelope", answer, wanted, search);
    expect([coding, vary]).toEqual([null, null]);
  }
});

test("another protocol's text answer is compressed, its stream is not", async () => {
  const about = { ok: true, status: 200, headers: { "content-type": "application/json" } } as const;
  const text = await send("verbatim", { ...about, body: TEXT }, { "accept-encoding": "br" });
  expect([text.coding, decoded(text.bytes, "br")]).toEqual(["br", TEXT]);
  const body = new Blob([TEXT]).stream();
  const stream = await send("verbatim", { ...about, body }, { "accept-encoding": "br" });
  expect([stream.coding, decoded(stream.bytes, null)]).toEqual([null, TEXT]);
});

test("each encoding of a document has its own tag, which gives 304", async () => {
  const document: Document = {
    ok: true,
    content: `${TEXT} of the first`,
    headers: { vary: "Accept" },
  };
  const tags = new Set<string | null>();
  for (const accept of ["identity", ...CODINGS]) {
    const headers = { "accept-encoding": accept };
    const { bytes, coding, vary, etag } = await send("document", document, headers);
    expect([coding ?? "identity", vary]).toEqual([accept, "Accept, Accept-Encoding"]);
    expect(decoded(bytes, coding)).toBe(document.content as string);
    expect(etag).toMatch(/^"[\w-]+"$/);
    tags.add(etag);
    const known = await send("document", document, { ...headers, "if-none-match": etag! });
    expect([known.status, known.bytes.length, known.coding]).toEqual([304, 0, null]);
    expect([known.etag, known.vary]).toEqual([etag, vary]);
  }
  expect(tags.size).toBe(4);
  expect((await send("document", document, { "accept-encoding": ALL })).coding).toBe("br");
  // Two bodies that say the same have one tag, whatever the coding.
  const weak = { ...document, etagOf: "what it says" };
  for (const accept of ["identity", "br"]) {
    const { etag } = await send("document", weak, { "accept-encoding": accept });
    expect(etag).toBe((await send("document", weak, {})).etag);
    expect(etag).toStartWith('W/"');
  }
});

test("a cacheable document is compressed once, one for a single caller each time", async () => {
  const content = `${TEXT} of the second`;
  const accept = { "accept-encoding": "br" };
  const { bytes } = await send("document", { ok: true, content }, accept);
  const kept = codedOnce(content, "br");
  expect(bytes).toEqual(await kept);
  // The same text, though another string.
  expect(codedOnce(`${TEXT} of the ${["second"].join()}`, "br")).toBe(kept);
  expect(codedOnce(content, "gzip")).not.toBe(kept);
  const headers = { "cache-control": "private, max-age=0" };
  const own = await send("document", { ok: true, content, headers }, accept);
  expect(decoded(own.bytes, "br")).toBe(content);
  expect(own.bytes).not.toEqual(bytes);
  // What is asked for now and then is kept however many others come, what nobody asks for is not.
  const gzip = codedOnce(content, "gzip");
  for (let i = 0; i < 300; i += 1) {
    await codedOnce(`between ${i}`, "gzip");
    if (i % 200 === 0) expect(codedOnce(content, "gzip")).toBe(gzip);
  }
  expect(codedOnce(content, "gzip")).toBe(gzip);
  for (let i = 0; i < 256; i += 1) await codedOnce(`other ${i}`, "br");
  expect(codedOnce(content, "br")).not.toBe(kept);
});

test("a missing page and an answer that is already compressed are sent unchanged", async () => {
  const missing = await send(
    "document",
    { ok: true, content: TEXT, status: 404 },
    { "accept-encoding": ALL },
  );
  expect([missing.status, missing.coding, missing.vary]).toEqual([404, null, null]);
  const content = Bun.gzipSync(TEXT.repeat(100));
  const headers = { "content-encoding": "gzip", vary: "Accept-Encoding" };
  const packed = { ok: true, content, isCoded: true, headers } as const;
  const sent = await send("document", packed, { "accept-encoding": ALL });
  expect([sent.coding, sent.bytes]).toEqual(["gzip", content]);
});
