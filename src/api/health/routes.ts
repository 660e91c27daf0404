/** Health and readiness. */
import { instantIso } from "../../../engine/core/calendar.ts";
import { missingForPayments } from "../../../jobs/payments/providers.ts";
import { MIRROR_ROLE, type Post, THIS_HOST } from "../../../jobs/redis/board.ts";
import { PRODUCT_VERSION, SERVICE_NAME } from "../../about/about.ts";
import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";
import { route } from "../../http/route.ts";
import { freeMib, SHORT_MIB } from "../../lib/disk-room.ts";
import { memoizeByKey, throttled } from "../../lib/memoize.ts";
import type { RoleReport } from "../../lib/metrics.ts";
import { commandLine } from "../../lib/process.ts";
import { Health, Readiness } from "./responses.ts";

type DependencyState = "ok" | "degraded" | "down";

/** With more lag the replica counts as degraded. */
const LAG_DEGRADED_MS = 1_000;
/** With less free space, writes are refused or about to be. */
const FULL_MIB = 1;
/** Maximum age of a readiness answer. */
const LOOK_EVERY_MS = 1_000;

function health(call: PublicCall): Success {
  const timestamp = instantIso(call.context.now());
  const data = { status: "ok", service: SERVICE_NAME, version: PRODUCT_VERSION, timestamp };
  return { ok: true, data };
}

interface Dependency {
  readonly state: DependencyState;
  readonly damage?: string;
  readonly refused?: readonly string[];
}

async function dependencies(context: Context): Promise<Record<string, Dependency>> {
  const { board, replica, config } = context;
  let posts: readonly Post[] | null = null;
  try {
    posts = await board.read();
  } catch {
    // Redis is down, so the posts there are unknown.
  }
  // On this machine a pid shows whether a process died since its last post.
  const living = (role: string, isHere = false) =>
    posts?.find(({ role: of, host, pid }) => {
      if (of !== role) return false;
      return host === THIS_HOST ? commandLine(pid) !== null : !isHere;
    });
  const engine = living("engine");
  const worker = living("worker");
  const { isWritable = true, isOnTime = true } = (engine?.report ?? {}) as Partial<RoleReport>;
  const report = (worker?.report ?? {}) as Partial<RoleReport>;
  const { isReconciling = false, damage = [], controlDamage = [] } = report;
  const isPaying = worker && !isReconciling;
  // A copy that nothing keeps at its journal's head looks current to those who read it.
  const isKept = config.databaseUrl === null || living(MIRROR_ROLE, true) !== undefined;
  const isFollowing = isKept && replica.lagMs() <= LAG_DEGRADED_MS;
  const journal: Dependency = { state: isWritable ? "ok" : "down" };
  const [damaged] = damage;
  const refused = new Set(
    (posts ?? []).flatMap(({ report }) => (report as RoleReport).refusedMessages ?? []),
  );
  // In causal order: without Redis no posts can be read.
  return {
    redis: { state: posts ? "ok" : "down" },
    engine: { state: !engine ? "down" : isOnTime ? "ok" : "degraded" },
    journal: isWritable && damaged ? { state: "degraded", damage: damaged } : journal,
    control_store: controlStore(context, controlDamage),
    replica: { state: isFollowing ? "ok" : "degraded" },
    disk: disk(freeMib(config.dataDir)),
    records: { state: replica.findings().length > 0 ? "degraded" : "ok" },
    messages:
      refused.size > 0 ? { state: "degraded", refused: [...refused].sort() } : { state: "ok" },
    payments: {
      state: missingForPayments(config) !== null ? "down" : isPaying ? "ok" : "degraded",
    },
  };
}

function disk(free: number): Dependency {
  if (free < FULL_MIB) return { state: "degraded", damage: "disk_full" };
  return { state: free < SHORT_MIB ? "degraded" : "ok" };
}

/** Whether the journal takes writes, and damage found by the worker or this process. */
function controlStore({ control, store }: Context, [found]: readonly string[]): Dependency {
  store.probe();
  const trouble = store.trouble();
  if (trouble !== null) return { state: "degraded", damage: trouble };
  const damage = found ?? (control.damaged.length > 0 ? "control_row_damaged" : undefined);
  return damage === undefined ? { state: "ok" } : { state: "degraded", damage };
}

async function lookAround(context: Context): Promise<Success | Refusal> {
  const found = await dependencies(context);
  const all = Object.values(found).map(({ state }) => state);
  const status = all.includes("down") ? "down" : all.includes("degraded") ? "degraded" : "ok";
  const data = {
    status,
    service: SERVICE_NAME,
    timestamp: instantIso(context.now()),
    dependencies: found,
  };
  if (status !== "down") return { ok: true, data };
  const upstream = Object.keys(found).find((name) => found[name]!.state === "down");
  return refuse("upstream_unavailable", { upstream, ...data });
}

/** A public call that costs Redis and process look-ups. */
const readinessOf = memoizeByKey((context: Context) => {
  return throttled(LOOK_EVERY_MS, () => lookAround(context));
});

function ready({ context }: PublicCall): Promise<Success | Refusal> {
  return readinessOf(context)();
}

const GET = { tag: "Discovery", method: "GET", access: "public" } as const;

export const healthRoutes = [
  route({
    ...GET,
    id: "get_health",
    path: "/healthz",
    summary: "Check that the process is alive",
    description: "Always `ok`; for dependencies see `/readyz`.",
    success: { status: 200, description: "It is alive.", data: Health },
    errors: [],
    handle: health,
  }),
  route({
    ...GET,
    id: "get_readiness",
    path: "/readyz",
    summary: "Check that the service is ready",
    description:
      "The worst state of its dependencies, at most a second old; `down` is answered with 503 " +
      "and the same fields.",
    // Frequent checks by load balancers must not be refused.
    addressLimit: { name: "readyz", perMinute: 600 },
    readsReplica: true,
    success: { status: 200, description: "It is ready, perhaps degraded.", data: Readiness },
    errors: ["upstream_unavailable"],
    handle: ready,
  }),
];
