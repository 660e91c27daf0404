/**
 * Figures outside the journal: searches, quotes and latencies, counted by every process per minute,
 * and results of webhook deliveries. They ignore `as_of`.
 */
import type { Realm } from "../../../engine/core/supply.ts";
import { BOUNDS_MS, type Traffic } from "../../../jobs/kpis/traffic-file.ts";
import { listEndpoints } from "../../access/control/webhook-endpoints.ts";
import type { Context } from "../../http/context.ts";

const DAY_MS = 86_400_000;

/** Days of UTC, both included. */
interface Days {
  readonly firstDay: number;
  readonly lastDay: number;
}

/** For a whole tenant: the counters have no property. */
export function trafficOf(context: Context, realm: Realm, { firstDay, lastDay }: Days) {
  const sums = context.trafficFile.sums(realm, firstDay, lastDay);
  const byRoute = new Map<string, Traffic[]>();
  for (const each of sums) byRoute.set(each.route, [...(byRoute.get(each.route) ?? []), each]);
  return {
    sums,
    traffic: {
      source: "counters",
      routes: [...byRoute].map(([route, each]) => routeOut(route, each)),
      ...deliveriesOf(context, realm, { firstDay, lastDay }),
    },
  };
}

/** Answered requests of an agent to a route. */
export function answeredOf(sums: readonly Traffic[], agentId: string, route: string): number {
  const found = sums.find((each) => each.agent_id === agentId && each.route === route);
  return found?.answered ?? 0;
}

function routeOut(route: string, each: readonly Traffic[]) {
  const sum = (of: (traffic: Traffic) => number) => each.reduce((all, one) => all + of(one), 0);
  const latencies = [...BOUNDS_MS, 0].map((_, nth) => sum((one) => one.latencies[nth]!));
  return {
    ...{ route, answered: sum((one) => one.answered) },
    ...{ refused: sum((one) => one.refused), failed: sum((one) => one.failed) },
    p50_ms: percentile(latencies, 0.5),
    p99_ms: percentile(latencies, 0.99),
  };
}

/** The latency bound of a share of requests; null beyond the last bound. */
export function percentile(latencies: readonly number[], share: number): number | null {
  const total = latencies.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (const [nth, count] of latencies.entries()) {
    seen += count;
    if (seen >= share * total) return BOUNDS_MS[nth] ?? null;
  }
  return null;
}

function deliveriesOf({ store, deliveries }: Context, realm: Realm, days: Days) {
  let [succeeded, dead, dead_letters] = [0, 0, 0];
  for (const { endpoint_id } of listEndpoints(store, realm)) {
    dead_letters += deliveries.counts(endpoint_id).dead_letters;
    const [since, until] = [days.firstDay * DAY_MS, (days.lastDay + 1) * DAY_MS];
    for (const hour of deliveries.stats(endpoint_id, since, until)) {
      succeeded += hour.succeeded;
      dead += hour.dead_lettered;
    }
  }
  const settled = succeeded + dead;
  const rate = settled === 0 ? null : Math.round((succeeded / settled) * 10_000) / 10_000;
  return { webhook_success_rate: rate, dead_letters };
}
