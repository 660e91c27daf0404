/**
 * Goal: metrics are in the Prometheus text format, cover each process, and have their own address,
 * because clients must not see pids and totals of all tenants.
 */
import { expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { privateSocketPath } from "../../src/config.ts";
import { createHotel } from "../support/client.ts";
import { until, WHOLE_DEMO } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

// On all addresses of the machine, so that only metrics can be the ones that are not.
const service = await serviceOfFile({ ...WHOLE_DEMO, API_PROCESSES: "2", HOST: "0.0.0.0" });

const SAMPLE = /^([a-z_]+)\{([^}]*)\} (-?[\d.e+-]+)$/;

async function exposition(): Promise<string[]> {
  return (await service.metrics()).trimEnd().split("\n");
}

/** Pids of a role among the samples. */
function pidsOf(role: string, text: string): Set<string | undefined> {
  const found = text.matchAll(new RegExp(`role="${role}",pid="(\\d+)"`, "g"));
  return new Set([...found].map(([, pid]) => pid));
}

test("every family is announced once, every sample is well formed and names its process", async () => {
  await service.api("GET", "/v1/properties");
  await until("all processes have posted", async () => {
    const text = await service.metrics();
    return (
      [pidsOf("engine", text).size, pidsOf("worker", text).size].every((count) => count === 1) &&
      pidsOf("api", text).size === 2
    );
  });
  const lines = await exposition();
  const announced = lines.filter((line) => line.startsWith("# HELP")).map((l) => l.split(" ")[2]);
  expect(new Set(announced).size).toBe(announced.length);
  const samples = lines.filter((line) => !line.startsWith("#"));
  for (const line of samples) {
    const [, name = "", labels = ""] = SAMPLE.exec(line) ?? [];
    expect(labels).toMatch(/role="\w+",pid="\d+"$/);
    expect(announced).toContain(name.replace(/_(bucket|sum|count)$/, ""));
  }
  for (const name of [
    "innkeep_http_requests_total",
    "innkeep_http_request_duration_seconds",
    "innkeep_envelopes_total",
    "innkeep_engine_commit_seconds_total",
    "innkeep_engine_queue_depth",
    "innkeep_replica_lag_seconds",
    "innkeep_resident_memory_bytes",
    "innkeep_payments",
    "innkeep_payments_oldest_seconds",
    "innkeep_refunds",
    "innkeep_refunds_oldest_seconds",
    "innkeep_quarantined_records",
    "innkeep_webhook_attempts_total",
    "innkeep_webhook_attempt_duration_seconds",
    "innkeep_webhook_dead_letters",
    "innkeep_webhook_oldest_pending_seconds",
    "innkeep_webhook_cursor_lag_rows",
  ]) {
    expect(announced).toContain(name);
  }
});

test("searches are counted by outcome for all callers, and never by their parameters", async () => {
  const [date] = new Date(Date.now() + 30 * 86_400_000).toISOString().split("T");
  const body = (value: string, guests: object) => {
    const check_out = new Date(Date.parse(date!) + 86_400_000).toISOString().slice(0, 10);
    const stay = { check_in: date, check_out };
    return { destination: { type: "area", value }, stay, guests };
  };
  const few = { adults: 2 };
  const many = { adults: 20 };
  for (const asked of [body("Madrid", few), body("Madrid", many), body("Nowhere-42", few)]) {
    (await service.api("POST", "/v1/search", { body: asked })).ok();
  }
  const countOf = (text: string, outcome: string) => {
    const lines = text.matchAll(
      new RegExp(`^innkeep_searches_total{outcome="${outcome}".*} (\\d+)$`, "gm"),
    );
    return [...lines].reduce((sum, [, value]) => sum + Number(value), 0);
  };
  await until("each is counted once", async () => {
    const text = await service.metrics();
    expect(text).not.toContain("Nowhere-42");
    const outcomes = ["found", "nothing_free", "unknown_place"];
    return outcomes.every((outcome) => countOf(text, outcome) === 1);
  });
});

