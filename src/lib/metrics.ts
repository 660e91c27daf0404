/**
 * Counters and histograms of one process for the Prometheus text format. Every process posts its
 * own; the metrics server exposes all, labelled with `role` and `pid`.
 */

/** Upper bounds in seconds. */
const LATENCY_BOUNDS_S = [
  0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10,
] as const;

export interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** Ready label text such as `route="/v1/holds"` and the value; the suffix is for histograms. */
  readonly samples: readonly {
    readonly suffix?: string;
    readonly labels: string;
    readonly value: number;
  }[];
}

interface CountedRoute {
  readonly method: string;
  readonly path: string;
}

/** Counts of one route. */
interface Asked {
  readonly byStatus: Map<number, number>;
  readonly counts: number[];
  total: number;
  sumS: number;
}

/** What became of an event of the payment provider; `ignored`: it is about nothing of ours. */
export type ProviderEventReading = "taken" | "ignored" | "refused";

/** Outcome of a search; `nothing…`: no such place, or no room for the stay. */
export type SearchOutcome = "found" | "nothing_free" | "unknown_place";

export class Metrics {
  readonly #asked = new Map<CountedRoute, Asked>();
  readonly #searches = { found: 0, nothing_free: 0, unknown_place: 0 };
  readonly #providerEvents = { taken: 0, ignored: 0, refused: 0 };

  /** Counts a request of a route, which is always the same object; labels are made later. */
  request(route: CountedRoute, status: number, durationMs: number): void {
    let asked = this.#asked.get(route);
    if (!asked) {
      asked = { byStatus: new Map(), counts: LATENCY_BOUNDS_S.map(() => 0), total: 0, sumS: 0 };
      this.#asked.set(route, asked);
    }
    const seconds = durationMs / 1000;
    asked.total += 1;
    asked.sumS += seconds;
    let bucket = 0;
    while (bucket < LATENCY_BOUNDS_S.length && seconds > LATENCY_BOUNDS_S[bucket]!) bucket += 1;
    if (bucket < LATENCY_BOUNDS_S.length) asked.counts[bucket]! += 1;
    asked.byStatus.set(status, (asked.byStatus.get(status) ?? 0) + 1);
  }

  /** Counts a search. Without the place: it is free text. */
  search(outcome: SearchOutcome): void {
    this.#searches[outcome] += 1;
  }

  /** Counts an event of the payment provider. */
  providerEvent(reading: ProviderEventReading): void {
    this.#providerEvents[reading] += 1;
  }

  /** Requests, latencies, searches and events of the payment provider so far. */
  families(): Family[] {
    const labelled = [...this.#asked].map(([{ method, path }, asked]) => {
      return [`method="${method}",route="${path}"`, asked] as const;
    });
    const requests = labelled.flatMap(([labels, { byStatus }]) => {
      return [...byStatus].map(([status, value]) => {
        return { labels: `${labels},status="${status}"`, value };
      });
    });
    const latencies = labelled.flatMap(([labels, { counts, total, sumS }]) => {
      let below = 0;
      const buckets = counts.map((count, i) => {
        below += count;
        return bucket(`${labels},le="${LATENCY_BOUNDS_S[i]}"`, below);
      });
      return [
        ...buckets,
        bucket(`${labels},le="+Inf"`, total),
        { suffix: "_sum", labels, value: sumS },
        { suffix: "_count", labels, value: total },
      ];
    });
    const searches = Object.entries(this.#searches).map(([outcome, value]) => {
      return { labels: `outcome="${outcome}"`, value };
    });
    const events = Object.entries(this.#providerEvents).map(([reading, value]) => {
      return { labels: `reading="${reading}"`, value };
    });
    return [
      {
        name: "innkeep_provider_events_total",
        type: "counter",
        help: "Events of the payment provider by what became of them.",
        samples: events,
      },
      {
        name: "innkeep_searches_total",
        type: "counter",
        help: "Answered searches of every protocol.",
        samples: searches,
      },
      {
        name: "innkeep_http_requests_total",
        type: "counter",
        help: "Answered HTTP requests.",
        samples: requests,
      },
      {
        name: "innkeep_http_request_duration_seconds",
        type: "histogram",
        help: "Time from receipt to answer.",
        samples: latencies,
      },
    ];
  }
}

function bucket(labels: string, value: number) {
  return { suffix: "_bucket", labels, value };
}

/** A family with one unlabelled sample. */
export function single(
  name: string,
  type: "counter" | "gauge",
  help: string,
  value: number,
): Family {
  return { name, type, help, samples: [{ labels: "", value }] };
}

/** Memory in use, which every role reports. */
export function memoryFamily(): Family {
  const { rss } = process.memoryUsage();
  return single("innkeep_resident_memory_bytes", "gauge", "Resident memory.", rss);
}

/** The report of a process. */
export interface RoleReport {
  readonly families: readonly Family[];
  /** Engine only: false while the journal takes no writes. */
  readonly isWritable?: boolean;
  /** False while the wall clock is too far from the engine's time. */
  readonly isOnTime?: boolean;
  /** Worker only: damage of the journal, by the names of `Damage`. */
  readonly damage?: readonly string[];
  /** Worker only: damage of `control.db`. */
  readonly controlDamage?: readonly string[];
  /** Worker only: true while payments wait for the provider's state after a restore. */
  readonly isReconciling?: boolean;
  /** Kinds of Redis messages with a recent refusal. */
  readonly refusedMessages?: readonly string[];
}

export interface ProcessFamilies {
  readonly role: string;
  /** With its host if that is another one. */
  readonly pid: number | string;
  readonly families: readonly Family[];
}

/** The Prometheus text format 0.0.4; each family once, with samples of all processes. */
export function exposition(processes: readonly ProcessFamilies[]): string {
  const blocks = new Map<string, string[]>();
  for (const { role, pid, families } of processes) {
    for (const { name, type, help, samples } of families) {
      const lines = blocks.get(name) ?? [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
      blocks.set(name, lines);
      for (const { suffix = "", labels, value } of samples) {
        // Reports about another role keep its label; labels are unique.
        const own = labels.includes('role="') ? `pid="${pid}"` : `role="${role}",pid="${pid}"`;
        lines.push(`${name}${suffix}{${labels === "" ? own : `${labels},${own}`}} ${value}`);
      }
    }
  }
  return `${[...blocks.values()].map((lines) => lines.join("\n")).join("\n")}\n`;
}
