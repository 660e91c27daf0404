import { expect, test } from "bun:test";
import type { Kept, Xml } from "./answer.ts";
import { renderXml } from "./render-xml.ts";

const AT = Date.parse("2026-03-01T02:15:00.400Z");

function render(view: Omit<Xml, "ok">, headers: Record<string, string> = {}, method = "GET") {
  const request = new Request("http://localhost/feeds/google/x.xml", { headers, method });
  return renderXml({ request }, { ok: true, ...view });
}

/** A kept document that counts how often it was read. */
function kept(text: string, body?: () => ReadableStream<Uint8Array>) {
  const reads = { count: 0 };
  const xml = (encoding: string): Kept => {
    const bytes = encoding === "gzip" ? Bun.gzipSync(text) : Buffer.from(text);
    const tag = `"${Bun.hash(text)}-${encoding}"`;
    return {
      ...{ bytes: bytes.length, etag: tag },
      body: () => {
        reads.count += 1;
        return body?.() ?? bytes;
      },
    };
  };
  return { xml, reads };
}

test("a document has its length, and each encoding has its own tag", async () => {
  const text = `<a>${"é".repeat(1000)}</a>`;
  for (const xml of [text, kept(text).xml]) {
    const plain = await render({ xml });
    const coded = await render({ xml }, { "accept-encoding": "gzip" });
    expect(await plain.text()).toBe(text);
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(plain.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    const bytes = new Uint8Array(await coded.arrayBuffer());
    expect(Buffer.from(Bun.gunzipSync(bytes)).toString()).toBe(text);
    expect(coded.headers.get("content-encoding")).toBe("gzip");
    expect(coded.headers.get("content-length")).toBe(String(bytes.length));
    for (const { headers } of [plain, coded]) {
      expect(headers.get("content-type")).toBe("application/xml; charset=utf-8");
      expect(headers.get("vary")).toBe("Accept-Encoding");
      expect(headers.get("cache-control")).toBe("public, max-age=300, must-revalidate");
      expect(headers.get("etag")).toMatch(/^"[^"]+"$/);
    }
    expect(plain.headers.get("etag")).not.toBe(coded.headers.get("etag"));
  }
});

test("a client with the current document gets 304 by tag or by date; the tag takes precedence", async () => {
  const { xml, reads } = kept("<a/>");
  const view = { xml, modifiedMs: AT };
  const { headers } = await render(view, {}, "HEAD");
  const etag = headers.get("etag")!;
  const modified = "Sun, 01 Mar 2026 02:15:00 GMT";
  expect(headers.get("last-modified")).toBe(modified);
  const status = async (asked: Record<string, string>) => (await render(view, asked)).status;
  expect(reads.count).toBe(0);
  for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
    expect(await status({ "if-none-match": tag })).toBe(304);
  }
  expect(await status({ "if-modified-since": modified })).toBe(304);
  expect(reads.count).toBe(0);
  expect(await status({ "if-modified-since": "Sun, 01 Mar 2026 02:14:59 GMT" })).toBe(200);
  expect(await status({ "if-modified-since": "yesterday" })).toBe(200);
  expect(await status({ "if-none-match": '"x"', "if-modified-since": modified })).toBe(200);
  expect(await status({ "if-none-match": etag, "accept-encoding": "gzip" })).toBe(200);
  const known = await render(view, { "if-none-match": etag });
  expect(known.headers.get("etag")).toBe(etag);
  expect(known.headers.get("vary")).toBe("Accept-Encoding");
  expect(known.headers.get("content-length")).toBeNull();
});

test("HEAD has the headers of GET, and reads nothing", async () => {
  const { xml, reads } = kept("<a/>");
  const [head, got] = [await render({ xml }, {}, "HEAD"), await render({ xml })];
  expect(await head.text()).toBe("");
  expect([...head.headers].sort()).toEqual([...got.headers].sort());
  expect(reads.count).toBe(1);
});

test("a small stream is sent whole, with its length", async () => {
  const body = () => new Blob(["<a/>"]).stream();
  const response = await render({ xml: kept("<a/>", body).xml });
  expect(response.headers.get("content-length")).toBe("4");
  expect(await response.text()).toBe("<a/>");
});

test("no shared cache keeps a document for one partner", async () => {
  const { headers } = await render({ xml: "<a/>", isPrivate: true });
  expect(headers.get("cache-control")).toBe("private, max-age=300, must-revalidate");
  expect(headers.get("vary")).toBe("Accept-Encoding, Authorization");
  expect(headers.get("access-control-allow-origin")).toBeNull();
});
