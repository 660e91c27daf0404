/** Metrics of deliveries, by health of their endpoints and never by endpoint. */
import type { WebhookFigures } from "../../../jobs/webhooks/dispatch/figures.ts";
import { type Family, single } from "../../lib/metrics.ts";

type Sample = Family["samples"][number];

function family(
  name: string,
  type: Family["type"],
  help: string,
  samples: readonly Sample[],
): Family {
  return { name: `innkeep_webhook_${name}`, type, help, samples };
}

/** Metrics of deliveries; `lagRows` counts journal rows without deliveries yet. */
export function webhookFamilies(figures: WebhookFigures, lagRows: number): Family[] {
  const { attempts, latencies, died, endpoints, oldest, deadLetters } = figures;
  const of = (health: string) => `health="${health}"`;
  return [
    family("attempts_total", "counter", "Attempts to deliver an event.", [
      ...attempts.map(({ health, isOk, count }) => {
        return { labels: `${of(health)},result="${isOk ? "ok" : "failed"}"`, value: count };
      }),
    ]),
    family("attempt_duration_seconds", "histogram", "Time until the receiver's answer.", [
      ...latencies.flatMap(({ health, buckets, sumS, count }) => [
        ...buckets.map((bucket) => {
          return {
            ...{ suffix: "_bucket", labels: `${of(health)},le="${bucket.leS}"` },
            value: bucket.count,
          };
        }),
        { suffix: "_bucket", labels: `${of(health)},le="+Inf"`, value: count },
        { suffix: "_sum", labels: of(health), value: sumS },
        { suffix: "_count", labels: of(health), value: count },
      ]),
    ]),
    family("dead_letters_total", "counter", "Deliveries that became dead letters, by reason.", [
      ...died.map(({ reason, count }) => ({ labels: `reason="${reason}"`, value: count })),
    ]),
    single(
      "innkeep_webhook_dead_letters",
      "gauge",
      "Dead letters not yet replayed or discarded; at most 100000 are counted.",
      deadLetters,
    ),
    family("endpoints", "gauge", "Active endpoints by health.", [
      ...endpoints.map(({ health, count }) => ({ labels: of(health), value: count })),
    ]),
    family("oldest_pending_seconds", "gauge", "Age of the oldest open delivery.", [
      ...oldest.map(({ health, ageS }) => ({ labels: of(health), value: ageS })),
    ]),
    single(
      "innkeep_webhook_cursor_lag_rows",
      "gauge",
      "Journal rows whose deliveries are not created yet.",
      lagRows,
    ),
  ];
}
