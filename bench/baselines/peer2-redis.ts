/**
 * Peer 2, what a team would build for speed: Bun.serve and one Redis script per hold, with the
 * append-only file synced before every answer. `peer2-redis.ts <redis socket>` listens on a free
 * port, prints `{"port":…}`, and ends when its stdin closes.
 */
import { createHash, randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { ROOM_TYPES } from "./peer2-seed.ts";

type HoldReply = [status: number, body: string, replayed: 0 | 1];

/** ioredis with the two scripts of this program defined as commands. */
type Store = Redis & {
  hold(...keysAndArguments: (string | number)[]): Promise<HoldReply>;
  expire_holds(...keysAndArguments: (string | number)[]): Promise<number>;
};

const HOLD_TTL_MS = 900_000;
const SWEEP_INTERVAL_MS = 1_000;
const SWEEP_LIMIT = 500;
const BODY_LIMIT_BYTES = 65_536;
const NEXT_ACTIONS = [{ rel: "confirm", method: "POST", href: "/v1/bookings" }];

const sha256 = (text: string) => createHash("sha256").update(text);
const TENANTS = new Map([
  [sha256("sk_test_bench").digest("hex"), "00000000-0000-4000-8000-000000000001"],
]);

async function openStore(path: string): Promise<Store> {
  const redis = new Redis({ path, enableAutoPipelining: true });
  const script = (name: string) => Bun.file(`${import.meta.dir}/${name}.lua`).text();
  redis.defineCommand("hold", { numberOfKeys: 4, lua: await script("peer2-hold") });
  redis.defineCommand("expire_holds", { numberOfKeys: 2, lua: await script("peer2-expire") });
  return redis as Store;
}

function json(body: unknown, status: number, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

const refuse = (status: number, code: string) => json({ error: { code } }, status);

/** The body when it is exactly `{quote_id: string}`, otherwise null. */
async function readBody(request: Request): Promise<{ quote_id: string } | null> {
  try {
    const body: unknown = await request.json();
    if (typeof body !== "object" || body === null || Object.keys(body).length !== 1) return null;
    return "quote_id" in body && typeof body.quote_id === "string"
      ? { quote_id: body.quote_id }
      : null;
  } catch {
    return null;
  }
}

async function placeHold(request: Request, store: Store): Promise<Response> {
  const token = (request.headers.get("authorization") ?? "").slice("Bearer ".length);
  const tenant = TENANTS.get(sha256(token).digest("hex"));
  if (tenant === undefined) return refuse(401, "unauthenticated");
  const key = request.headers.get("idempotency-key");
  const body = await readBody(request);
  if (!key || body === null) return refuse(400, "validation_failed");
  const quote = await store.get(`quote:${body.quote_id}`);
  if (quote === null) return refuse(404, "quote_not_found");
  const [roomType, first, nights, quoteExpiresAt] = quote.split("|") as [
    string,
    string,
    string,
    string,
  ];
  const holdId = randomUUID();
  const keys = [
    `idem:${tenant}:holds:${key}`,
    `inv:{${roomType}}`,
    `hold:{${roomType}}:${holdId}`,
    `exp:{${roomType}}`,
  ];
  const bodyHash = sha256(JSON.stringify(body)).digest("base64");
  const terms = [bodyHash, first, nights, holdId, Date.now(), HOLD_TTL_MS, quoteExpiresAt];
  return render(await store.hold(...keys, ...terms));
}

function render([status, stored, replayed]: HoldReply): Response {
  const headers: Record<string, string> = replayed ? { "Idempotent-Replayed": "true" } : {};
  const data = JSON.parse(stored);
  const trace_id = randomUUID();
  return status < 300
    ? json({ data, trace_id, next_actions: NEXT_ACTIONS }, status, headers)
    : json({ error: { ...data, trace_id } }, status, headers);
}

/** Releases expired holds; a release is late by at most one interval. */
async function sweep(store: Store): Promise<void> {
  const now = Date.now();
  await Promise.all(
    Array.from({ length: ROOM_TYPES }, (_, i) => i + 1).map((roomType) =>
      store.expire_holds(
        `inv:{${roomType}}`,
        `exp:{${roomType}}`,
        now,
        SWEEP_LIMIT,
        `hold:{${roomType}}:`,
      ),
    ),
  );
}

const store = await openStore(process.argv[2]!);
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  maxRequestBodySize: BODY_LIMIT_BYTES,
  fetch: (request) =>
    request.method === "POST" && request.url.endsWith("/v1/holds")
      ? placeHold(request, store)
      : refuse(404, "not_found"),
});
setInterval(() => sweep(store).catch(console.error), SWEEP_INTERVAL_MS);
process.stdin.on("end", () => process.exit(0)).resume();
console.log(JSON.stringify({ port: server.port }));
