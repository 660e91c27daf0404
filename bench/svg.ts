/**
 * The three forms of chart that results need, as SVG that needs nothing else: text in the fonts of
 * the system, colours for light and dark, and a description for those who do not see it.
 */
import { wrap } from "./catalogue.ts";

/** What every chart says about itself. */
interface About {
  readonly title: string;
  /** What the chart shows, in sentences. */
  readonly description: string;
}

const WIDTH = 760;
const PADDING = 20;
/** An average character of a font of 13 px is a little over half as wide. */
const CHARACTER = 7;
const LABEL_CHARACTERS = 34;
const LINE = 15;
const TOP = 62;
/** Colours that can be told apart in either light; never alone: words or markers say the same. */
const HUES = 9;

const STYLE = `
svg{font:13px system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
.back{fill:#ffffff}.ink{fill:#1f2328}.soft{fill:#59636e}.grid{stroke:#d1d9e0}.axis{stroke:#59636e}
.title{font-size:15px;font-weight:600}.small{font-size:12px}.inside{fill:#ffffff;font-size:11px}
.f0{fill:#0b5cad}.f1{fill:#b54708}.f2{fill:#0f766e}.f3{fill:#9d2b6b}.f4{fill:#5b4bb5}.f5{fill:#6b5b00}
.f6{fill:#a1262d}.f7{fill:#4b5563}.f8{fill:#2b7a2b}
.s0{stroke:#0b5cad}.s1{stroke:#b54708}.s2{stroke:#0f766e}.s3{stroke:#9d2b6b}.s4{stroke:#5b4bb5}
.s5{stroke:#6b5b00}.s6{stroke:#a1262d}.s7{stroke:#4b5563}
.s8{stroke:#2b7a2b}
.line{fill:none;stroke-width:2.5;stroke-linejoin:round}.gap{stroke:#ffffff;stroke-width:1}
@media(prefers-color-scheme:dark){
.back{fill:#0d1117}.ink{fill:#e6edf3}.soft{fill:#9198a1}.grid{stroke:#3d444d}.axis{stroke:#9198a1}
.inside{fill:#0d1117}.gap{stroke:#0d1117}
.f0{fill:#6cb6ff}.f1{fill:#f0a45d}.f2{fill:#4fd1b5}.f3{fill:#f08cc0}.f4{fill:#b3a5ff}.f5{fill:#e3c84a}
.f6{fill:#ff8f8a}.f7{fill:#aab4c0}.f8{fill:#7ee787}
.s0{stroke:#6cb6ff}.s1{stroke:#f0a45d}.s2{stroke:#4fd1b5}.s3{stroke:#f08cc0}.s4{stroke:#b3a5ff}
.s5{stroke:#e3c84a}.s6{stroke:#ff8f8a}.s7{stroke:#aab4c0}.s8{stroke:#7ee787}
}`;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Coordinates to a tenth: the same figures give the same bytes. */
const at = (value: number) => String(Math.round(value * 10) / 10);

function text(x: number, y: number, words: string, { kind = "ink", anchor = "start" } = {}) {
  const place = anchor === "start" ? "" : ` text-anchor="${anchor}"`;
  return `<text x="${at(x)}" y="${at(y)}" class="${kind}"${place}>${escaped(words)}</text>`;
}

function straight(kind: string, x1: number, y1: number, x2: number, y2: number, dash = ""): string {
  const style = dash === "" ? "" : ` stroke-dasharray="${dash}"`;
  const ends = `x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}"`;
  return `<line ${ends} class="${kind}"${style}/>`;
}

function box(kind: string, x: number, y: number, width: number, height: number): string {
  const size = `width="${at(Math.max(0, width))}" height="${at(height)}"`;
  return `<rect x="${at(x)}" y="${at(y)}" ${size} class="${kind}"/>`;
}

function page({ title, description }: About, subtitle: string, height: number, body: string[]) {
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="t d" width="${WIDTH}" height="${at(height)}" viewBox="0 0 ${WIDTH} ${at(height)}">`,
    `<title id="t">${escaped(title)}</title>`,
    `<desc id="d">${escaped(description)}</desc>`,
    `<style>${STYLE}\n</style>`,
    box("back", 0, 0, WIDTH, height),
    text(PADDING, 28, title, { kind: "ink title" }),
    text(PADDING, 47, subtitle, { kind: "soft small" }),
    ...body,
    "</svg>",
  ].join("\n")}\n`;
}

/** Steps of 1, 2 or 5 that divide a scale up to `max` into about `count` parts. */
function stepsUpTo(max: number, count: number): number[] {
  const rough = max / count;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 5, 10].find((factor) => factor * unit >= rough) ?? 10);
  return Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, i) => i * step);
}

