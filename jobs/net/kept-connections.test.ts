/**
 * Goal: frequent requests share few connections, and a kept connection is used only for the host
 * that it was opened for. Method: real sockets, plain and with certificates.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { selfSigned } from "../../test/support/certificate.ts";
import { guardedRequest, type RequestTerms } from "./guarded-request.ts";
import { KeptConnections, systemResolve } from "./kept-connections.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";
const POST = { method: "POST", headers: { "content-length": "2" }, body: "{}" } as const;

let connections: KeptConnections;
let server: Server;
let opened: number;
/** Called with each request and its number on its connection. */
let serve: (socket: Socket, count: number) => void;

beforeEach(async () => {
  connections = new KeptConnections();
  opened = 0;
  serve = (socket) => void socket.write(OK);
  server = createServer((socket) => {
    opened += 1;
    let count = 0;
    socket.on("error", () => {});
    socket.on("data", () => serve(socket, ++count));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
});
afterEach(() => {
  connections.stop();
  server.close();
});

async function ask(url?: string, over: Partial<RequestTerms> = {}): Promise<string> {
  const { port } = server.address() as { port: number };
  const terms = { allowPrivate: true, timeoutMs: 2_000, connections, ...over };
  const asked = await guardedRequest(
    url ?? `http://127.0.0.1:${port}/`,
    POST,
    terms,
    async (from) => {
      let text = "";
      for await (const chunk of from) text += String(chunk);
      return text;
    },
  );
  return asked.ok ? asked.answer : asked.reason;
}

test("sequential requests share one connection; simultaneous requests use one each", async () => {
  for (let i = 0; i < 5; i += 1) expect(await ask()).toBe("hi");
  expect(opened).toBe(1);
  await Promise.all(Array.from({ length: 4 }, () => ask()));
  expect(opened).toBe(4);
});

test("a kept connection closed by the server is replaced without a failure", async () => {
  serve = (socket, count) => void (count === 1 ? socket.write(OK) : socket.destroy());
  for (let i = 0; i < 3; i += 1) expect(await ask()).toBe("hi");
  expect(opened).toBe(3);
});

test("a new connection that breaks is a failure, and no request is tried a third time", async () => {
  serve = (socket) => void socket.destroy();
  expect(await ask()).toBe("broken");
  expect(opened).toBe(1);
  serve = (socket, count) =>
    void (opened === 2 && count === 1 ? socket.write(OK) : socket.destroy());
  expect(await ask()).toBe("hi");
  expect(await ask()).toBe("broken");
  expect(opened).toBe(3);
});

test("an answer that is not read to its end leaves no open connection", async () => {
  serve = (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhi");
  const terms = { allowPrivate: true, timeoutMs: 2_000, connections };
  const { port } = server.address() as { port: number };
  const closed = Promise.withResolvers<void>();
  server.on("connection", (socket) => socket.on("close", () => closed.resolve()));
  await guardedRequest(`http://127.0.0.1:${port}/`, POST, terms, async () => "");
  await closed.promise;
  serve = (socket) => void socket.write(OK);
  expect(await ask()).toBe("hi");
  expect(opened).toBe(2);
});

test("a verified certificate of one host admits no other host at the same address", async () => {
  const { cert, key } = selfSigned("receiver.example.com");
  const hosts: string[] = [];
  const secure = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", tls: { cert, key } },
    fetch(request) {
      hosts.push(request.headers.get("host") ?? "");
      return new Response("in");
    },
  });
  const trusted = tls.getCACertificates("default");
  const to = (name: string) =>
    ask(`https://${name}:${secure.port}/`, { resolve: async () => ["127.0.0.1"] });
  try {
    tls.setDefaultCACertificates([...trusted, cert]);
    expect(await to("receiver.example.com")).toBe("in");
    expect(await to("receiver.example.com")).toBe("in");
    expect(await to("other.example.com")).toBe("tls");
    expect(await to("127.0.0.1")).toBe("tls");
    expect(new Set(hosts)).toEqual(new Set([`receiver.example.com:${secure.port}`]));
  } finally {
    tls.setDefaultCACertificates(trusted);
    await secure.stop(true);
  }
});

test("a name is resolved while all threads of the process are blocked", async () => {
  const directory = mkdtempSync(join(tmpdir(), "innkeep-threads-"));
  const pipes = Array.from({ length: 64 }, (_, i) => join(directory, `${i}`));
  Bun.spawnSync(["mkfifo", ...pipes]);
  // Whoever opens a pipe to read it holds a thread until somebody writes.
  const waiting = pipes.map((pipe) => open(pipe, "r"));
  try {
    // Nobody has such a name, and no name server is asked for it (RFC 7686).
    const asked = systemResolve("nowhere.onion").catch(() => ["unknown"]);
    const late = Bun.sleep(1_000).then(() => ["too late"]);
    expect(await Promise.race([asked, late])).toEqual(["unknown"]);
  } finally {
    const writers = pipes.map((pipe) => openSync(pipe, "r+"));
    for (const handle of await Promise.all(waiting)) await handle.close();
    for (const writer of writers) closeSync(writer);
    rmSync(directory, { recursive: true });
  }
});

test("a name is resolved at most once a second, and its address is checked each time", async () => {
  const found = [connections.resolve("localhost"), connections.resolve("localhost")];
  expect(found[0]).toBe(found[1]!);
  expect(await found[0]).toContain("127.0.0.1");
  const { port } = server.address() as { port: number };
  const url = `https://localhost.example:${port}/`;
  const resolve = async () => ["127.0.0.1"];
  expect(await ask(url, { allowPrivate: false, resolve })).toBe("dns");
  expect(opened).toBe(0);
});
