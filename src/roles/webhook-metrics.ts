/** Metrics of deliveries: by the health of their endpoints, never by endpoint. */
import type { WebhookFigures } from "../../jobs/webhooks/figures.ts";
import { type Family, single } from "../base/metrics.ts";

type Sample = Family["samples"][number];

function family(
  name: string,
  type: Family["type"],
  help: string,
  samples: readonly Sample[],
): Family {
  return { name: `innkeep_webhook_${name}`, type, help, samples };
}

/** As the worker tells them; `lagRows`: rows of the journal no deliveries are made of yet. */
export function webhookFamilies(figures: WebhookFigures, lagRows: number): Family[] {
  const { attempts, latencies, died, endpoints, oldest, deadLetters } = figures;
  const of = (health: string) => `health="${health}"`;
  return [
    family("attempts_total", "counter", "Attempts to deliver an event.", [
      ...attempts.map(({ health, isOk, count }) => {
        return { labels: `${of(health)},result="${isOk ? "ok" : "failed"}"`, value: count };
      }),
    ]),
    family("attempt_duration_seconds", "histogram", "Time until the answer of a receiver.", [
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
    family("dead_letters_total", "counter", "Deliveries that have died, by reason.", [
      ...died.map(({ reason, count }) => ({ labels: `reason="${reason}"`, value: count })),
    ]),
    single(
      "innkeep_webhook_dead_letters",
      "gauge",
      "Dead letters that nobody has handled; 100000 stands for more.",
      deadLetters,
    ),
    family("endpoints", "gauge", "Active endpoints by how they do.", [
      ...endpoints.map(({ health, count }) => ({ labels: of(health), value: count })),
    ]),
    family("oldest_pending_seconds", "gauge", "Age of the oldest delivery that is open.", [
      ...oldest.map(({ health, ageS }) => ({ labels: of(health), value: ageS })),
    ]),
    single(
      "innkeep_webhook_cursor_lag_rows",
      "gauge",
      "Rows of the journal that no deliveries are made of yet.",
      lagRows,
    ),
  ];
}
