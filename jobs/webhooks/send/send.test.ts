/**
 * Goal: an attempt is classified by the status of the answer and never exceeds its limits; the
 * unmodified public library verifies each request. Method: real sockets on loopback that misbehave
 * byte by byte.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import tls from "node:tls";
import { gzipSync } from "node:zlib";
import { Webhook } from "standardwebhooks";
import { selfSigned } from "../../../test/support/certificate.ts";
import { RESOLVED, WRITTEN } from "../../../test/support/forbidden-hosts.ts";
import { type Addressee, type SendTerms, sendOnce } from "./send.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const FORMER_SECRET = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const TERMS: SendTerms = { allowPrivate: true, timeoutMs: 2_000 };
const EVENT = { id: "evt_1", body: JSON.stringify({ id: "evt_1", data: { city: "Málaga ☀" } }) };
const OK = "HTTP/1.1 200 OK\r\n";

let trap: Server;
let port: number;
let connections = 0;
const open = new Set<Socket>();
let serve: (socket: Socket, request: string) => void;

beforeAll(async () => {
  trap = createServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    socket.once("data", (request) => serve(socket, request.toString()));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  trap.listen(0, "127.0.0.1", resolve);
  await promise;
  port = (trap.address() as { port: number }).port;
});
afterAll(() => {
  for (const socket of open) socket.destroy();
  trap.close();
});

function send(addressee: Partial<Addressee> = {}, terms: Partial<SendTerms> = {}) {
  const url = `http://127.0.0.1:${port}/hooks?a=b`;
  return sendOnce({ url, headers: {}, secrets: [SECRET], ...addressee }, EVENT, {
    ...TERMS,
    ...terms,
  });
}

function answering(text: string | Uint8Array): void {
  serve = (socket) => void socket.end(text);
}

/** Writes one byte at a time, as long as somebody listens. */
function drip(socket: Socket, first: string, then: string, everyMs: number): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(then), everyMs);
  socket.on("close", () => clearInterval(timer));
}

test("the public library verifies each request with every signing secret", async () => {
  const seen: { headers: Record<string, string>; body: string }[] = [];
  const receiver = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    async fetch(request) {
      seen.push({ headers: request.headers.toJSON(), body: await request.text() });
      return new Response("thank you", { status: 202, headers: { "x-request-id": "theirs" } });
    },
  });
  try {
    const url = `http://127.0.0.1:${receiver.port}/`;
    const headers = { Authorization: "Bearer of-the-tenant", "X-Hotel": "lisbon" };
    const sent = await send({ url, headers, secrets: [SECRET, FORMER_SECRET] });
    expect(sent).toMatchObject({
      ...{ ok: true, reason: null, status: 202, address: "127.0.0.1", excerpt: "thank you" },
      response_headers: { "x-request-id": "theirs" },
      retry_after_s: null,
    });
    const [received] = seen;
    expect(received!.body).toBe(EVENT.body);
    expect(received!.headers).toMatchObject({
      ...{ "webhook-id": "evt_1", "content-type": "application/json", "x-hotel": "lisbon" },
      authorization: "Bearer of-the-tenant",
      "x-request-id": sent.request_id,
    });
    for (const secret of [SECRET, FORMER_SECRET]) {
      expect(new Webhook(secret).verify(received!.body, received!.headers)).toEqual(
        JSON.parse(EVENT.body),
      );
    }
    const verifyOther = () => new Webhook(OTHER_SECRET).verify(received!.body, received!.headers);
    expect(verifyOther).toThrow("No matching signature");
    // What is kept repeats neither a signature nor what the tenant has added.
    expect(sent.request_headers).toMatchObject({
      ...{ "webhook-id": "evt_1", "webhook-signature": "***" },
      ...{ authorization: "***", "x-hotel": "***" },
    });
  } finally {
    await receiver.stop(true);
  }
});

test("a tenant's own headers replace none of ours", async () => {
  let request = "";
  serve = (socket, text) => {
    request = text.toLowerCase();
    socket.end(`${OK}content-length: 0\r\n\r\n`);
  };
  const headers = { "Webhook-Id": "evt_other", HOST: "elsewhere", "Content-Type": "text/plain" };
  expect(await send({ headers })).toMatchObject({ ok: true });
  expect(request).toContain("\r\nwebhook-id: evt_1\r\n");
  expect(request).toContain(`\r\nhost: 127.0.0.1:${port}\r\n`);
  expect(request).not.toMatch(/evt_other|elsewhere|text\/plain/);
});

