/**
 * Goal: text and exit code say whether partners will accept a document, from any source. Method:
 * the command line over files and a server with Basic.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ARI, changed, HOUSE, LIST } from "../../../test/support/feed-documents.ts";
import { runWords } from "../../../test/support/operator-program.ts";
import { feeds } from "./feeds.ts";

let directory: string;
let server: Bun.Server<undefined>;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "feeds-cli-"));
  server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch(request) {
      const given = request.headers.get("authorization");
      if (given !== `Basic ${btoa("google:p@ss")}`) return new Response("no", { status: 401 });
      const headers = { "content-encoding": "gzip" };
      return new Response(Bun.gzipSync(new TextEncoder().encode(ARI)), { headers });
    },
  });
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await server.stop(true);
});

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(directory, name);
  await Bun.write(path, content);
  return path;
}

const run = (...words: readonly string[]) => runUntil(new AbortController().signal, ...words);

const runUntil = (signal: AbortSignal, ...words: readonly string[]) =>
  runWords(feeds, words, {}, signal);

test("a file is validated by its content, gzipped or not", async () => {
  const plain = await file("ari.xml", ARI);
  const gzipped = await file("ari.xml.gz", Bun.gzipSync(new TextEncoder().encode(ARI)));
  for (const path of [plain, gzipped]) {
    const { code, out, err } = await run("validate", path);
    expect(out).toStartWith(`${path}: ari, valid\n  built after     event 4711`);
    expect(out).toMatch(/ {2}bundles {9}3\n/);
    expect({ code, err }).toEqual({ code: 0, err: "" });
  }
});

test("a document that partners refuse exits with 1, each fault with its position", async () => {
  const path = await file("broken.xml", changed(ARI, "7.20<", "7,20<"));
  const { code, out } = await run("validate", path);
  expect(code).toBe(1);
  expect(out).toContain("NOT VALID");
  expect(out).toContain(`fault           amount × 1: has an amount`);
  expect(out).toContain(`      ${HOUSE} 2026-03-01 1 nights: 7,20 EUR\n`);
});

test("the schema is checked with xmllint where it is installed", async () => {
  // Fine for every check of ours; only the schema knows that it may not stand there.
  const path = await file("odd.xml", changed(LIST, "<category>", "<stars>5</stars><category>"));
  const { code, out } = await run("validate", "--json", path);
  const [{ schema, faults }] = JSON.parse(out).documents;
  expect(faults).toEqual([]);
  if (Bun.which("xmllint") === null) {
    expect({ code, schema }).toEqual({ code: 0, schema: "no_xmllint" });
    return;
  }
  expect({ code, validates: schema.validates }).toEqual({ code: 1, validates: false });
  expect(schema.complaints.join()).toContain("'stars'");
});

test("a list and prices are checked against each other", async () => {
  const [list, ari] = [await file("list.xml", LIST), await file("prices.xml", ARI)];
  const fine = await run("validate", list, ari);
  expect(fine.code).toBe(0);
  expect(fine.out).toContain("list and prices together: every priced property is listed\n");
  const other = await file("other.xml", LIST.replaceAll(HOUSE, "other"));
  const { code, out } = await run("validate", ari, other);
  expect(code).toBe(1);
  expect(out).toContain("not_listed × 1");
});

test("an address is fetched as partners do, and its password is not printed", async () => {
  const address = `http://google:p%40ss@127.0.0.1:${server.port}/ari.xml`;
  const { code, out } = await run("validate", address);
  expect(code).toBe(0);
  expect(out).toStartWith(`http://127.0.0.1:${server.port}/ari.xml: ari, valid\n`);
  const refused = await run("validate", address.replace("p%40ss", "wrong"));
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain("answered 401, not 200");
  expect(refused.err).not.toContain("wrong");
  // The server expects another; that this one can be sent at all is what is shown.
  const foreign = await run("validate", address.replace("p%40ss", "%E2%82%AC"));
  expect(foreign.err).toContain("answered 401, not 200");
  const bare = await run("validate", address.replace("p%40ss", "10%off"));
  expect(bare).toMatchObject({ code: 1, out: "" });
  expect(bare.err).toContain("must be percent-encoded");
  expect(bare.err).not.toContain("10%off");
});

/** An address that sends `text` and then nothing, for ever; resolves once its reader is gone. */
function endless(text: string) {
  const left = Promise.withResolvers<void>();
  const sending = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch: () => {
      const start = (controller: ReadableStreamDefaultController) => {
        controller.enqueue(new TextEncoder().encode(text.padEnd(100_000)));
      };
      return new Response(new ReadableStream({ start, cancel: () => left.resolve() }));
    },
  });
  const url = `http://127.0.0.1:${sending.port}/ari.xml`;
  return { url, left: left.promise, [Symbol.asyncDispose]: () => sending.stop(true) };
}

