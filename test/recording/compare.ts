/**
 * `bun test/recording/compare.ts A B`: every difference between two recordings, equal changes told
 * once with their count. Exits with 1 when there are any.
 */
import { readFileSync } from "node:fs";
import type { Exchange } from "./session.ts";

const CONTEXT = 60;
const CHANGE_MAX = 160;
const SAID_MAX = 5;

/** One difference between two answers to the same request. */
interface Difference {
  readonly exchange: Exchange;
  /** Equal for equal changes. */
  readonly change: string;
  /** The place of it, for the first of its kind. */
  readonly place: string;
}

function readRecording(path: string): Exchange[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Exchange);
}

/** How many characters make two texts agree again, and how far that is looked for. */
const AGREEMENT = 12;
const LOOK_MAX = 400;

/** Lengths of what differs before both texts go on alike, the shortest together. */
function hunkOf(a: string, b: string): readonly [number, number] {
  for (let sum = 1; sum <= LOOK_MAX; sum += 1) {
    for (let i = 0; i <= sum; i += 1) {
      const next = a.slice(i, i + AGREEMENT);
      if (next.length === AGREEMENT && b.startsWith(next, sum - i)) return [i, sum - i];
    }
  }
  return [a.length, b.length];
}

/** First place where two texts differ, and what stands there instead up to where they agree. */
function textDifference(a: string, b: string): Pick<Difference, "change" | "place"> {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  // Whole words read better than the letters in which they differ.
  while (start > 0 && /\w/.test(a[start - 1]!)) start -= 1;
  const [inA, inB] = hunkOf(a.slice(start), b.slice(start));
  const shown = (text: string) => {
    return JSON.stringify(text.length > CHANGE_MAX ? `${text.slice(0, CHANGE_MAX)}…` : text);
  };
  const change = `${shown(a.slice(start, start + inA))} → ${shown(b.slice(start, start + inB))}`;
  const before = a.slice(Math.max(0, start - CONTEXT), start);
  const after = a.slice(start + inA, start + inA + CONTEXT);
  return { change, place: `at ${start}: ${before}⟦${change}⟧${after}` };
}

function headerDifferences(a: Exchange, b: Exchange): Difference[] {
  const names = new Set([...Object.keys(a.headers), ...Object.keys(b.headers)]);
  return [...names].sort().flatMap((name) => {
    const [was, is] = [a.headers[name], b.headers[name]];
    if (was === is) return [];
    const change = `header ${name}: ${was ?? "(none)"} → ${is ?? "(none)"}`;
    return [{ exchange: a, change, place: "" }];
  });
}

function differencesOf(a: Exchange, b: Exchange): Difference[] {
  const found: Difference[] = [];
  const add = (change: string, place = "") => found.push({ exchange: a, change, place });
  for (const name of ["label", "method", "path", "request"] as const) {
    if (a[name] === b[name]) continue;
    const { change, place } = textDifference(String(a[name]), String(b[name]));
    add(`the request's ${name}: ${change}`, place);
  }
  if (JSON.stringify(a.sent) !== JSON.stringify(b.sent)) {
    add(`the request's headers: ${JSON.stringify(a.sent)} → ${JSON.stringify(b.sent)}`);
  }
  if (a.status !== b.status) add(`status: ${a.status} → ${b.status}`);
  found.push(...headerDifferences(a, b));
  if (a.body !== b.body) {
    const { change, place } = textDifference(a.body, b.body);
    add(`body: ${change}`, place);
  }
  return found;
}

/** All differences of two recordings, in their order. */
export function compareRecordings(a: readonly Exchange[], b: readonly Exchange[]): Difference[] {
  const found = a.flatMap((exchange, i) => {
    const other = b[i];
    if (other) return differencesOf(exchange, other);
    return [{ exchange, change: "only the first recording has it", place: "" }];
  });
  const more = b.slice(a.length).map((exchange) => {
    return { exchange, change: "only the second recording has it", place: "" };
  });
  return [...found, ...more];
}

/** The differences as lines to read: one paragraph for each kind of change. */
export function report(differences: readonly Difference[]): string {
  const groups = Map.groupBy(differences, ({ change }) => change);
  const paragraphs = [...groups].map(([change, all]) => {
    const labels = [...Map.groupBy(all, ({ exchange }) => exchange.label)];
    const said = labels.slice(0, SAID_MAX).map(([label, each]) => {
      const { index, method, path } = each[0]!.exchange;
      return `    ${each.length} × ${label}, first #${index} ${method} ${path}`;
    });
    if (labels.length > SAID_MAX) said.push(`    and ${labels.length - SAID_MAX} more labels`);
    const place = all[0]!.place === "" ? [] : [`    ${all[0]!.place}`];
    return [`${all.length} × ${change}`, ...said, ...place].join("\n");
  });
  return paragraphs.map((paragraph) => `${paragraph}\n`).join("\n");
}

function main([pathA, pathB]: readonly string[]): number {
  if (pathA === undefined || pathB === undefined) {
    console.error("usage: bun test/recording/compare.ts A B");
    return 2;
  }
  const [a, b] = [readRecording(pathA), readRecording(pathB)];
  const differences = compareRecordings(a, b);
  if (differences.length > 0) console.log(report(differences));
  const touched = new Set(differences.map(({ exchange }) => exchange.index)).size;
  const sizes = a.length === b.length ? `${a.length}` : `${a.length} and ${b.length}`;
  console.log(`${sizes} exchanges, ${differences.length} differences in ${touched} of them`);
  return differences.length > 0 ? 1 : 0;
}

if (import.meta.main) process.exit(main(process.argv.slice(2)));