const tick = (value: number) => Number(value.toPrecision(6)).toLocaleString("en-US");

/** Rows of bars: their labels on the left, a scale from left to right and its grid. */
function rowsOf(names: readonly string[], max: number) {
  const wrapped = names.map((name) => wrap(name, LABEL_CHARACTERS));
  const longest = Math.max(...wrapped.flat().map((line) => [...line].length));
  const row = 11 + LINE * Math.max(...wrapped.map((lines) => lines.length));
  const left = PADDING + longest * CHARACTER + 14;
  // What stands behind the longest bar needs room as well.
  const width = WIDTH - left - PADDING - 110;
  const x = (value: number) => left + (value / max) * width;
  /** The middle of a row. */
  const middle = (i: number) => TOP + i * row + row / 2;
  const bottom = TOP + names.length * row;
  const grid = stepsUpTo(max, 5).flatMap((value) => [
    straight("grid", x(value), TOP, x(value), bottom),
    text(x(value), bottom + 16, tick(value), { kind: "soft small", anchor: "middle" }),
  ]);
  const labels = wrapped.flatMap((lines, i) =>
    lines.map((line, n) => {
      const y = middle(i) + 4.5 + (n - (lines.length - 1) / 2) * LINE;
      return text(left - 10, y, line, { anchor: "end" });
    }),
  );
  return { x, left, middle, bottom, parts: [...grid, ...labels] };
}

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** What stands behind the bar: the value in words, and whether it will do. */
  readonly words: string;
  /** Where the bar should reach, or end. */
  readonly target: number | null;
}

/** Bars from zero; `mark` is a value that means something to all of them. */
export function barChart(
  about: About & { readonly subtitle: string; readonly mark: number | null },
  bars: readonly Bar[],
): string {
  const max = Math.max(
    ...bars.flatMap(({ value, target }) => [value, target ?? 0]),
    about.mark ?? 0,
  );
  const names = bars.map(({ label }) => label);
  const { x, left, middle, bottom, parts } = rowsOf(names, max * 1.02);
  const body = bars.flatMap(({ value, words, target }, i) => {
    const y = middle(i);
    const goal =
      target === null ? [] : straight("axis", x(target), y - 11, x(target), y + 11, "3 2");
    const behind = Math.max(x(value), target === null ? 0 : x(target)) + 6;
    // No line runs through the words.
    const isCrossed = about.mark !== null && x(about.mark) >= behind - 6;
    const end =
      isCrossed && x(about.mark!) < behind + words.length * CHARACTER ? x(about.mark!) + 6 : behind;
    return [box("f0", left, y - 8, x(value) - left, 16), goal, text(end, y + 4.5, words)].flat();
  });
  const mark =
    about.mark === null ? [] : [straight("axis", x(about.mark), TOP, x(about.mark), bottom)];
  return page(about, about.subtitle, bottom + 30, [...parts, ...mark, ...body]);
}

export interface Stack {
  readonly label: string;
  /** Name of each part and how much it is. */
  readonly parts: Readonly<Record<string, number>>;
}

/**
 * Bars of parts that add up, and what each colour means: parts of `order` have the same colour in
 * every chart.
 */
export function stackedChart(
  about: About & { readonly subtitle: string; readonly order: readonly string[] },
  stacks: readonly Stack[],
): string {
  const found = new Set(stacks.flatMap(({ parts }) => Object.keys(parts)));
  const all = [...new Set([...about.order, ...found])];
  const names = all.filter((name) => found.has(name));
  const hue = (name: string) => all.indexOf(name) % HUES;
  const totals = stacks.map(({ parts }) =>
    Object.values(parts).reduce((sum, each) => sum + each, 0),
  );
  const { x, middle, bottom, parts } = rowsOf(
    stacks.map(({ label }) => label),
    Math.max(...totals) * 1.02,
  );
  const body = stacks.flatMap((stack, i) => {
    const y = middle(i);
    let from = 0;
    const ordered = Object.entries(stack.parts).sort(([a], [b]) => all.indexOf(a) - all.indexOf(b));
    const boxes = ordered.flatMap(([name, value]) => {
      const [start, end] = [x(from), x(from + value)];
      from += value;
      const inside = tick(Math.round(value));
      const fits = end - start > inside.length * CHARACTER + 6;
      const word = text((start + end) / 2, y + 4, inside, { kind: "inside", anchor: "middle" });
      return [box(`f${hue(name)} gap`, start, y - 9, end - start, 18), ...(fits ? [word] : [])];
    });
    return [...boxes, text(x(from) + 6, y + 4.5, tick(Math.round(totals[i]!)))];
  });
  const sign = (name: string, left: number, y: number) =>
    box(`f${hue(name)}`, left, y - 10, 12, 12);
  const key = legend(names, bottom + 44, sign);
  return page(about, about.subtitle, key.bottom, [...parts, ...body, ...key.parts]);
}