const statuses: [number, string | null][] = [
  ...([200, 201, 204, 299] as const).map((status): [number, null] => [status, null]),
  ...([300, 301, 302, 303, 304, 307, 308] as const).map((status): [number, string] => {
    return [status, "too_many_redirects"];
  }),
  ...([400, 401, 404, 408, 425, 429] as const).map((status): [number, string] => {
    return [status, "http_4xx"];
  }),
  ...[[410, "gone"] as [number, string], [413, "payload_refused"] as [number, string]],
  ...[[422, "payload_refused"] as [number, string]],
  ...([500, 502, 503, 504, 599] as const).map((status): [number, string] => [status, "http_5xx"]),
  [999, "invalid_answer"],
];
test.each(statuses)("an answer %p is judged %p", async (status, reason) => {
  const away = "http://169.254.169.254/latest/meta-data";
  answering(`HTTP/1.1 ${status} Status\r\nlocation: ${away}\r\ncontent-length: 0\r\n\r\n`);
  connections = 0;
  expect(await send()).toMatchObject({ ok: reason === null, status, reason } as object);
  expect(connections).toBe(1);
});

test("Retry-After is reported in seconds and as a date", async () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString();
  const told: (number | null)[] = [];
  for (const value of ["30", inAMinute, "1000000", "never"]) {
    answering(`HTTP/1.1 503 Busy\r\nretry-after: ${value}\r\ncontent-length: 0\r\n\r\n`);
    told.push((await send()).retry_after_s);
  }
  expect(told[1]! > 55 && told[1]! <= 60).toBe(true);
  expect([told[0], told[2], told[3]]).toEqual([30, 86_400, null]);
});

const endless: [string, (socket: Socket) => void][] = [
  ["is 10 MB", (socket) => void socket.end(`${OK}\r\n${"x".repeat(10_000_000)}`)],
  ["never ends", (socket) => drip(socket, `${OK}\r\n`, "x".repeat(100_000), 1)],
  ["comes byte by byte", (socket) => drip(socket, `${OK}content-length: 9000000\r\n\r\n`, "x", 20)],
  ["is cut off", (socket) => void socket.end(`${OK}content-length: 900\r\n\r\nxxx`)],
];
test.each(endless)("an answer that %s is classified by its status", async (_name, way) => {
  serve = way;
  const sent = await send();
  expect(sent).toMatchObject({ ok: true, status: 200, reason: null });
  expect(sent.excerpt).toMatch(/^x{1,1024}$/);
});

test("an answer reset in the middle of its body is classified by its status", async () => {
  serve = (socket) => {
    socket.write(`HTTP/1.1 500 Broken\r\ncontent-length: 900\r\n\r\noh no`);
    setTimeout(() => socket.resetAndDestroy(), 30);
  };
  expect(await send()).toMatchObject({ ok: false, reason: "http_5xx", excerpt: "oh no" });
});

test("a compressed answer is classified by its status and not shown", async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000));
  const head = `${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`;
  answering(Buffer.concat([Buffer.from(head), bomb]));
  expect(await send()).toMatchObject({ ok: true, status: 200, excerpt: "" });
});

test("the text of an answer is stored printable, bounded and without secrets", async () => {
  const many = Array.from({ length: 60 }, (_, i) => `x-${i}: ${"v".repeat(200)}\r\n`).join("");
  const secrets = "set-cookie: session=1\r\nx-api-key: 2\r\nx-long: ";
  const body = `\u001b[2Jgone\u202e\r\nline ${"é".repeat(2_000)}`;
  answering(`${OK}${secrets}${"l".repeat(900)}\r\n${many}\r\n${body}`);
  const { response_headers, excerpt } = await send();
  expect(Object.keys(response_headers).length).toBe(32);
  expect(response_headers).toMatchObject({
    ...{ "set-cookie": "***", "x-api-key": "***" },
    "x-long": "l".repeat(256),
  });
  expect(excerpt.startsWith("\ufffd[2Jgone\ufffd\nline é")).toBe(true);
  expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(1_030);
});

test("a secret that begins another, and a short one, are masked as a whole", async () => {
  const headers = { "X-Key": "abcdefgh", "X-Key-2": "abcdefghijklmnop", "X-Pin": "1234" };
  answering(`${OK}\r\nabcdefghijklmnop abcdefgh 1234 k7 12`);
  const { excerpt } = await send({ headers: { ...headers, "X-Api-Key": "k7" } });
  expect(excerpt).toBe("*** *** *** *** 12");
});

test("masks that shorten an answer do not uncover the start of a truncated secret", async () => {
  const secret = "s".repeat(50) + "e".repeat(50);
  answering(`${OK}\r\n${secret.repeat(40)}`);
  const { excerpt } = await send({ headers: { "X-Long": secret } });
  expect(excerpt).toMatch(/^\*+$/);
});

