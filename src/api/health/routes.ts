/** Health, readiness and metrics. */

import { instantIso } from "../../../engine/core/calendar.ts";
import type { Post } from "../../../jobs/board.ts";
import { missingForPayments } from "../../../jobs/payments/providers.ts";
import { PRODUCT_VERSION, SERVICE_NAME } from "../../about/version.ts";
import { exposition, type Family, type ProcessFamilies } from "../../base/metrics.ts";
import { commandLine } from "../../base/process.ts";
import type { PublicCall, PublicRoute } from "../../http/call.ts";
import { bad, good } from "../../http/respond.ts";

type DependencyState = "ok" | "degraded" | "down";

/** Past this the replica's answers are too old to be called current. */
const LAG_DEGRADED_MS = 1_000;

function health(call: PublicCall): Response {
  const timestamp = instantIso(call.deps.now());
  const data = { status: "ok", service: SERVICE_NAME, version: PRODUCT_VERSION, timestamp };
  return good(call, { data });
}

/** What the engine and the worker post about themselves. */
export interface RoleReport {
  readonly families: readonly Family[];
  /** False while the journal takes no writes. */
  readonly isWritable?: boolean;
}

async function dependencies(call: PublicCall): Promise<Record<string, DependencyState>> {
  const { board, replica, config } = call.deps;
  let posts: readonly Post[] | null = null;
  try {
    posts = await board.read();
  } catch {
    // Redis is down; what is posted there cannot be known.
  }
  // All roles share a machine, so who died since its last post can be told by its pid.
  const living = (role: string) =>
    posts?.find((post) => post.role === role && commandLine(post.pid) !== null);
  const engine = living("engine");
  const worker = living("worker");
  const isWritable = (engine?.report as RoleReport | undefined)?.isWritable !== false;
  replica.catchUp(2);
  // In the order of cause: without Redis nobody's post can be read.
  return {
    redis: posts ? "ok" : "down",
    engine: engine ? "ok" : "down",
    journal: isWritable ? "ok" : "down",
    replica: replica.lagMs() > LAG_DEGRADED_MS ? "degraded" : "ok",
    payments: missingForPayments(config) === null ? (worker ? "ok" : "degraded") : "down",
  };
}

async function ready(call: PublicCall): Promise<Response> {
  const states = await dependencies(call);
  const all = Object.values(states);
  const status = all.includes("down") ? "down" : all.includes("degraded") ? "degraded" : "ok";
  const data = {
    status,
    service: SERVICE_NAME,
    timestamp: instantIso(call.deps.now()),
    dependencies: Object.fromEntries(
      Object.entries(states).map(([name, state]) => [name, { state }]),
    ),
  };
  if (status !== "down") return good(call, { data });
  const upstream = Object.keys(states).find((name) => states[name] === "down");
  return bad(call, { code: "upstream_unavailable", detail: { upstream, ...data } });
}

async function metrics({ deps }: PublicCall): Promise<Response> {
  let processes: ProcessFamilies[];
  try {
    const posts = await deps.board.read();
    processes = posts.map(({ role, pid, report }) => {
      return { role, pid, families: (report as RoleReport).families };
    });
  } catch {
    processes = [{ role: "api", pid: process.pid, families: deps.metrics.families() }];
  }
  const headers = { "content-type": "text/plain; version=0.0.4", "cache-control": "no-store" };
  return new Response(exposition(processes), { headers });
}

const PUBLIC_GET = { method: "GET", access: "public" } as const;

export const systemRoutes: readonly PublicRoute[] = [
  { ...PUBLIC_GET, path: "/healthz", handle: health },
  { ...PUBLIC_GET, path: "/readyz", handle: ready },
  { ...PUBLIC_GET, path: "/metrics", handle: metrics },
];
