/**
 * The charts of a section, as SVG that needs nothing else: bars in rows, with a title and a
 * description for screen readers, and colours for light and dark. Plotting libraries draw on a DOM
 * or a canvas; what the small ones bring (a linear scale, stacked sums) is a few lines here.
 */
import { CATALOGUE, wrap } from "./catalogue.ts";
import { comparedOf, isMet, type Section, shown, shownRoughly } from "./result.ts";

export interface Chart {
  readonly file: string;
  readonly title: string;
  readonly svg: string;
}

interface Bar {
  readonly label: string;
  /** Name and length of each part. */
  readonly parts: readonly (readonly [name: string, value: number])[];
  /** Stands behind the bar. */
  readonly words: string;
  /** Where the bar should end or begin. */
  readonly target?: number | undefined;
}

const WIDTH = 760;
const PADDING = 20;
const TOP = 62;
/** An average character of a font of 13 px is a little over half as wide. */
const CHARACTER = 7;
const LABEL_CHARACTERS = 34;
const LINE = 15;
/** Behind the longest bar, for its words. */
const WORDS = 110;
const TICKS = 5;

/** Processes of the service and of the peers: a process has the same colour in every chart. */
const PROCESSES = [
  ...["api", "engine", "redis-server", "worker", "all", "feed"],
  ...["postgres", "node", "bun"],
];
/** On white and on black; the description says the same without colours. */
const LIGHT = "0b5cad b54708 0f766e 9d2b6b 5b4bb5 6b5b00 a1262d 4b5563 2b7a2b".split(" ");
const DARK = "6cb6ff f0a45d 4fd1b5 f08cc0 b3a5ff e3c84a ff8f8a aab4c0 7ee787".split(" ");
const fills = (colours: readonly string[]) =>
  colours.map((colour, i) => `.f${i}{fill:#${colour}}`).join("");

const STYLE = `
svg{font:13px system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
.back{fill:#ffffff}.ink{fill:#1f2328}.soft{fill:#59636e;font-size:12px}
.grid{stroke:#d1d9e0}.axis{stroke:#59636e}.title{font-size:15px;font-weight:600}
${fills(LIGHT)}
@media(prefers-color-scheme:dark){
.back{fill:#0d1117}.ink{fill:#e6edf3}.soft{fill:#9198a1}.grid{stroke:#3d444d}.axis{stroke:#9198a1}
${fills(DARK)}
}
`;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Coordinates to a tenth: the same figures give the same bytes. */
const at = (value: number) => String(Math.round(value * 10) / 10);

function text(x: number, y: number, words: string, kind = "ink", anchor = "start"): string {
  const place = `x="${at(x)}" y="${at(y)}" class="${kind}" text-anchor="${anchor}"`;
  return `<text ${place}>${escaped(words)}</text>`;
}

function upright(kind: string, x: number, top: number, bottom: number, dash = "none"): string {
  const ends = `x1="${at(x)}" x2="${at(x)}" y1="${at(top)}" y2="${at(bottom)}"`;
  return `<line ${ends} class="${kind}" stroke-dasharray="${dash}"/>`;
}

function box(kind: string, x: number, y: number, width: number, height: number): string {
  const size = `width="${at(Math.max(0, width))}" height="${at(height)}"`;
  return `<rect x="${at(x)}" y="${at(y)}" ${size} class="${kind}"/>`;
}

/** Steps of 1, 2 or 5 that divide a scale up to `max` into a few parts. */
function ticksUpTo(max: number): number[] {
  const rough = max / TICKS;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 5].find((factor) => factor * unit >= rough) ?? 10);
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, i) => i * step);
}

const hue = (name: string) => `f${Math.max(0, PROCESSES.indexOf(name))}`;

/** Names with their colours, in as many rows as they need. */
function legend(names: readonly string[], top: number) {
  let [x, y] = [PADDING, top];
  const parts = names.flatMap((name) => {
    const width = 40 + name.length * CHARACTER;
    if (x + width > WIDTH - PADDING) [x, y] = [PADDING, y + 22];
    const found = [box(hue(name), x, y - 10, 12, 12), text(x + 20, y, name)];
    x += width;
    return found;
  });
  return { parts, bottom: names.length > 0 ? y + 18 : top };
}

