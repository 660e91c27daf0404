/** Metrics of partner feeds, by partner and never by tenant. */
import type { AccuracyFigures } from "../../../jobs/feed-runs/accuracy.ts";
import type { PartnerFigures } from "../../../jobs/feed-runs/feed-metrics.ts";
import { type Family, single } from "../../lib/metrics.ts";

/** Metrics of feeds and their runs. */
export function feedFamilies(figures: readonly PartnerFigures[]): Family[] {
  const family = (
    name: string,
    type: Family["type"],
    help: string,
    samplesOf: (figures: PartnerFigures) => Readonly<Record<string, number>>,
  ): Family => ({
    ...{ name: `innkeep_feed${name}`, type, help },
    samples: figures.flatMap((each) =>
      Object.entries(samplesOf(each)).map(([labels, value]) => {
        return { labels: `partner="${each.partner}"${labels === "" ? "" : `,${labels}`}`, value };
      }),
    ),
  });
  const labelled = (label: string, of: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(of).map(([key, value]) => [`${label}="${key}"`, value]));
  const alarms = figures.reduce((sum, { feeds }) => sum + feeds.old + feeds.failing, 0);
  return [
    family("s", "gauge", "Feeds in use, by state.", ({ feeds }) => labelled("state", feeds)),
    family("_oldest_seconds", "gauge", "Age of the oldest published feed.", ({ oldestS }) => {
      return { "": oldestS };
    }),
    family("_bytes", "gauge", "Size of the published feeds.", ({ bytes, gzipBytes }) =>
      labelled("encoding", { identity: bytes, gzip: gzipBytes }),
    ),
    family("_runs_total", "counter", "Ended runs, by outcome.", ({ runs }) =>
      labelled("outcome", runs),
    ),
    family("_run_seconds", "gauge", "Duration of the last published run.", ({ lastRunS }) => {
      return lastRunS === null ? {} : { "": lastRunS };
    }),
    single(
      "innkeep_feed_alarms",
      "gauge",
      "Feeds older than 20 hours, or whose last run failed.",
      alarms,
    ),
  ];
}

/** Metrics of the comparison of published prices with quotes. */
export function accuracyFamilies({ outcomes, wrongShares }: AccuracyFigures): Family[] {
  return [
    {
      name: "innkeep_feed_itineraries_checked_total",
      type: "counter",
      help: "Itineraries of published feeds compared with a new quote, by outcome.",
      samples: outcomes.map(({ partner, outcome, count }) => {
        return { labels: `partner="${partner}",outcome="${outcome}"`, value: count };
      }),
    },
    {
      name: "innkeep_feed_wrong_ratio",
      type: "gauge",
      help: "Largest share of differing itineraries in the last check of a feed, 0 to 1.",
      samples: wrongShares.map(({ partner, share }) => {
        return { labels: `partner="${partner}"`, value: share };
      }),
    },
  ];
}
