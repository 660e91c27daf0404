/**
 * Goal: each document of each partner is valid and is served like a file. Method: all documents are
 * fetched over HTTP, validated by another program, and requested in every way that clients and
 * caches use.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { PARTNERS } from "../../feeds/partners.ts";
import { createTenant } from "../../src/access/control/tenants.ts";
import { propertyBody } from "../support/client.ts";
import { createHardHotel } from "../support/hard-hotel.ts";
import {
  type DocumentName,
  expectValid,
  type Fetched,
  type FetchOptions,
  feedPath,
  fetchFeed,
  textOf,
} from "../support/served-feeds.ts";
import { Service } from "../support/service.ts";

const NIGHTS = 7;
const SLICES = [1, 30, 90] as const;
const OF_A_TENANT: readonly DocumentName[] = ["hotel-list", "ari"];
const NOBODY = "0b0e7d2a-5f0c-4d5e-9f57-0123456789ab";

let service: Service;
/** A tenant of few hotels: its feeds are built in a moment. */
let tenant_id: string;
/** Its live properties, ascending. */
let properties: readonly string[];

beforeAll(async () => {
  service = await Service.start();
  const { second_tenant } = service.demo;
  await createHardHotel(service, second_tenant);
  tenant_id = second_tenant.tenant_id;
  const answer = await service.api("GET", "/v1/properties", { agent: second_tenant.agent });
  const { items } = answer.ok<{ readonly items: readonly { readonly id: string }[] }>().data;
  properties = items.map(({ id }) => id).sort();
});
afterAll(() => service.stop());

type Query = Readonly<Record<string, string | number>>;

function get(partner: string, document: DocumentName, query: Query = {}, options?: FetchOptions) {
  return fetchFeed(service, feedPath(partner, document, { tenant_id, ...query }), options);
}

/** The texts between a tag, in their order. */
function textsOf(document: string, tag: string): string[] {
  return [...document.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, "g"))].map(([, id]) => id!);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

function namedIn({ headers }: Fetched, ...names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
}

test.each(PARTNERS)("all documents of %s are valid and consistent", async (partner) => {
  const list = textOf(await get(partner, "hotel-list"));
  expectValid("hotel-list", list);
  expect(textsOf(list, "id")).toEqual(properties as string[]);
  const landing = textOf(await fetchFeed(service, feedPath(partner, "pointofsale", { tenant_id })));
  expectValid("pointofsale", landing);
  expect(textsOf(landing, "URL")).toHaveLength(1);
  for (const days of SLICES) {
    const ari = textOf(await get(partner, "ari", { days }));
    expectValid("ari", ari);
    const [head = "", ...results] = ari.split("<Result>");
    expect(results).toHaveLength(properties.length * days * NIGHTS);
    expect(textsOf(head, "Property")).toEqual([...properties]);
    expect(unique(textsOf(results.join(""), "Property"))).toEqual([...properties]);
    for (const id of ["RoomID", "PackageID"]) {
      expect(unique(textsOf(results.join(""), id))).toEqual(unique(textsOf(head, id)));
    }
  }
});

test("a document of fewer days is the beginning of a longer one, at the same position", async () => {
  const texts = await Promise.all(
    SLICES.map(async (days) => textOf(await get("google", "ari", { days }))),
  );
  const heads = texts.map((text) => text.slice(text.indexOf("<PropertyDataSet>")));
  const [shortest, longer, longest] = heads.map((text) =>
    text.replace("</Transaction>", "").trim(),
  );
  expect(longest!.startsWith(longer!)).toBe(true);
  expect(longer!.startsWith(shortest!)).toBe(true);
  const openings = texts.map((text) => /<!-- (innkeep .+?) -->\s*<Transaction (.+?)>/.exec(text)!);
  const ids = openings.map(([, , attributes]) => / ?id="([^"]+)"/.exec(attributes!)![1]);
  expect(ids.map((id) => id!.split("-d")[1])).toEqual(SLICES.map(String));
  expect(new Set(openings.map(([, position]) => position)).size).toBe(1);
  expect(textOf(await get("google", "ari"))).toBe(texts[1]!);
});