test("an answer that echoes the request shows no secret and no part of one", async () => {
  serve = (socket, request) => {
    const at = request.indexOf("authorization");
    const repeated = `${"-".repeat(1_010)}token-of-the-tenant ${request.slice(at)}`;
    socket.end(`${OK}x-seen: token-of-the-tenant\r\nx-hotel: lisbon\r\n\r\n${repeated}`);
  };
  const headers = { Authorization: "Bearer token-of-the-tenant", "X-Hotel": "lisbon" };
  const { response_headers, excerpt } = await send({ headers });
  expect(response_headers).toEqual({ "x-seen": "***", "x-hotel": "***" });
  expect(excerpt).toStartWith(`${"-".repeat(1_010)}*** auth`);
  serve = (socket, request) => void socket.end(`${OK}\r\n${request}`);
  const echoed = (await send({ headers })).excerpt;
  expect(echoed).toContain("x-hotel: ***");
  expect(echoed).not.toMatch(/token-of|v1,/);
});

const broken: [string, string][] = [
  ["garbage", "garbage\r\n\r\n"],
  ["nothing", ""],
  ["half of its headers", `${OK}x-a: `],
  ["one enormous header", `${OK}x: ${"a".repeat(1_000_000)}\r\n\r\n`],
  ["thousands of headers", `${OK}${"x: a\r\n".repeat(50_000)}\r\n`],
  [
    "with thousands of announcements",
    `${"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(2_000)}${OK}content-length: 0\r\n\r\n`,
  ],
  [
    "another protocol",
    "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
  ],
];
test.each(broken)("a receiver that answers %s does not speak HTTP", async (_name, text) => {
  answering(text);
  const expected = { ok: false, reason: "invalid_answer", status: null, address: "127.0.0.1" };
  expect(await send()).toMatchObject({ ...expected, response_headers: {}, excerpt: "" });
});

const silent: [string, (socket: Socket) => void][] = [
  ["accepts and never answers", () => {}],
  ["sends its headers byte by byte", (socket) => drip(socket, OK, "x", 20)],
  ["only ever announces", (socket) => drip(socket, "", "HTTP/1.1 102 Processing\r\n\r\n", 20)],
];
test.each(silent)("a receiver that %s times out", async (_name, way) => {
  serve = way;
  const sent = await send({}, { timeoutMs: 200 });
  expect(sent).toMatchObject({ ok: false, reason: "timeout", status: null, address: "127.0.0.1" });
  expect(sent.latency_ms).toBeLessThan(1_000);
});

test("an attempt can be aborted by its caller", async () => {
  serve = () => controller.abort();
  const controller = new AbortController();
  expect(await send({}, { signal: controller.signal })).toMatchObject({ reason: "timeout" });
  connections = 0;
  expect(await send({}, { signal: controller.signal })).toMatchObject({ address: null });
  expect(connections).toBe(0);
});

test("forbidden addresses are not called, as text and after resolving", async () => {
  const url = `https://receiver.example.com:${port}/`;
  connections = 0;
  for (const host of WRITTEN) {
    const sent = await send({ url: `https://${host}:${port}/` }, { allowPrivate: false });
    expect({ host, ...sent }).toMatchObject({ host, ok: false, reason: "address", address: null });
  }
  for (const addresses of RESOLVED) {
    const terms = { allowPrivate: false, resolve: async () => addresses };
    const sent = await send({ url }, terms);
    expect({ addresses, ...sent }).toMatchObject({ addresses, reason: "dns", address: null });
  }
  const resolve = () => Promise.reject(new Error("ENOTFOUND"));
  expect(await send({ url }, { resolve })).toMatchObject({ reason: "dns", address: null });
  expect(connections).toBe(0);
});

test("a refused connection and an invalid certificate have different reasons", async () => {
  const closed = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  await closed.stop(true);
  expect(await send({ url: `http://127.0.0.1:${closed.port}/` })).toMatchObject({
    ...{ ok: false, reason: "connect", address: "127.0.0.1" },
  });
  const resolve = async () => ["127.0.0.1"];
  const { cert, key } = selfSigned("receiver.example.com");
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", tls: { cert, key } },
    fetch: () => new Response("in"),
  });
  const trusted = tls.getCACertificates("default");
  const to = (name: string, port = server.port) => {
    return send({ url: `https://${name}:${port}/` }, { resolve });
  };
  try {
    expect(await to("receiver.example.com")).toMatchObject({ reason: "tls" });
    tls.setDefaultCACertificates([...trusted, cert]);
    expect(await to("receiver.example.com")).toMatchObject({ ok: true, excerpt: "in" });
    expect(await to("other.example.com")).toMatchObject({ reason: "tls" });
    answering("HTTP/1.1 200 OK\r\n\r\n");
    expect(await to("receiver.example.com", port)).toMatchObject({ reason: "tls" });
  } finally {
    tls.setDefaultCACertificates(trusted);
    await server.stop(true);
  }
});
