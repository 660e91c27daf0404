import { afterEach, beforeEach, expect, test } from "bun:test";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { until } from "./service.ts";
import { TcpProxy } from "./tcp-proxy.ts";

let echo: Server;
/** The server's ends, and all that they have heard. */
let served: Socket[];
let arrived: string;
let proxy: TcpProxy;
let opened: Socket[];

const portOf = (server: Server) => (server.address() as { port: number }).port;

beforeEach(async () => {
  opened = [];
  served = [];
  arrived = "";
  echo = createServer((socket) => {
    served.push(socket);
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      arrived += bytes;
      socket.write(bytes);
    });
  });
  await once(echo.listen(0, "127.0.0.1"), "listening");
  proxy = await TcpProxy.start(portOf(echo));
});

afterEach(async () => {
  for (const socket of opened) socket.destroy();
  await proxy.stop();
  echo.close();
});

/** A client that has had one answer. */
async function connected(port = proxy.port) {
  const socket = connect(port, "127.0.0.1");
  opened.push(socket);
  socket.on("error", () => {});
  await once(socket, "connect");
  const client = { socket, heard: "", isClosed: false };
  socket.on("data", (bytes) => {
    client.heard += bytes;
  });
  socket.on("close", () => {
    client.isClosed = true;
  });
  socket.write(".");
  await until("an answer", () => client.heard === ".");
  return client;
}

/** Long enough for whatever is not kept back: others connect and have an answer. */
async function meanwhile(): Promise<void> {
  for (let i = 0; i < 3; i += 1) await connected(portOf(echo));
}

test("bytes arrive in their order, and as late as told in each direction", async () => {
  const client = await connected();
  proxy.delayMs = 50;
  const start = performance.now();
  client.socket.write("a");
  await once(client.socket, "data");
  expect(performance.now() - start).toBeGreaterThanOrEqual(100);
  const large = "0123456789".repeat(50_000);
  client.socket.write(large);
  proxy.delayMs = 0;
  client.socket.write("b");
  await until("all is back", () => client.heard.endsWith("b"));
  expect(client.heard).toBe(`.a${large}b`);
});

test("a cut line breaks connections off and refuses new ones until it is healed", async () => {
  const client = await connected();
  await proxy.cut();
  await until("both ends are told", () => client.isClosed && served[0]!.destroyed);
  await expect(connected()).rejects.toThrow("ECONNREFUSED");
  await proxy.heal();
  await connected();
});

test("a held direction is silent while the other is not, and nothing is lost", async () => {
  const client = await connected();
  proxy.hold("to client");
  client.socket.write("a");
  await until("the server has it", () => arrived === ".a");
  await meanwhile();
  expect(client.heard).toBe(".");
  proxy.hold("to server");
  client.socket.write("b");
  await meanwhile();
  expect(arrived).not.toContain("b");
  expect(client.isClosed).toBe(false);
  await proxy.heal();
  await until("all is back", () => client.heard === ".ab");
});

test("a held line does not tell that the other end is gone", async () => {
  const client = await connected();
  proxy.hold();
  served[0]!.destroy();
  await meanwhile();
  expect(client.isClosed).toBe(false);
  await proxy.heal();
  await until("the client is told", () => client.isClosed);
});

test("new connections go where the proxy is pointed to", async () => {
  const first = await connected();
  const other = createServer((socket) => socket.on("data", () => socket.write(".")));
  await once(other.listen(0, "127.0.0.1"), "listening");
  proxy.retarget(portOf(other));
  echo.close();
  await connected();
  first.socket.write("a");
  await until("the first is where it was", () => first.heard === ".a");
  other.close();
});