test("every document is served like a file: type, size, validators, position", async () => {
  for (const document of OF_A_TENANT) {
    const answer = await get("google", document);
    const [, seq, at] = /<!-- innkeep seq=(\d+) at=(\S+) -->/.exec(textOf(answer))!;
    expect(namedIn(answer, "content-type", "content-encoding", "vary", "cache-control")).toEqual({
      "content-type": "application/xml; charset=utf-8",
      "content-encoding": null,
      vary: "Accept-Encoding",
      "cache-control": "public, max-age=300, must-revalidate",
    });
    expect(namedIn(answer, "innkeep-feed-seq", "innkeep-feed-at", "content-length")).toEqual({
      ...{ "innkeep-feed-seq": seq!, "innkeep-feed-at": at! },
      "content-length": String(answer.bytes.length),
    });
    expect(answer.headers.get("etag")).toMatch(/^"[^"]+"$/);
    expect(answer.headers.get("last-modified")).toBe(new Date(at!).toUTCString());
    const head = await get("google", document, {}, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(head.bytes).toHaveLength(0);
    for (const name of ["etag", "content-length", "content-type", "last-modified", "vary"]) {
      expect(head.headers.get(name)).toBe(answer.headers.get(name));
    }
  }
});

test("a document that the client has is not sent again, by either validator", async () => {
  for (const [document, query] of [
    ["hotel-list", {}],
    ["ari", { days: 30 }],
  ] as const) {
    const { headers } = await get("google", document, query);
    const [etag, modified] = [headers.get("etag")!, headers.get("last-modified")!];
    const statusFor = async (
      sent: Readonly<Record<string, string>>,
      method: "GET" | "HEAD" = "GET",
    ) => {
      const answer = await get("google", document, query, { method, headers: sent });
      if (answer.status === 304) {
        expect(answer.bytes).toHaveLength(0);
        expect(answer.headers.get("etag")).toBe(etag);
        expect(answer.headers.get("cache-control")).toBe(headers.get("cache-control"));
      }
      return answer.status;
    };
    const earlier = new Date(Date.parse(modified) - 1_000).toUTCString();
    const wanted = { "if-none-match": etag, "if-modified-since": modified };
    expect(await statusFor({ "if-none-match": etag })).toBe(304);
    expect(await statusFor({ "if-none-match": etag }, "HEAD")).toBe(304);
    expect(await statusFor({ "if-none-match": `"other", W/${etag}` })).toBe(304);
    expect(await statusFor({ "if-none-match": "*" })).toBe(304);
    expect(await statusFor({ "if-modified-since": modified })).toBe(304);
    expect(await statusFor({ "if-modified-since": earlier })).toBe(200);
    expect(await statusFor({ "if-none-match": '"other"' })).toBe(200);
    // The stronger of two validators decides (RFC 9110 §13.2.2).
    expect(await statusFor({ ...wanted, "if-none-match": '"other"' })).toBe(200);
    expect(await statusFor({ ...wanted, "if-modified-since": earlier })).toBe(304);
  }
});

test("each slice and each encoding is an entity of its own", async () => {
  const etags: string[] = [];
  for (const days of SLICES) {
    for (const encoding of ["identity", "gzip"]) {
      const headers = { "accept-encoding": encoding };
      const answer = await get("google", "ari", { days }, { headers });
      expect(answer.headers.get("content-encoding")).toBe(encoding === "gzip" ? "gzip" : null);
      etags.push(answer.headers.get("etag")!);
    }
  }
  expect(new Set(etags).size).toBe(etags.length);
});

test("the compressed form holds the same bytes for every reader of gzip", async () => {
  for (const [document, query] of [
    ["hotel-list", {}],
    ...SLICES.map((days) => ["ari", { days }] as const),
  ] as const) {
    const plain = await get("google", document, query);
    const packed = await get("google", document, query, {
      headers: { "accept-encoding": "br;q=1, gzip;q=0.5" },
    });
    expect(packed.headers.get("content-length")).toBe(String(packed.bytes.length));
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    const tool = Bun.spawn(["gzip", "-dc"], { stdin: new Blob([packed.bytes]), stdout: "pipe" });
    expect(Buffer.from(await tool.stdout.bytes()).equals(plain.bytes)).toBe(true);
    expect(await tool.exited).toBe(0);
    const path = feedPath("google", document, { tenant_id, ...query });
    const read = await fetch(service.baseUrl + path, { headers: { "accept-encoding": "gzip" } });
    expect(Buffer.from(await read.bytes()).equals(plain.bytes)).toBe(true);
  }
  const refused = { "accept-encoding": "gzip;q=0, identity" };
  const { headers } = await get("google", "ari", {}, { headers: refused });
  expect(headers.get("content-encoding")).toBeNull();
});

test("a partner's other name is the same partner", async () => {
  for (const document of OF_A_TENANT) {
    const [named, other] = [await get("bing", document), await get("microsoft", document)];
    expect(textOf(other)).toBe(textOf(named));
    expect(other.headers.get("etag")).toBe(named.headers.get("etag"));
  }
});

test("an unservable request is refused in the envelope with the supported alternatives", async () => {
  const refusal = (path: string) => service.api("GET", path, { agent: null });
  const unknown = await refusal(feedPath("expedia", "ari", { tenant_id }));
  const { detail, next_actions } = unknown.refused("validation_failed", 404);
  for (const partner of PARTNERS) expect(JSON.stringify(detail)).toContain(partner);
  for (const { method, href } of next_actions) {
    expect((await service.api(method, href, { agent: null })).status).toBeLessThan(400);
  }
  const faults = async (query: string) => {
    return (await refusal(`/feeds/google/ari.xml${query}`)).faults();
  };
  expect(await faults("")).toEqual(["?tenant_id"]);
  expect(await faults("?tenant_id=demo&days=0")).toEqual(["?days", "?tenant_id"]);
  for (const days of ["91", "1.5", "x", "", "-1", "1e1", "٣"]) {
    expect(await faults(`?tenant_id=${tenant_id}&days=${days}`)).toEqual(["?days"]);
  }
});

test("an unknown tenant is answered like a tenant without supply", async () => {
  const empty = await emptyTenant();
  for (const document of OF_A_TENANT) {
    const [known, unknown] = await Promise.all(
      [empty, NOBODY].map((id) => get("google", document, { tenant_id: id })),
    );
    const without = (text: string, id: string) =>
      text.replace(/at=\S+|timestamp="[^"]+"|\d{8}T\d{6}Z/g, "").replaceAll(id.slice(0, 8), "");
    expect(without(textOf(unknown!), NOBODY)).toBe(without(textOf(known!), empty));
    expect(textOf(known!)).not.toContain("<Result>");
    expect(textOf(known!)).not.toContain("<listing>");
    const names = (answer: Fetched) => [...answer.headers.keys()].sort();
    expect(names(unknown!)).toEqual(names(known!));
    expect(namedIn(unknown!, "innkeep-feed-seq")).toEqual(namedIn(known!, "innkeep-feed-seq"));
  }
});

/** A tenant with a draft that nobody may see, and nothing else. */
async function emptyTenant(): Promise<string> {
  const id = service.control((store) => createTenant(store, "Nothing on sale"));
  const [operator] = await service.newAgents([{ tenantId: id, kind: "operator" }]);
  const body = propertyBody();
  (await service.api("POST", "/v1/admin/properties", { agent: operator!, body })).ok(201);
  return id;
}
