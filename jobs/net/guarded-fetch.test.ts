/**
 * Goal: a tenant's address never makes this service connect to its own networks, and no answer
 * costs more than the limits allow. Method: real servers on loopback that count their connections;
 * the test supplies the resolver, because an attacker controls it.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import tls from "node:tls";
import { gzipSync } from "node:zlib";
import { selfSigned } from "../../test/support/certificate.ts";
import { RESOLVED, WRITTEN } from "../../test/support/forbidden-hosts.ts";
import { type FetchTerms, guardedFetch } from "./guarded-fetch.ts";

const TERMS: FetchTerms = { allowPrivate: true, timeoutMs: 2000, bytesMax: 1000 };
const PUBLIC_ONLY: FetchTerms = { ...TERMS, allowPrivate: false };
const OK = "HTTP/1.1 200 OK\r\n";

let trap: Server;
let port: number;
let connections = 0;
const open = new Set<Socket>();
/** What the trap does with a request. */
let serve: (socket: Socket, request: string) => void;
let allClosed: () => void = () => {};

beforeAll(async () => {
  trap = createServer((socket) => {
    connections += 1;
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      open.delete(socket);
      if (open.size === 0) allClosed();
    });
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
afterEach(async () => {
  const closed = Promise.withResolvers<void>();
  allClosed = closed.resolve;
  if (open.size > 0) await closed.promise;
  connections = 0;
});

function answering(text: string): void {
  serve = (socket) => void socket.end(text);
}

/** A resolver with these answers in turn, the last one for good, and how often it was asked. */
function resolver(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return answers[Math.min(asked.length, answers.length) - 1]!;
  };
  return { asked, resolve };
}

function fetchTrap(terms: Partial<FetchTerms> = {}) {
  return guardedFetch(`http://127.0.0.1:${port}/jwks?a=b`, { ...TERMS, ...terms });
}

test(`${WRITTEN.length} written addresses are refused without a connection or a look-up`, async () => {
  const { asked, resolve } = resolver(["127.0.0.1"]);
  for (const host of WRITTEN) {
    for (const scheme of ["https", "http"]) {
      const fetched = await guardedFetch(`${scheme}://${host}:${port}/`, {
        ...PUBLIC_ONLY,
        resolve,
      });
      expect({ host, ...fetched }).toEqual({ host, ok: false, reason: "address" });
    }
  }
  expect(WRITTEN.length).toBeGreaterThanOrEqual(60);
  expect({ connections, asked }).toEqual({ connections: 0, asked: [] });
});

test(`${RESOLVED.length} answers of a resolver are refused without a connection`, async () => {
  for (const addresses of RESOLVED) {
    const { asked, resolve } = resolver(addresses);
    const terms = { ...PUBLIC_ONLY, resolve };
    const fetched = await guardedFetch(`https://keys.example.com:${port}/`, terms);
    expect({ addresses, ...fetched }).toEqual({ addresses, ok: false, reason: "unreachable" });
    expect(asked).toEqual(["keys.example.com"]);
  }
  expect(connections).toBe(0);
});

test("a name that does not resolve looks like one that resolves to a private address", async () => {
  const resolve = () => Promise.reject(new Error("ENOTFOUND"));
  const fetched = await guardedFetch("https://keys.example.com/", { ...PUBLIC_ONLY, resolve });
  expect(fetched).toEqual({ ok: false, reason: "unreachable" });
});

test("the trap is reached when private addresses are allowed", async () => {
  let sent = "";
  serve = (socket, request) => {
    sent = request;
    socket.end(`${OK}content-length: 2\r\n\r\nhi`);
  };
  const fetched = await fetchTrap({ headers: { accept: "application/json" } });
  expect(fetched).toEqual({ ok: true, status: 200, text: "hi" });
  expect(connections).toBe(1);
  const lines = sent
    .toLowerCase()
    .split("\r\n")
    .filter((line) => line !== "")
    .sort();
  expect(lines).toEqual([
    "accept-encoding: identity",
    "accept: application/json",
    "connection: close",
    "get /jwks?a=b http/1.1",
    `host: 127.0.0.1:${port}`,
  ]);
});

test("redirects are not followed", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    const to = `http://127.0.0.1:${port}/inside`;
    answering(`HTTP/1.1 ${status} Moved\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`);
    expect(await fetchTrap()).toEqual({ ok: true, status, text: "" });
  }
  expect(connections).toBe(5);
});

test("an answer larger than the limit is refused, whatever length it declares", async () => {
  const body = "x".repeat(1001);
  answering(`${OK}content-length: 1000\r\n\r\n${body.slice(1)}`);
  expect(await fetchTrap()).toMatchObject({ ok: true, status: 200 });
  for (const head of ["content-length: 1001\r\n\r\n", "connection: close\r\n\r\n"]) {
    answering(OK + head + body);
    expect(await fetchTrap()).toEqual({ ok: false, reason: "too_large" });
  }
  serve = (socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
    const more = () => {
      while (!socket.destroyed && socket.write(`400\r\n${"x".repeat(1024)}\r\n`)) {}
    };
    socket.on("drain", more);
    more();
  };
  expect(await fetchTrap()).toEqual({ ok: false, reason: "too_large" });
});

