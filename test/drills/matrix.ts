/** The failure matrix with what was measured, as a Markdown table. */
import { percentile } from "../../bench/scale.ts";
import type { Drill } from "./drill.ts";

export interface Result {
  readonly drill: Drill;
  /** Of each round. */
  readonly tookMs: readonly number[];
  /** Writes that were acknowledged and are not in the journal. */
  readonly lost: number;
  /** What did not hold; empty when all did. */
  readonly problems: readonly string[];
}

/** Whether nothing was lost and all held; of a control, whether the loss was seen. */
export function isAsExpected({ drill, lost, problems }: Result): boolean {
  return problems.length === 0 && drill.isControl === (lost > 0 ? true : undefined);
}

/** Whether its time is within its target; true where it has none. */
export function isInTime({ drill: { targetMs }, tookMs }: Result): boolean {
  return targetMs === null || tookMs.length === 0 || percentile(tookMs, 0.99) <= targetMs;
}

const HEAD = ["drill", "failure", "what holds", "rounds", "p50", "p99", "target", "lost", "result"];

/** One line for each result. */
export function matrixOf(results: readonly Result[]): string {
  const lines = [HEAD, HEAD.map(() => "---"), ...results.map(cellsOf)];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

function cellsOf(result: Result): string[] {
  const { drill, tookMs, lost } = result;
  const times = [0.5, 0.99].map((share) => (tookMs.length ? msOf(percentile(tookMs, share)) : "–"));
  const target = drill.targetMs === null ? "–" : `≤ ${msOf(drill.targetMs)}`;
  return [
    ...[drill.name, drill.failure, drill.holds, String(tookMs.length), ...times, target],
    ...[String(lost), verdictOf(result)],
  ];
}

function verdictOf(result: Result): string {
  if (!isAsExpected(result)) return "**failed**";
  if (result.drill.isControl) return "seen";
  return isInTime(result) ? "held" : "held, **late**";
}

function msOf(ms: number): string {
  return `${Math.round(ms).toLocaleString("en-US")} ms`;
}
