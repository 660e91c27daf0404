/**
 * Goal: pull queries of Google and Microsoft get current prices, equal to quotes and byte-equal to
 * the document of the same position. Method: real processes and the small second tenant of the
 * demo, with a hotel that changes between two queries.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { QUERY_BYTES_MAX, QUERY_PROPERTIES_MAX } from "../../feeds/query-parser.ts";
import type { Answer } from "../support/answer.ts";
import {
  createHotel,
  dateIn,
  type Hotel,
  newHold,
  newQuote,
  stayRequest,
} from "../support/client.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";
import { validate } from "../support/xmllint.ts";

const PASSWORD = "séçret:1";

let service: Service;
let tenant: string;
let hotel: Hotel;

beforeAll(async () => {
  service = await Service.start({
    ...WHOLE_DEMO,
    FEED_DEBOUNCE_S: "3600",
    FEED_CREDENTIALS: `trivago=t%20v:${encodeURIComponent(PASSWORD)}`,
  });
  const { tenant_id, admin } = service.demo.second_tenant;
  tenant = tenant_id;
  hotel = await createHotel(service, { operator: admin, units: [1, 3], rate: 12_345 });
});
afterAll(() => service.stop());

interface Asked {
  readonly partner?: string;
  readonly tenantId?: string;
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a query message with this in it. */
function query(inside: string, asked: Asked = {}): Promise<Answer> {
  const { partner = "google", tenantId = tenant, headers = {} } = asked;
  const raw = asked.raw ?? `<?xml version="1.0" encoding="UTF-8"?>\n<Query>${inside}</Query>`;
  return service.api("POST", `/feeds/${partner}/query?tenant_id=${tenantId}`, {
    agent: null,
    raw,
    headers: { "content-type": "application/xml; encoding=utf-8", ...headers },
  });
}

const list = (...ids: readonly string[]) =>
  `<PropertyList>${ids.map((id) => `<Property>${id}</Property>`).join("")}</PropertyList>`;
const stay = (inDays: number, nights: number) =>
  `<Checkin>${dateIn(inDays)}</Checkin><Nights>${nights}</Nights>`;

const results = (text: string) => text.split("\n").filter((line) => line.startsWith("<Result>"));
const amountsOf = (line: string | undefined, name: string, currency = "EUR") =>
  [...(line ?? "").matchAll(new RegExp(`<${name} currency="${currency}">([^<]*)<`, "g"))].map(
    ([, amount]) => amount,
  );

/** The documents of the whole window, asked for like everybody does. */
function documentOf(partner: string): Promise<Answer> {
  const path = `/feeds/${partner}/ari.xml?tenant_id=${tenant}&days=90`;
  return service.api("GET", path, { agent: null });
}

test.each(["google", "bing"])("what %s is answered is what its document says", async (partner) => {
  const document = await documentOf(partner);
  const lines = results(document.text);
  const ids = [...new Set(lines.map((line) => /<Property>([^<]+)/.exec(line)![1]!))];
  expect(ids).toContain(hotel.id);
  const range = `<FirstDate>${dateIn(1)}</FirstDate><LastDate>${dateIn(60)}</LastDate>`;
  const told: string[] = [];
  for (const id of ids) {
    const answer = await query(`${range}<Nights>7</Nights>${list(id)}`, { partner });
    expect(answer.status).toBe(200);
    validate("transaction", answer.text);
    told.push(...results(answer.text));
  }
  expect(told.length).toBe(ids.length * 60 * 7);
  const written = new Set(lines);
  expect(told.filter((line) => !written.has(line))).toEqual([]);
});

test("a hold and a new rate are in the next answer, and quotes say the same", async () => {
  const asked = `<DeadlineMs>500</DeadlineMs>${stay(30, 2)}${list(hotel.id)}`;
  const before = await query(asked);
  const [line] = results(before.text);
  // One unit of the first room type, three of the other, two rates each.
  const bundles = (line ?? "").match(/<RoomBundle>/g);
  const request = stayRequest(hotel);
  const { agent } = { agent: service.demo.second_tenant.agent };
  const { price_breakdown } = await newQuote(service, request, { agent });
  const [base] = amountsOf(line, "Baserate");
  const [tax] = amountsOf(line, "Tax");
  const [fees] = amountsOf(line, "OtherFees");
  expect(Number(base) + Number(tax) + Number(fees)).toBeCloseTo(price_breakdown.total / 100, 6);
  await newHold(service, request, { agent });
  const held = await query(asked);
  expect(Number(held.headers.get("innkeep-feed-seq"))).toBeGreaterThan(
    Number(before.headers.get("innkeep-feed-seq")),
  );
  const [after] = results(held.text);
  expect(after!.match(/<RoomBundle>/g)!.length).toBe(bundles!.length / 2);
  expect(after).not.toContain(hotel.rooms[0]!.id);
  const path = `/v1/admin/properties/${hotel.id}/ari`;
  const rates = hotel.rooms[1]!.planIds.map((rate_plan_id) => {
    return { rate_plan_id, from: dateIn(30), to: dateIn(31), amount: 1 };
  });
  (
    await service.api("PUT", path, { agent: service.demo.second_tenant.admin, body: { rates } })
  ).ok();
  expect(results((await query(asked)).text)[0]).not.toBe(after);
});