/** Bars from zero; a broken line is the target of a bar. Only parts of several names are named. */
function drawn(title: string, subtitle: string, bars: readonly Bar[]): string {
  const labels = bars.map(({ label }) => wrap(label, LABEL_CHARACTERS));
  const left = PADDING + 14 + CHARACTER * Math.max(...labels.flat().map((line) => line.length));
  const height = 11 + LINE * Math.max(...labels.map((lines) => lines.length));
  const bottom = TOP + bars.length * height;
  const lengths = bars.map(({ parts }) => parts.reduce((sum, [, value]) => sum + value, 0));
  const max = Math.max(...lengths, ...bars.map(({ target = 0 }) => target));
  const x = (value: number) => left + (value / max) * (WIDTH - left - PADDING - WORDS);
  const grid = ticksUpTo(max).flatMap((value) => [
    upright("grid", x(value), TOP, bottom),
    text(x(value), bottom + 16, Number(value.toPrecision(6)).toLocaleString("en-US"), ...MIDDLE),
  ]);
  const rows = bars.flatMap(({ parts, words, target }, i) => {
    const y = TOP + (i + 0.5) * height;
    const first = y + 4.5 - ((labels[i]!.length - 1) / 2) * LINE;
    let from = 0;
    return [
      ...labels[i]!.map((line, n) => text(left - 10, first + n * LINE, line, "ink", "end")),
      ...parts.map(([name, value]) => {
        from += value;
        return box(hue(name), x(from - value), y - 9, x(value) - left, 18);
      }),
      ...(target === undefined ? [] : [upright("axis", x(target), y - 11, y + 11, "3 2")]),
      text(x(Math.max(lengths[i]!, target ?? 0)) + 6, y + 4.5, words),
    ];
  });
  const found = new Set(bars.flatMap(({ parts }) => parts.map(([name]) => name)));
  const key = legend(
    found.size > 1 ? PROCESSES.filter((name) => found.has(name)) : [],
    bottom + 44,
  );
  const size = `width="${WIDTH}" height="${at(key.bottom)}" viewBox="0 0 ${WIDTH} ${at(key.bottom)}"`;
  const description = bars.map(({ label, words, parts }) => {
    const each = parts.map(([name, value]) => `${name} ${shown(value, 0)}`).join(", ");
    return `${label}: ${parts.length > 1 ? each : words}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t d" ${size}>`,
    `<title id="t">${escaped(title)}</title>`,
    `<desc id="d">${escaped(description.join("; "))}.</desc>`,
    `<style>${STYLE}</style>`,
    box("back", 0, 0, WIDTH, key.bottom),
    text(PADDING, 28, title, "ink title"),
    text(PADDING, 47, subtitle, "soft"),
    ...[...grid, ...rows, ...key.parts, "</svg>\n"],
  ].join("\n");
}

const MIDDLE = ["soft", "middle"] as const;

/** Ours ÷ each peer of holds, with the target of each ratio that has one. */
function ratioChart({ part, groups, verdicts }: Section): Chart[] {
  const bars = groups.flatMap((group): Bar[] => {
    const ours = group.lines.find(({ name }) => name === "ours spread");
    if (part !== "holds" || ours === undefined) return [];
    const peers = group.lines.filter(({ name }) => name.startsWith("peer"));
    return peers.map((peer) => {
      const value = comparedOf(group, ours) / comparedOf(group, peer);
      const label = `÷ ${peer.name}, ${group.id} connections`;
      const verdict = verdicts.find(({ text }) => text === `ours ${label}`);
      const words = [shownRoughly(value), ...(verdict ? [isMet(verdict) ? "met" : "missed"] : [])];
      return { label, parts: [["", value]], words: words.join(", "), target: verdict?.target };
    });
  });
  if (bars.length === 0) return [];
  const title = "Holds a second: ours ÷ each peer";
  const subtitle = "1 is as fast as the peer, in the same run; a broken line is the target";
  return [{ file: "holds-ratios.svg", title, svg: drawn(title, subtitle, bars) }];
}

/** Only the tables have lines of more than this multiple of the cheapest one. */
const RANGE = 40;

function cpuChart({ part, groups }: Section): Chart[] {
  const all = groups.flatMap(({ id, lines }) =>
    lines.map(({ name, cpuByProcess }) => {
      const parts = Object.entries(cpuByProcess);
      const total = parts.reduce((sum, [, value]) => sum + value, 0);
      const label = part === "holds" ? `${name}, ${id}` : name;
      return { label, parts, total, words: shown(total, 0) };
    }),
  );
  const counted = all.filter(({ total }) => total > 0);
  if (counted.length === 0) return [];
  const least = Math.min(...counted.map(({ total }) => total));
  const bars = counted.filter(({ total }) => total <= RANGE * least);
  const title = `CPU by process: ${CATALOGUE[part].title.toLowerCase()}`;
  const subtitle = "microseconds per request, user and system, medians of the runs";
  return [{ file: `${part}-cpu.svg`, title, svg: drawn(title, subtitle, bars) }];
}

/** In the order in which they stand on the page. */
export function chartsOf(section: Section): Chart[] {
  return [...ratioChart(section), ...cpuChart(section)];
}