/** Names with their signs, in as many rows as they need. */
function legend(
  names: readonly string[],
  top: number,
  sign: (name: string, x: number, y: number) => string,
): { readonly parts: readonly string[]; readonly bottom: number } {
  let [x, y] = [PADDING, top];
  const parts = names.flatMap((name) => {
    const width = 40 + [...name].length * CHARACTER;
    if (x > PADDING && x + width > WIDTH - PADDING) [x, y] = [PADDING, y + 22];
    const found = [sign(name, x, y), text(x + 20, y, name)];
    x += width;
    return found;
  });
  return { parts, bottom: y + 18 };
}

export interface Curve {
  readonly name: string;
  readonly points: readonly { readonly x: string; readonly y: number }[];
}

const PLOT_HEIGHT = 260;
const DASHES = ["", "7 4", "2 3", "9 3 2 3"];

/** A marker of its own for each curve, so that colour is not needed. */
function marker(i: number, x: number, y: number): string {
  const kind = `class="f${i % HUES}"`;
  const shapes = [
    `<circle cx="${at(x)}" cy="${at(y)}" r="4.5" ${kind}/>`,
    `<rect x="${at(x - 4)}" y="${at(y - 4)}" width="8" height="8" ${kind}/>`,
    `<path d="M${at(x)} ${at(y - 5.5)}l5.5 9.5h-11z" ${kind}/>`,
    `<path d="M${at(x)} ${at(y - 6)}l6 6l-6 6l-6-6z" ${kind}/>`,
    `<path d="M${at(x)} ${at(y + 5.5)}l5.5-9.5h-11z" ${kind}/>`,
  ];
  return shapes[i % shapes.length]!;
}

/** Powers of ten times 1, 2 and 5 from the one below `min` to the one above `max`. */
function logSteps(min: number, max: number): number[] {
  const steps: number[] = [];
  for (let power = Math.floor(Math.log10(min)); power <= Math.ceil(Math.log10(max)); power += 1) {
    for (const factor of [1, 2, 5]) steps.push(factor * 10 ** power);
  }
  const first = steps.findLastIndex((step) => step <= min);
  const last = steps.findIndex((step) => step >= max);
  return steps.slice(Math.max(0, first), last + 1);
}

/** Curves over named places, on a logarithmic axis. */
export function logChart(
  about: About & { readonly subtitle: string },
  curves: readonly Curve[],
): string {
  const values = curves.flatMap(({ points }) => points.map(({ y }) => y));
  const places = curves[0]!.points.map(({ x }) => x);
  const steps = logSteps(Math.min(...values), Math.max(...values));
  const [low, high] = [Math.log10(steps[0]!), Math.log10(steps.at(-1)!)];
  const [left, right] = [PADDING + 56, WIDTH - PADDING - 20];
  const bottom = TOP + 10 + PLOT_HEIGHT;
  const x = (i: number) => left + 30 + (i * (right - left - 60)) / Math.max(1, places.length - 1);
  const y = (value: number) =>
    bottom - ((Math.log10(value) - low) / Math.max(1e-9, high - low)) * PLOT_HEIGHT;
  const grid = [
    ...steps.flatMap((step) => [
      straight("grid", left, y(step), right, y(step)),
      text(left - 8, y(step) + 4, tick(step), { kind: "soft small", anchor: "end" }),
    ]),
    ...places.map((name, i) => text(x(i), bottom + 20, name, { kind: "soft", anchor: "middle" })),
  ];
  const lines = curves.flatMap(({ points }, n) => {
    const path = points.map((point, i) => `${i === 0 ? "M" : "L"}${at(x(i))} ${at(y(point.y))}`);
    const dash =
      DASHES[n % DASHES.length] === "" ? "" : ` stroke-dasharray="${DASHES[n % DASHES.length]}"`;
    const line = `<path d="${path.join("")}" class="line s${n % HUES}"${dash}/>`;
    return [line, ...points.map((point, i) => marker(n, x(i), y(point.y)))];
  });
  const names = curves.map(({ name }) => name);
  const key = legend(names, bottom + 50, (name, at, level) => {
    return marker(names.indexOf(name), at + 7, level - 4.5);
  });
  return page(about, about.subtitle, key.bottom, [...grid, ...lines, ...key.parts]);
}
