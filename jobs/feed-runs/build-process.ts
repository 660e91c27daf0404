/**
 * Runs a build in its own process: it does not block the event loop, its memory ends with it, and
 * it has low priority unless a caller waits, so that holds stay fast. It reads the journal, writes
 * into the given directory, and reports lines of JSON.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import type { BuildOrder } from "../../feeds/build-order.ts";
import { type FeedManifest, MANIFEST_FILE } from "../../feeds/manifest.ts";
import type { FeedFailure } from "./run.ts";

const PROGRAM = join(import.meta.dir, "..", "..", "feeds", "main.ts");
/** Low priority: holds go first. */
const NICENESS = 15;
/** Bytes of stderr that are kept for a crashed build. */
const STDERR_BYTES = 2_000;

export interface BuildTerms {
  readonly order: BuildOrder;
  readonly limitMs: number;
  /** Aborts the build. */
  readonly signal: AbortSignal;
  /** Called with a phase and its progress, from 0 to 1. */
  readonly onProgress: (phase: string, progress: number) => void;
  /** Whether a caller waits for the build; checked at every report while it has low priority. */
  readonly isAwaited: () => boolean;
  readonly program?: string;
}

/** How a build has ended; `stopped`: by the signal. */
export type BuildEnd =
  | { readonly kind: "built"; readonly manifest: FeedManifest }
  | {
      readonly kind: Extract<FeedFailure, "invalid" | "timed_out" | "crashed">;
      readonly detail: string;
      /** The manifest of an invalid build, if it has one. */
      readonly manifest: FeedManifest | null;
    }
  | { readonly kind: "stopped" };

/** One reported line. */
interface Report {
  readonly phase?: string;
  readonly progress?: number;
  readonly failed?: { readonly reason: "invalid"; readonly detail: string };
}

/** Builds a feed; resolves when the process has ended. */
export async function runBuild(terms: BuildTerms): Promise<BuildEnd> {
  const { order, limitMs, signal, onProgress, isAwaited, program = PROGRAM } = terms;
  if (signal.aborted) return { kind: "stopped" };
  const child = Bun.spawn([process.execPath, program, JSON.stringify(order)], {
    // Empty, because our environment contains secrets.
    env: {},
    // Its own session, for `setNiceness`.
    detached: true,
    // Closes when this process ends, which ends the build.
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  let givesWay = order.rest_ms > 0;
  if (givesWay) setNiceness(child.pid, NICENESS);
  const kill = () => child.kill("SIGKILL");
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, limitMs);
  signal.addEventListener("abort", kill);
  let failed: Report["failed"];
  const onReport = (report: Report) => {
    if (report.failed) failed = report.failed;
    else if (report.phase !== undefined) onProgress(report.phase, report.progress ?? 0);
    if (!givesWay || !isAwaited()) return;
    givesWay = false;
    setNiceness(child.pid, 0);
    // Any input ends the build's pauses.
    child.stdin.write("\n");
    child.stdin.flush();
  };
  try {
    const [words] = await Promise.all([
      lastBytes(child.stderr),
      readReports(child.stdout, onReport),
    ]);
    const exitCode = await child.exited;
    if (signal.aborted) return { kind: "stopped" };
    const manifest = manifestIn(order.directory);
    if (isLate) return { kind: "timed_out", detail: `after ${limitMs} ms`, manifest };
    if (failed) return { kind: failed.reason, detail: failed.detail, manifest };
    if (exitCode === 0 && manifest !== null) return { kind: "built", manifest };
    return { kind: "crashed", detail: `exit code ${exitCode} ${words}`.trim(), manifest };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", kill);
  }
}

/**
 * Changes the priority of the leader of a session. Where Linux shares processors among sessions
 * (sched(7), autogroups), a process's priority counts only within its session, so the session's
 * own is changed too.
 */
function setNiceness(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // Not supported, no permission to raise the priority again, or the build has ended.
  }
}

function manifestIn(directory: string): FeedManifest | null {
  const path = join(directory, MANIFEST_FILE);
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as FeedManifest;
  } catch {
    return null;
  }
}

/** Null for a line that the runtime wrote. */
function reportIn(line: string): Report | null {
  try {
    return line.startsWith("{") ? (JSON.parse(line) as Report) : null;
  } catch {
    return null;
  }
}

/** Calls `hear` with each reported line. */
async function readReports(stream: ReadableStream<Uint8Array>, onReport: (report: Report) => void) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const report = reportIn(line);
      if (report) onReport(report);
    }
  }
}

/** The end of a stream; it is read completely, because its writer would block. */
async function lastBytes(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let words = "";
  for await (const bytes of stream) {
    words = (words + decoder.decode(bytes, { stream: true })).slice(-STDERR_BYTES);
  }
  return words.trim();
}