test("a query about a property alone describes its rooms and rates", async () => {
  const inside = `<HotelInfoProperties><Property>${hotel.id}</Property></HotelInfoProperties>`;
  const { text } = await query(inside);
  validate("transaction", text);
  expect(text.match(/<(PropertyDataSet|Result)>/g)).toEqual(["<PropertyDataSet>"]);
  for (const { id, planIds } of hotel.rooms) {
    expect(text).toContain(`<RoomID>${id}</RoomID>`);
    for (const plan of planIds) expect(text).toContain(`<PackageID>${plan}</PackageID>`);
  }
});

test("answers are not cached, each has its own id, and gzip is used on request", async () => {
  const asked = `${stay(40, 1)}${list(hotel.id)}`;
  const plain = await query(asked, { headers: { "accept-encoding": "identity" } });
  expect(plain.headers.get("cache-control")).toBe("no-store");
  expect(plain.headers.get("content-type")).toBe("application/xml; charset=utf-8");
  expect(plain.headers.has("content-encoding")).toBeFalse();
  const zipped = await query(asked, { headers: { "accept-encoding": "gzip" } });
  expect(zipped.headers.get("content-encoding")).toBe("gzip");
  expect(results(zipped.text)).toEqual(results(plain.text));
  const idOf = ({ text }: Answer) => /<Transaction [^>]*id="([^"]+)"/.exec(text)?.[1];
  expect(idOf(plain)).toMatch(/^query-[0-9a-f]{32}$/);
  expect(idOf(zipped)).not.toBe(idOf(plain));
});

test("unknown tenants and unlisted properties have no stay, with the same answer", async () => {
  const asked = `${stay(40, 1)}${list(crypto.randomUUID())}`;
  const body = ({ text }: Answer) => text.replace(/(id|timestamp|at)="?[^" >]+"?/g, "");
  const own = await query(asked);
  const unknown = await query(asked, { tenantId: crypto.randomUUID() });
  expect([own.status, unknown.status]).toEqual([200, 200]);
  expect(body(unknown)).toBe(body(own));
  expect(results(own.text)).toEqual([expect.stringContaining("<NoVacancy/>")]);
  validate("transaction", own.text);
  const test = service.demo.properties.find(({ mode }) => mode === "test")!;
  const demo = await query(`${stay(40, 1)}${list(test.id)}`, { tenantId: service.demo.tenant_id });
  expect(results(demo.text)).toEqual([expect.stringContaining("<NoVacancy/>")]);
  const microsoft = await query(asked, { partner: "bing" });
  expect(amountsOf(results(microsoft.text)[0], "Baserate", "USD")).toEqual(["-1.00"]);
  validate("transaction", microsoft.text);
});

test("an invalid query is refused by name and none of its text is returned", async () => {
  const faults = async (inside: string, asked: Asked = {}) => (await query(inside, asked)).faults();
  expect(await faults("", { headers: { "content-type": "application/json" } })).toEqual([
    "Content-Type",
  ]);
  expect(await faults("<Nights>x</Nights>")).toEqual([
    "/Query/Checkin",
    "/Query/Nights",
    "/Query/PropertyList",
  ]);
  const doctype = `<!DOCTYPE Query [<!ENTITY x SYSTEM "file:///etc/hostname">]><Query>&x;</Query>`;
  for (const raw of [doctype, "<Query>", "", "{}", " ".repeat(QUERY_BYTES_MAX + 1)]) {
    expect(await faults("", { raw })).toEqual([""]);
  }
  const utf16 = Uint8Array.from(Buffer.from("\ufeff<Query/>", "utf16le"));
  expect(await faults("", { raw: utf16 })).toEqual([""]);
  const many = Array.from({ length: QUERY_PROPERTIES_MAX + 1 }, (_, i) => `p${i}`);
  expect(await faults(`${stay(1, 1)}${list(...many)}`)).toEqual(["/Query"]);
  const path = `/feeds/google/query?tenant_id=x`;
  expect((await service.api("POST", path, { agent: null, raw: "<Query/>" })).faults()).toEqual([
    "?tenant_id",
  ]);
  (await query("", { partner: "expedia" })).refused("validation_failed", 404);
});

test("a partner with a credential must present it", async () => {
  const asked = `${stay(40, 1)}${list(hotel.id)}`;
  (await query(asked, { partner: "trivago" })).refused("unauthenticated");
  const authorization = `Basic ${Buffer.from(`t v:${PASSWORD}`).toString("base64")}`;
  const answer = await query(asked, { partner: "trivago", headers: { authorization } });
  expect(results(answer.text)).toHaveLength(1);
});
