/**
 * Goal: the cost of queries is bounded. Method: a hotel with answers of 33 MB, requested over
 * sockets of several local addresses, some of which never read: the service buffers little and few
 * of these; requests are counted in prices, by address and by partner.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { createHotel, dateIn, type Hotel } from "../support/client.ts";
import { Service, until } from "../support/service.ts";

/** Of `feed_query_open`, for one address. */
const OPEN_MAX = 8;
const PRICES_PER_MINUTE = 1_000_000;
const ROOMS = 24;
const ITINERARIES = 2_000;
/** Two rates a room. */
const PRICES = ROOMS * 2 * ITINERARIES;
const ANSWER_MB = 30;

let service: Service;
let hotel: Hotel;
let tenant: string;
const sockets = new Set<Socket>();

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1", FEED_DEBOUNCE_S: "3600" });
  const { tenant_id, admin } = service.demo.second_tenant;
  tenant = tenant_id;
  const units = Array.from({ length: ROOMS }, () => 2);
  hotel = await createHotel(service, { operator: admin, units });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
});

/** All that a query may ask for, of one hotel. */
function largestQuery(): string {
  const range = `<FirstDate>${dateIn(1)}</FirstDate><LastDate>${dateIn(100)}</LastDate>`;
  const list = `<PropertyList><Property>${hotel.id}</Property></PropertyList>`;
  return `<Query>${range}<Nights>20</Nights>${list}</Query>`;
}

interface Begun {
  readonly status: number;
  readonly head: string;
  /** What came with the head. */
  readonly rest: string;
  readonly socket: Socket;
}

/** Sends a query from an address, and reads up to the end of the answer's head. */
function begin(address: string, body: string, partner = "google"): Promise<Begun> {
  const { port } = new URL(service.baseUrl);
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: address });
  sockets.add(socket);
  const path = `/feeds/${partner}/query?tenant_id=${tenant}`;
  const lines = [`POST ${path} HTTP/1.1`, "host: test", "content-type: application/xml"];
  lines.push("connection: close", `content-length: ${body.length}`, "", body);
  socket.write(lines.join("\r\n"));
  return new Promise((resolve, reject) => {
    let text = "";
    socket.on("error", reject);
    socket.on("data", function read(data) {
      text += data.toString("latin1");
      const at = text.indexOf("\r\n\r\n");
      if (at < 0) return;
      socket.pause();
      socket.off("data", read);
      const head = text.slice(0, at).toLowerCase();
      resolve({ status: Number(head.slice(9, 12)), head, rest: text.slice(at + 4), socket });
    });
  });
}

/** Reads an answer to its end. */
function whole({ rest, socket }: Begun): Promise<string> {
  return new Promise((resolve) => {
    const parts = [rest];
    socket.on("data", (data) => parts.push(data.toString("latin1")));
    socket.on("close", () => resolve(parts.join("")));
    socket.resume();
  });
}

async function refused(begun: Begun) {
  const body = await whole(begun);
  const { error } = JSON.parse(body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1));
  return { status: begun.status, code: error.code, detail: error.detail, error };
}

function residentMb(): number {
  const status = readFileSync(`/proc/${service.pids["api-1"] ?? service.pids.api}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_000;
}

test("unread answers use little memory, and each address has a limited number", async () => {
  const size = (await whole(await begin("127.0.0.2", largestQuery()))).length / 1_000_000;
  expect(size).toBeGreaterThan(ANSWER_MB);
  const beforeMb = residentMb();
  const unread: Begun[] = [];
  for (let n = 0; n < OPEN_MAX; n += 1) unread.push(await begin("127.0.0.3", largestQuery()));
  expect(unread.map(({ status }) => status)).toEqual(unread.map(() => 200));
  const one = await begin("127.0.0.3", largestQuery());
  expect(one.head).toMatch(/^retry-after: [1-9]/m);
  expect(await refused(one)).toMatchObject({
    ...{ status: 429, code: "rate_limited" },
    detail: { policy: "feed_query_open", limit: OPEN_MAX },
  });
  // A small answer has its place all the same, and so has another address.
  const small = largestQuery().replace(/<LastDate>.*<\/LastDate>/, "");
  expect((await begin("127.0.0.3", small)).status).toBe(200);
  expect((await begin("127.0.0.4", largestQuery())).status).toBe(200);
  const heldMb = residentMb() - beforeMb;
  console.log(
    `  ${unread.length} unread answers of ${size.toFixed(1)} MB: ${heldMb.toFixed(1)} MB`,
  );
  expect(heldMb).toBeLessThan(100);
  for (const { socket } of unread.slice(0, 2)) socket.destroy();
  await until("a place is given back", async () => {
    const again = await begin("127.0.0.3", largestQuery());
    again.socket.destroy();
    return again.status === 200;
  });
  for (const { socket } of unread) socket.destroy();
});

/** Asks from these addresses in turn until prices are refused; how often they were not. */
async function untilRefused(addresses: readonly string[], partner: string) {
  for (let passed = 0; passed < 100; ) {
    const begun = await begin(addresses[passed % addresses.length]!, largestQuery(), partner);
    if (begun.status === 200) {
      begun.socket.destroy();
      passed += 1;
      continue;
    }
    const refusal = await refused(begun);
    // The service has not seen yet that the others have gone.
    if (refusal.detail.policy === "feed_query_open") await Bun.sleep(5);
    else return { ...refusal, passed, head: begun.head };
  }
  throw new Error("never refused");
}

test("an address may request a million prices a minute, whether it reads them or not", async () => {
  const { passed, status, detail, error, head } = await untilRefused(["127.0.0.5"], "tripadvisor");
  // Some come back while they are taken.
  expect(passed * PRICES).toBeWithin(PRICES_PER_MINUTE - PRICES, PRICES_PER_MINUTE * 1.5);
  expect(status).toBe(429);
  const policy = { policy: "feed_query_prices", limit: PRICES_PER_MINUTE };
  expect(detail).toEqual({ ...policy, burst: PRICES_PER_MINUTE, window_s: 60 });
  expect(error.retry_after).toBeWithin(1, 7);
  expect(head).toContain(`retry-after: ${error.retry_after}`);
  expect(head).toContain('ratelimit-policy: "feed_query_prices";q=1000000;w=60');
  expect(head).toMatch(/^ratelimit: "feed_query_prices";r=\d+;t=\d+/m);
  // Each of them has given the place of its answer back.
  for (let n = 0; n <= OPEN_MAX; n += 1) {
    const again = await refused(await begin("127.0.0.5", largestQuery(), "tripadvisor"));
    expect(again.detail.policy).toBe("feed_query_prices");
  }
  expect((await begin("127.0.0.6", largestQuery(), "tripadvisor")).status).toBe(200);
});

test("a tenant's partner may request three million from all its addresses", async () => {
  const addresses = [11, 12, 13, 14, 15].map((last) => `127.0.0.${last}`);
  const { passed, detail } = await untilRefused(addresses, "yandex");
  const limit = 3 * PRICES_PER_MINUTE;
  expect(passed * PRICES).toBeWithin(limit - PRICES, limit * 1.5);
  expect(detail).toEqual({
    ...{ policy: "feed_query_tenant_prices", limit, burst: limit, window_s: 60 },
  });
  expect((await begin("127.0.0.16", largestQuery(), "kayak")).status).toBe(200);
});