test("a compressed answer is refused without being read", async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000));
  for (const encoding of ["gzip", "br", "deflate", "zstd", "x, gzip"]) {
    serve = (socket) => {
      socket.write(`${OK}content-encoding: ${encoding}\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.end(bomb);
    };
    expect(await fetchTrap()).toEqual({ ok: false, reason: "encoded" });
  }
});

test("a broken, truncated or upgraded answer counts as unreachable", async () => {
  const answers = [
    "garbage\r\n\r\n",
    `${OK}content-length: 100\r\n\r\nabc`,
    `${OK}x: ${"a".repeat(1_000_000)}\r\n\r\n`,
    "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
    "",
  ];
  for (const text of answers) {
    answering(text);
    expect(await fetchTrap()).toEqual({ ok: false, reason: "unreachable" });
  }
});

const slow: [string, (socket: Socket) => void][] = [
  ["says nothing", () => {}],
  ["drips its headers", (socket) => drip(socket, OK, "x-a: b\r\n")],
  ["drips its body", (socket) => drip(socket, `${OK}content-length: 9000000\r\n\r\n`, "x")],
  ["only ever announces", (socket) => drip(socket, "", "HTTP/1.1 102 Processing\r\n\r\n")],
];
test.each(slow)("a server that %s is abandoned at the time limit", async (_name, way) => {
  serve = way;
  expect(await fetchTrap({ timeoutMs: 200 })).toEqual({ ok: false, reason: "timeout" });
});

function drip(socket: Socket, first: string, then: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(then), 20);
  socket.on("close", () => clearInterval(timer));
}

test("the time limit includes the look-up of the name, and no connection follows it", async () => {
  const answer = Promise.withResolvers<readonly string[]>();
  const terms = { ...TERMS, timeoutMs: 50, resolve: () => answer.promise };
  const fetched = await guardedFetch(`https://keys.example.com:${port}/`, terms);
  expect(fetched).toEqual({ ok: false, reason: "timeout" });
  answer.resolve(["127.0.0.1"]);
  // A connection made now would be seen before this one.
  answering(`${OK}content-length: 0\r\n\r\n`);
  expect(await fetchTrap()).toMatchObject({ ok: true });
  expect(connections).toBe(1);
});

test("the connection goes to the judged address; the certificate must be the name's", async () => {
  const { cert, key } = selfSigned("keys.example.com");
  const hosts: (string | null)[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert, key },
    fetch: (request) => {
      hosts.push(request.headers.get("host"));
      return new Response("keys");
    },
  });
  // A name server that is asked again sends to where nobody should go.
  const { asked, resolve } = resolver(["127.0.0.1"], ["169.254.169.254"]);
  const get = (name: string) => {
    return guardedFetch(`https://${name}:${server.port}/`, { ...TERMS, resolve });
  };
  const trusted = tls.getCACertificates("default");
  try {
    expect(await get("keys.example.com")).toEqual({ ok: false, reason: "unreachable" });
    asked.length = 0;
    tls.setDefaultCACertificates([...trusted, cert]);
    expect(await get("keys.example.com")).toEqual({ ok: true, status: 200, text: "keys" });
    asked.length = 0;
    expect(await get("other.example.com")).toEqual({ ok: false, reason: "unreachable" });
    expect(asked).toEqual(["other.example.com"]);
    expect(hosts).toEqual([`keys.example.com:${server.port}`]);
  } finally {
    tls.setDefaultCACertificates(trusted);
    await server.stop(true);
  }
});

test("the next of several addresses is tried when one is unreachable", async () => {
  const { cert, key } = selfSigned("keys.example.com");
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert, key },
    fetch: () => new Response("keys"),
  });
  const trusted = tls.getCACertificates("default");
  try {
    tls.setDefaultCACertificates([...trusted, cert]);
    const { resolve } = resolver(["::1", "127.0.0.1"]);
    const address = `https://keys.example.com:${server.port}/`;
    const fetched = await guardedFetch(address, { ...TERMS, resolve });
    expect(fetched).toEqual({ ok: true, status: 200, text: "keys" });
  } finally {
    tls.setDefaultCACertificates(trusted);
    await server.stop(true);
  }
});

test("proxy settings of the environment are ignored", async () => {
  const script = `
    import { guardedFetch } from "${import.meta.dir}/guarded-fetch.ts";
    const fetched = await guardedFetch("http://127.0.0.1:${port}/", ${JSON.stringify(TERMS)});
    process.stdout.write(JSON.stringify(fetched));
  `;
  answering(`${OK}content-length: 2\r\n\r\nhi`);
  const proxy = "http://127.0.0.1:1";
  const names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY"];
  const env = {
    ...process.env,
    NO_PROXY: "",
    no_proxy: "",
    ...Object.fromEntries(names.map((name) => [name, proxy])),
  };
  const child = Bun.spawn([process.execPath, "-e", script], { env, stdout: "pipe" });
  expect(JSON.parse(await child.stdout.text())).toEqual({ ok: true, status: 200, text: "hi" });
  await child.exited;
});