test("after a fault no more bytes are fetched from an address", async () => {
  await using address = endless(changed(ARI, "</Result>", "</b>"));
  expect(await run("validate", address.url)).toMatchObject({ code: 1 });
  await address.left;
});

test("an interrupt while reading gives its exit code and closes the connection", async () => {
  await using address = endless(ARI.slice(0, -30));
  const ending = new AbortController();
  const running = runUntil(ending.signal, "validate", address.url);
  setTimeout(() => ending.abort(), 50);
  expect(await running).toMatchObject({ code: 130, out: "", err: "" });
  await address.left;
});

test("an unreadable document is reported by name, an invalid command line as misuse", async () => {
  const cut = await file("cut.gz", Bun.gzipSync(new TextEncoder().encode(ARI)).subarray(0, 300));
  expect(await run("validate", cut)).toMatchObject({ code: 1 });
  const gone = await run("validate", join(directory, "gone.xml"));
  expect(gone).toMatchObject({ code: 1, err: `no file ${directory}/gone.xml\n` });
  expect(await run("validate")).toMatchObject({
    code: 2,
    err: "DOCUMENT or --partner is missing\n",
  });
  expect(await run("validate", "--days", "7", cut)).toMatchObject({
    code: 2,
    err: "--days needs --partner\n",
  });
  expect((await run("validate", "--help")).out).toContain("validate [DOCUMENT...] [options]");
});

test("a comparison of two documents is given in words, as JSON and as exit code", async () => {
  const old = await file("old.xml", ARI);
  const now = await file("new.xml", ARI.replaceAll("120.00", "125.00"));
  const { code, out } = await run("diff", old, now);
  expect(code).toBe(0);
  expect(out).toStartWith(`ari\n  old             ${old}  event 4711 of 2026-03-01T02:15:00Z\n`);
  expect(out).toMatch(/ {2}dearer {10}1\n/);
  expect(out).toContain(`${HOUSE}  2026-03-01       1  dearer  131.20 EUR  136.20 EUR\n`);
  const first = ["--first", "1", "--json"];
  const told = JSON.parse((await run("diff", old, now, ...first)).out);
  expect(told).toMatchObject({ kind: "ari", shrunken: false, prices: { dearer: 1, compared: 4 } });
});

test("a list that partners would reject gives a warning and exit code 1; fields have a line each", async () => {
  const old = await file("old-list.xml", LIST);
  const renamed = await file("renamed.xml", changed(LIST, ">Lisboa<", ">Porto\u202e<"));
  const { code, out } = await run("diff", old, renamed);
  expect(code).toBe(0);
  expect(out).toContain("          address[simple]/component[city]: Lisboa → Porto\\u{202e}\n");
  const listing = /<listing>.*<\/listing>/.exec(LIST)![0];
  const empty = await file("empty.xml", changed(LIST, listing, ""));
  const shrunken = await run("diff", old, empty);
  expect(shrunken.code).toBe(1);
  expect(shrunken.out).toContain("WARNING: more than 10 % fewer");
  const torn = await run("diff", old, await file("torn.xml", LIST.slice(0, -9)));
  expect(torn).toMatchObject({ code: 1, out: "" });
  expect(torn.err).toContain("torn.xml: element 3 of <listings>: the document breaks off");
  expect(await run("diff", old)).toMatchObject({ code: 2 });
  expect(await run("diff", old, old, old)).toMatchObject({ code: 2 });
});
