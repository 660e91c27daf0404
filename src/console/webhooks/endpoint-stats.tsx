/** How an endpoint has done in the last day, as far as the API counts it. */
import type { Static } from "@sinclair/typebox";
import type { EndpointStats } from "../../api/deliveries/responses.ts";
import { formatsOf } from "../../languages/formats.ts";
import { type Answered, ask } from "../frame/api.ts";
import { plural } from "../frame/parts.tsx";
import type { Visit } from "../frame/visit.ts";

export type Stats = Static<typeof EndpointStats>;

const FORMATS = formatsOf({ language: "en", tag: "en" });
const BPS = 10_000;

/** The figures of an endpoint's last day. */
export function statsOf(visit: Visit, endpointId: string): Promise<Answered<Stats>> {
  return ask(visit, { id: "get_webhook_stats", params: { id: endpointId } });
}

interface Day {
  readonly attempts: number;
  /** Of attempts, basis points; null without attempts. */
  readonly succeededBps: number | null;
  readonly latencyMsMean: number;
  readonly latencyMsMax: number;
}

/** The hours as one: a mean is weighted with its attempts. */
export function dayOf({ hours }: Pick<Stats, "hours">): Day {
  const sum = (of: (hour: Stats["hours"][number]) => number) =>
    hours.reduce((total, hour) => total + of(hour), 0);
  const attempts = sum((hour) => hour.attempts);
  const succeeded = sum((hour) => hour.succeeded);
  const latencyMs = sum((hour) => hour.latency_ms_mean * hour.attempts);
  return {
    attempts,
    succeededBps: attempts === 0 ? null : Math.floor((succeeded * BPS) / attempts),
    latencyMsMean: attempts === 0 ? 0 : Math.round(latencyMs / attempts),
    latencyMsMax: Math.max(0, ...hours.map((hour) => hour.latency_ms_max)),
  };
}

/** `98.2% of 412 attempts`; the reason when it may not be read. */
export function Succeeded({ stats }: { readonly stats: Answered<Stats> }) {
  if (!stats.ok) return <span class="faint">cannot be read: {stats.error.code}</span>;
  const { attempts, succeededBps } = dayOf(stats.data);
  if (succeededBps === null) return <span class="faint">no attempt</span>;
  return (
    <>
      {FORMATS.percent(succeededBps)} <span class="faint">of {plural(attempts, "attempt")}</span>
    </>
  );
}

/** Mean and longest response time. */
export function Latency({ stats }: { readonly stats: Answered<Stats> }) {
  const day = stats.ok ? dayOf(stats.data) : null;
  if (day === null || day.attempts === 0) return <>—</>;
  return (
    <>
      {FORMATS.decimal(day.latencyMsMean)} ms{" "}
      <span class="faint">longest {FORMATS.decimal(day.latencyMsMax)} ms</span>
    </>
  );
}
