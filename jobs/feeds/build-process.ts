/**
 * A build in a process of its own: it keeps this one's loop free, its memory ends with it, and
 * unless somebody waits for it, it steps back, so that holds are not slower for it. It reads the
 * journal and writes into the directory it is given; what it says of itself comes as lines of JSON.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import type { BuildOrder } from "../../feeds/build-order.ts";
import { type FeedManifest, MANIFEST_FILE } from "../../feeds/manifest.ts";
import type { FeedFailure } from "./run.ts";

const PROGRAM = join(import.meta.dir, "..", "..", "feeds", "main.ts");
/** Whoever waits for a hold goes first. */
const NICENESS = 15;
/** Of what a build that has crashed said on stderr. */
const LAST_WORDS_BYTES = 2_000;

export interface BuildTerms {
  readonly order: BuildOrder;
  readonly limitMs: number;
  /** Aborted when the build is wanted no more. */
  readonly signal: AbortSignal;
  /** A phase and how much of it is done, from 0 to 1. */
  readonly onProgress: (phase: string, progress: number) => void;
  /** Whether somebody waits for its end by now; asked while it gives way, whenever it tells. */
  readonly isAwaited: () => boolean;
  readonly program?: string;
}

/** How a build has ended; `stopped`: by the signal. */
export type BuildEnd =
  | { readonly kind: "built"; readonly manifest: FeedManifest }
  | {
      readonly kind: Extract<FeedFailure, "invalid" | "timed_out" | "crashed">;
      readonly detail: string;
      /** What it could say of what it has built. */
      readonly manifest: FeedManifest | null;
    }
  | { readonly kind: "stopped" };

/** What one line says. */
interface Told {
  readonly phase?: string;
  readonly progress?: number;
  readonly failed?: { readonly reason: "invalid"; readonly detail: string };
}

/** Builds a feed and resolves when the process is gone, however it went. */
export async function runBuild(terms: BuildTerms): Promise<BuildEnd> {
  const { order, limitMs, signal, onProgress, isAwaited, program = PROGRAM } = terms;
  if (signal.aborted) return { kind: "stopped" };
  const child = Bun.spawn([process.execPath, program, JSON.stringify(order)], {
    // Nothing of ours: secrets are in it, and a build needs none.
    env: {},
    // A session of its own, as `setNiceness` wants it.
    detached: true,
    // Ends with us, however we end: then so does the build.
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
  let failed: Told["failed"];
  const hear = (told: Told) => {
    if (told.failed) failed = told.failed;
    else if (told.phase !== undefined) onProgress(told.phase, told.progress ?? 0);
    if (!givesWay || !isAwaited()) return;
    givesWay = false;
    setNiceness(child.pid, 0);
    // Whatever it reads ends its rests.
    child.stdin.write("\n");
    child.stdin.flush();
  };
  try {
    const [words] = await Promise.all([lastWords(child.stderr), heard(child.stdout, hear)]);
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
 * Has everything else go before the leader of a session, or nothing any more. Where Linux shares
 * processors among sessions first (sched(7), autogroups), a priority counts within its session
 * alone, in which there is nobody to give way to, so the session has one too.
 */
function setNiceness(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // Not this kernel, no right to be less nice again, or a build that has ended.
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

/** Null when the line is none of the program's, but of what it runs on. */
function toldIn(line: string): Told | null {
  try {
    return line.startsWith("{") ? (JSON.parse(line) as Told) : null;
  } catch {
    return null;
  }
}

/** Calls `hear` with what each line says. */
async function heard(stream: ReadableStream<Uint8Array>, hear: (told: Told) => void) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const told = toldIn(line);
      if (told) hear(told);
    }
  }
}

/** The end of what is said; all of it is read, or its writer would wait. */
async function lastWords(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let words = "";
  for await (const bytes of stream) {
    words = (words + decoder.decode(bytes, { stream: true })).slice(-LAST_WORDS_BYTES);
  }
  return words.trim();
}
