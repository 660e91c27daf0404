/**
 * Goal: connections are at the server that the sentinels name, and leave one that is no longer the
 * primary. Method: two real servers, and a sentinel of the test that names either.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, until } from "../../test/support/service.ts";
import { type Connections, openConnections } from "./connections.ts";
import type { SentinelTarget } from "./redis-target.ts";

const USES = ["producer", "hot", "subscriber"] as const;

let place: string;
let servers: { readonly port: number; readonly child: Bun.Subprocess }[];
/** The port that the sentinel names. */
let named: number;
let sentinel: Bun.TCPSocketListener;
/** It takes connections and never answers. */
let silent: Bun.TCPSocketListener;
let target: SentinelTarget;
let connections: Connections<(typeof USES)[number]> | null = null;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "innkeep-sentinels-"));
  servers = Array.from({ length: 2 }, () => {
    const port = freePort();
    const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--dir", place];
    const child = Bun.spawn(["redis-server", ...args], { stdout: "ignore", stderr: "ignore" });
    return { port, child };
  });
  named = servers[0]!.port;
  const bulk = (text: string) => `$${text.length}\r\n${text}\r\n`;
  const reply = (text: string) => {
    if (/sentinel/i.test(text)) return `*2\r\n${bulk("127.0.0.1")}${bulk(String(named))}`;
    return text.includes("ping") ? "+PONG\r\n" : "+OK\r\n+OK\r\n";
  };
  const data = (socket: Bun.Socket, bytes: Buffer) => void socket.write(reply(String(bytes)));
  const at = { hostname: "127.0.0.1", port: 0 };
  sentinel = Bun.listen({ ...at, socket: { data } });
  silent = Bun.listen({ ...at, socket: { data() {} } });
  const sentinels = [silent, sentinel].map(({ port }) => `redis://127.0.0.1:${port}`);
  target = { sentinels, name: "inn", primary: "redis://primary" };
});
afterEach(async () => {
  await connections?.stop();
  connections = null;
  for (const { child } of servers) {
    child.kill("SIGKILL");
    await child.exited;
  }
  sentinel.stop(true);
  silent.stop(true);
  rmSync(place, { recursive: true });
});

/** The ports that the connections are at. */
async function portsNow(): Promise<number[]> {
  const { producer, hot, subscriber } = connections!;
  const infos = [
    producer.call("CLIENT", "INFO"),
    ...[hot, subscriber].map((redis) => redis.send("CLIENT", ["INFO"])),
  ];
  const texts = await Promise.all(infos.map((info) => info.catch(() => "")));
  return texts.map((text) => Number(/laddr=\S+:(\d+)/.exec(String(text))?.[1]));
}

test("a silent sentinel is passed over, and a demoted primary is left for the new one", async () => {
  const [first, second] = servers.map(({ port }) => port) as [number, number];
  connections = await openConnections(target, USES, () => {});
  const heard: string[] = [];
  await connections.subscriber.subscribe("news", (text) => void heard.push(text));
  expect(await portsNow()).toEqual([first, first, first]);
  named = second;
  // Nothing ends its connections.
  await connections.producer.call("REPLICAOF", "127.0.0.1", String(second));
  await connections.producer.set("a", "b").catch(() => {});
  const areMoved = async () => (await portsNow()).every((port) => port === second);
  await until("all connections are at the new primary", areMoved, 20_000);
  expect(await connections.hot.send<string>("SET", ["a", "b"])).toBe("OK");
  expect(await connections.producer.publish("news", "moved")).toBe(1);
  await until("the subscription has moved", () => heard.includes("moved"));
});

test("a replica is refused while sentinels name it, until they name the primary", async () => {
  const second = servers[1]!.port;
  connections = await openConnections(target, USES, () => {});
  await connections.producer.call("REPLICAOF", "127.0.0.1", String(second));
  await connections.stop();
  const errors = new Set<string>();
  connections = await openConnections(target, USES, ({ message }) => {
    errors.add(message);
    named = second;
  });
  expect([...errors]).toEqual(["redis is not the primary, but a slave"]);
  expect(await connections.hot.send<string>("SET", ["a", "b"])).toBe("OK");
  expect(await connections.producer.get("a")).toBe("b");
});