test("clients find no metrics, neither by path nor in a document", async () => {
  (await service.api("GET", "/metrics", { agent: null })).refused("validation_failed", 404);
  (await service.api("GET", "/metrics", { agent: service.demo.admin })).refused(
    "validation_failed",
    404,
  );
  for (const path of ["/openapi.json", "/llms-full.txt", "/.well-known/api-catalog"]) {
    expect((await service.api("GET", path, { agent: null })).text).not.toContain("/metrics");
  }
});

test("metrics are served on loopback only, and nothing else is served there", async () => {
  const at = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${service.metricsPort}${path}`, init);
  const answer = await at("/metrics?x=1");
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect((await at("/metrics", { method: "HEAD" })).status).toBe(200);
  const posted = await at("/metrics", { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  for (const path of ["/", "/healthz", "/v1/properties", "/metrics/"]) {
    expect((await at(path)).status).toBe(404);
  }
  const outside = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  for (const { address, internal, family } of outside) {
    if (internal || family !== "IPv4") continue;
    const health = await fetch(`http://${address}:${new URL(service.baseUrl).port}/healthz`);
    expect(health.status).toBe(200);
    const refused = fetch(`http://${address}:${service.metricsPort}/metrics`);
    await expect(refused).rejects.toThrow();
  }
});

test("entries added to Redis by others are refused, counted and logged, and have no effect", async () => {
  const { admin, tenant_id } = service.demo;
  const hotel = await createHotel(service);
  const redis = new Redis(privateSocketPath(service.dataDir));
  const [board] = await redis.keys("ik-*:board");
  const prefix = board!.slice(0, -":board".length);
  const suspend = {
    ...{ type: "SuspendProperty", tenant_id, mode: "live", property_id: hotel.id },
    actor: { kind: "operator", id: "agt_forged" },
    ...{ trace_id: "0".repeat(32), docs: "", random: "1".repeat(32), time_left_ms: 60_000 },
  };
  const queues = ["payments"];
  const lanes = (await redis.keys(`${prefix}:inventory-*:meta`)).length;
  for (let lane = 0; lane < Math.max(lanes, 8); lane += 1) {
    queues.push(`inventory-${String(lane).padStart(2, "0")}`);
  }
  const cs = [{ i: 1, c: suspend }];
  const job = { by: "me", a: `${prefix}:reply:x`, t: Date.now(), cs, due: [], kind: "run" };
  for (const name of queues) {
    const queue = new Queue(name, { connection: redis, prefix });
    await queue.add("e", { ...job, payment_id: "pay_1" });
    await queue.close();
  }
  await redis.hset(`${prefix}:board`, "engine:1", "not JSON");
  type Ready = { dependencies: { messages: { state: string; refused?: string[] } } };
  await until("all kinds are named", async () => {
    const { dependencies } = (await service.api("GET", "/readyz")).ok<Ready>().data;
    const { state, refused = [] } = dependencies.messages;
    const kinds = ["board", "commands", "payments"];
    return state === "degraded" && kinds.every((kind) => refused.includes(kind));
  });
  const text = await service.metrics();
  for (const kind of ["commands", "payments"]) {
    expect(text).toMatch(new RegExp(`innkeep_refused_messages_total\\{kind="${kind}",.*\\} [1-9]`));
  }
  const path = `/v1/admin/properties/${hotel.id}`;
  const { data } = (await service.api("GET", path, { agent: admin })).ok<{ state: string }>();
  expect(data.state).toBe("live");
  await redis.quit();
});

test("a worker that died is replaced, and metrics go on", async () => {
  const { worker } = service.pids;
  process.kill(worker!, "SIGKILL");
  await until("another worker tells them", async () => {
    const text = await service.metrics().catch(() => "");
    return [...pidsOf("worker", text)].some((pid) => pid !== String(worker));
  });
});
