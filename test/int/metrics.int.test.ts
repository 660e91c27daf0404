/** Goal: `GET /metrics` is the Prometheus text format and tells of every process. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { Service, until } from "../support/service.ts";

setDefaultTimeout(60_000);

let service: Service;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.stop());

const SAMPLE = /^([a-z_]+)\{([^}]*)\} (-?[\d.e+-]+)$/;

async function exposition(): Promise<string[]> {
  const response = await fetch(`${service.baseUrl}/metrics`);
  expect(response.headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
  return (await response.text()).trimEnd().split("\n");
}

test("every family is announced once, every sample is well formed and names its process", async () => {
  await service.api("GET", "/v1/properties");
  await until("all roles have posted", async () => {
    const text = (await exposition()).join("\n");
    return ["engine", "api", "worker"].every((role) => text.includes(`role="${role}"`));
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
  ]) {
    expect(announced).toContain(name);
  }
});
