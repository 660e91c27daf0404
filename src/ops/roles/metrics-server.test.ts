/** Goal: metrics are available when other parts fail, and their failure affects nothing else. */
import { afterEach, expect, test } from "bun:test";
import { single } from "../../lib/metrics.ts";
import { MetricsServer } from "./metrics-server.ts";

const servers: MetricsServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

function metricsServer(port: number, read: () => Promise<never[]>, said: string[] = []) {
  const server = new MetricsServer({
    ...{ port, hostname: "127.0.0.1", board: { read } },
    own: () => ({ role: "worker", pid: 7, families: [single("up", "gauge", "Up.", 1)] }),
    log: (level, message, fields) => {
      said.push(`${level} ${message} ${(fields as { reason: string }).reason}`);
    },
  });
  servers.push(server);
  return server;
}

function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  probe.stop(true);
  return probe.port;
}

test("the worker shows its own metrics while those of others cannot be read", async () => {
  const port = freePort();
  metricsServer(port, () => Promise.reject(new Error("no Redis"))).start();
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(text).toBe('# HELP up Up.\n# TYPE up gauge\nup{role="worker",pid="7"} 1\n');
});

test("a taken port is logged and prevents no start", async () => {
  const stranger = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("mine") });
  const said: string[] = [];
  metricsServer(stranger.port!, async () => [], said).start();
  await stranger.stop(true);
  const reason = "the port is taken: set METRICS_PORT";
  expect(said).toEqual([`error metrics cannot be served ${reason}`]);
});

test("port 0 serves no metrics", async () => {
  const said: string[] = [];
  const server = metricsServer(0, async () => [], said);
  server.start();
  await server.stop();
  expect(said).toEqual([]);
});
