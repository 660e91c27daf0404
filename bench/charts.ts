/** Which charts the figures of a section give. */
import { CATALOGUE, type Part } from "./catalogue.ts";
import {
  comparedOf,
  type FigureName,
  type Group,
  isMet,
  type Line,
  type Section,
  shown,
  shownRoughly,
  type Verdict,
} from "./result.ts";
import { type Bar, barChart, type Curve, logChart, type Stack, stackedChart } from "./svg.ts";

export interface Chart {
  readonly file: string;
  readonly title: string;
  readonly svg: string;
}

const PERCENTILES: readonly (readonly [FigureName, string])[] = [
  ["p50Ms", "p50"],
  ["p90Ms", "p90"],
  ["p99Ms", "p99"],
  ["p999Ms", "p99.9"],
];

/** Processes of the service and of the peers, in the order of their colours. */
const PROCESSES = [
  ...["api", "engine", "redis-server", "worker", "all", "feed"],
  ...["postgres", "node", "bun"],
];

function sentence(parts: readonly string[]): string {
  return `${parts.join("; ")}.`;
}

/** Ours ÷ each peer, with the target of each ratio that has one. */
function ratioChart({ groups, verdicts }: Section): Chart[] {
  const bars = groups.flatMap((group): Bar[] => {
    const ours = group.lines.find(({ name }) => name === "ours spread");
    const peers = group.lines.filter(({ name }) => name.startsWith("peer"));
    if (ours === undefined) return [];
    return peers.map((peer) => {
      const value = comparedOf(group, ours) / comparedOf(group, peer);
      const at = `${peer.name}, ${group.id} connections`;
      const verdict = verdicts.find(({ text }) => text === `ours ÷ ${at}`);
      return { label: `÷ ${at}`, value, ...judged(value, verdict) };
    });
  });
  if (bars.length === 0) return [];
  const title = "Holds a second: ours ÷ each peer";
  const description = sentence(bars.map(({ label, words }) => `ours ${label}: ${words}`));
  const subtitle = "1 is as fast as the peer, in the same run; a broken line is the target";
  const svg = barChart({ title, description, subtitle, mark: 1 }, bars);
  return [{ file: "holds-ratios.svg", title, svg }];
}

function judged(value: number, verdict: Verdict | undefined): Pick<Bar, "words" | "target"> {
  const figure = shownRoughly(value);
  if (verdict === undefined) return { words: figure, target: null };
  return { words: `${figure}, ${isMet(verdict) ? "met" : "missed"}`, target: verdict.target };
}

function curveOf({ name, figures }: Line): Curve[] {
  const points = PERCENTILES.flatMap(([figure, x]) => {
    const summary = figures[figure];
    return summary === undefined ? [] : [{ x, y: summary.median }];
  });
  return points.length > 1 ? [{ name, points }] : [];
}

/** A chart of latencies says something where there are two to compare. */
function latencyChart({ part }: Section, { id, title, lines }: Group): Chart[] {
  const curves = lines.flatMap(curveOf);
  if (curves.length < 2) return [];
  const about = `Latency: ${title}`;
  const description = sentence(
    curves.map(({ name, points }) => {
      return `${name}: ${points.map(({ x, y }) => `${x} ${shownRoughly(y)} ms`).join(", ")}`;
    }),
  );
  const subtitle = "milliseconds by percentile, logarithmic; medians of the runs";
  const svg = logChart({ title: about, description, subtitle }, curves);
  return [{ file: `${part}-${id}-latency.svg`, title: about, svg }];
}

/**
 * All lines of a section whose processes were counted, in one chart; of searches one for each
 * group, because a large destination costs fifty times what a small one does.
 */
function cpuCharts({ part, groups }: Section): Chart[] {
  const { title } = CATALOGUE[part];
  if (part !== "search") {
    return cpuChart(
      { file: `${part}-cpu.svg`, about: title.toLowerCase() },
      stacksOf(part, groups),
    );
  }
  return groups.flatMap((group) =>
    cpuChart({ file: `${part}-${group.id}-cpu.svg`, about: group.title }, stacksOf(part, [group])),
  );
}

function stacksOf(part: Part, groups: readonly Group[]): Stack[] {
  return groups.flatMap(({ lines, id }): Stack[] =>
    lines
      .filter(({ cpuByProcess }) => Object.keys(cpuByProcess).length > 0)
      .map(({ name, cpuByProcess }) => {
        return { label: part === "holds" ? `${name}, ${id}` : name, parts: cpuByProcess };
      }),
  );
}

function cpuChart({ file, about }: Record<"file" | "about", string>, stacks: Stack[]): Chart[] {
  if (stacks.length === 0) return [];
  const title = `CPU by process: ${about}`;
  const description = sentence(
    stacks.map(({ label, parts }) => {
      const words = Object.entries(parts).map(([name, micros]) => `${name} ${shown(micros, 0)}`);
      return `${label}: ${words.join(", ")}`;
    }),
  );
  const subtitle = "microseconds per request, user and system, medians of the runs";
  const svg = stackedChart({ title, description, subtitle, order: PROCESSES }, stacks);
  return [{ file, title, svg }];
}

/** How fast each way to build writes. */
function buildChart({ part }: Section, group: Group): Chart[] {
  if (group.compares !== "megabytesPerSecond") return [];
  const bars = group.lines.map((line): Bar => {
    const value = comparedOf(group, line);
    return { label: line.name, value, words: `${shownRoughly(value)} MB/s`, target: null };
  });
  const title = `Speed: ${group.title}`;
  const description = sentence(bars.map(({ label, words }) => `${label}: ${words}`));
  const subtitle = "megabytes a second, medians of the runs";
  const svg = barChart({ title, description, subtitle, mark: null }, bars);
  return [{ file: `${part}-${group.id}.svg`, title, svg }];
}

/** In the order in which they stand on the page. */
export function chartsOf(section: Section): Chart[] {
  return [
    ...(section.part === "holds" ? ratioChart(section) : []),
    ...section.groups.flatMap((group) => buildChart(section, group)),
    ...section.groups.flatMap((group) => latencyChart(section, group)),
    ...cpuCharts(section),
  ];
}
