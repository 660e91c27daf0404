/**
 * The process that webhooks are sent to: on stdout the addresses of its two servers, a line each.
 * The first part of a path says how a delivery is answered. Pings are always answered well, so that
 * every endpoint can be made; while the second server is dead, nothing listens at its port.
 */
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { latenciesOf } from "./load.ts";
import type { Received } from "./receiver.ts";

const SLOW_MS = 2_000;
const HUGE_CHUNKS = 160;
const CHUNK = Buffer.alloc(65_536, "x");
const METADATA = "http://169.254.169.254/latest/meta-data/";

interface Event {
  readonly id: string;
  readonly timestamp: string;
  /** Null for pings. */
  readonly seq: number | null;
}

let ids = new Set<string>();
let received = 0;
let flips = 0;
let latencyMs: RecordableHistogram = createHistogram({ figures: 4 });
let cpuBefore = process.cpuUsage();

/** Since the last `forget`. */
function figures(): Received {
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    ...{ received, distinct: ids.size, cpuMicros: user + system },
    ...latenciesOf(latencyMs, 1),
  };
}

function forget(): void {
  ids = new Set();
  received = 0;
  latencyMs = createHistogram({ figures: 4 });
  cpuBefore = process.cpuUsage();
}

async function* huge(): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < HUGE_CHUNKS; i += 1) yield CHUNK;
}

function answer(behaviour: string): Response | Promise<Response> {
  switch (behaviour) {
    case "slow":
      return Bun.sleep(SLOW_MS).then(() => new Response());
    case "silent":
      return new Promise<never>(() => {});
    case "huge":
      return new Response(huge());
    case "flapping":
      flips += 1;
      return new Response(null, { status: flips % 2 === 0 ? 204 : 503 });
    case "gone":
      return new Response(null, { status: 410 });
    case "redirecting":
      return new Response(null, { status: 302, headers: { location: METADATA } });
    default:
      return new Response(null, { status: 204 });
  }
}

async function meet(request: Request): Promise<Response> {
  const [, behaviour = "", n = ""] = new URL(request.url).pathname.split("/");
  const { id, timestamp, seq } = (await request.json()) as Event;
  if (seq === null) return new Response(null, { status: 204 });
  if (behaviour === "ok") {
    received += 1;
    ids.add(`${id}${n}`);
    latencyMs.record(Math.max(1, Date.now() - Date.parse(timestamp)));
  }
  return answer(behaviour);
}

const options = { hostname: "127.0.0.1", idleTimeout: 0 } as const;
let mortal = Bun.serve({ ...options, port: 0, fetch: meet });
const mortalPort = mortal.port!;
const server = Bun.serve({
  ...{ ...options, port: 0 },
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (request.method === "POST") return meet(request);
    if (pathname === "/die") await mortal.stop(true);
    if (pathname === "/revive") mortal = Bun.serve({ ...options, port: mortalPort, fetch: meet });
    const result = figures();
    if (pathname === "/forget") forget();
    return Response.json(result);
  },
});
process.stdout.write(`${server.url.origin}\n${mortal.url.origin}\n`);
// The other end closes when the benchmark ends or is killed.
for await (const _ of Bun.stdin.stream());
process.exit(0);
