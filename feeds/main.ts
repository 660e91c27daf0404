/**
 * Builds one feed and ends: `bun feeds/main.ts '{"journal_path": …}'`. Opens the journal to read
 * it, and never looks at it again, so that all of the feed is of one position. Says how far it is
 * in lines of JSON, and leaves `manifest.json` beside the documents, which is there only when all
 * of them are on the disk.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { Replica } from "../engine/shell/replica.ts";
import { build } from "./build.ts";
import type { BuildOrder } from "./build-order.ts";
import { type FeedManifest, MANIFEST_FILE, type Timings } from "./manifest.ts";
import { profileOf } from "./partners.ts";
import { type Fault, verify } from "./verify.ts";

/** Whoever waits for a hold goes first. */
const NICENESS = 10;
/** Of the time of the build, in hundredths: with the piece in work at the end it is below 20. */
const VERIFYING_PCT = 15;
/** Progress is told this often; then whoever started this can also end it. */
const TELL_EVERY_MS = 100;
const LANGUAGE = "en";

function tell(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** Runs a part of the work, telling how far it is, and lets events in between. */
async function told<P, R>(work: Generator<P, R>, lineOf: (progress: P) => object): Promise<R> {
  let toldAtMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - toldAtMs < TELL_EVERY_MS) continue;
    toldAtMs = performance.now();
    tell(lineOf(value));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function writeSynced(path: string, text: string): void {
  const fd = openSync(path, "wx", 0o600);
  writeSync(fd, text);
  fsyncSync(fd);
  closeSync(fd);
}

function syncDirectory(path: string): void {
  const fd = openSync(path, "r");
  fsyncSync(fd);
  closeSync(fd);
}

function timingsFrom(startedAt: Marks): Timings {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const { opened, built, verified } = startedAt;
  return {
    open_ms: Math.round(opened),
    build_ms: Math.round(built - opened),
    verify_ms: Math.round(verified - built),
    cpu_ms: Math.round((userCPUTime + systemCPUTime) / 1_000),
    peak_rss_bytes: maxRSS * 1_024,
  };
}

/** `performance.now()` at the end of each phase. */
interface Marks {
  readonly opened: number;
  readonly built: number;
  readonly verified: number;
}

async function run(order: BuildOrder): Promise<Fault | null> {
  const { directory, partner, tenant_id, run_id, now_ms, site_url } = order;
  const profile = profileOf(partner);
  if (profile === null) throw new Error(`no partner ${partner}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  tell({ phase: "open", progress: 0 });
  const replica = new Replica(order.journal_path);
  const { state, head, journalId } = replica;
  const opened = performance.now();
  const work = build(
    {
      ...{ profile, tenantId: tenant_id, runId: run_id, directory },
      ...{ nowMs: now_ms, siteUrl: site_url, language: LANGUAGE },
    },
    { state, row: head.row, journalId },
  );
  const written = await told(work, (progress) => progress);
  // What building has left behind would otherwise stand beside what reading makes.
  Bun.gc(true);
  const built = performance.now();
  const verifyUntil = built + ((built - opened) * VERIFYING_PCT) / 100;
  const isTimeUp = () => performance.now() >= verifyUntil;
  const check = verify(written, { directory, isTimeUp });
  const fault = await told(check, (progress) => ({ phase: "verify", progress }));
  const timings = timingsFrom({ opened, built, verified: performance.now() });
  const manifest: FeedManifest = { ...written, timings };
  writeSynced(join(directory, MANIFEST_FILE), `${JSON.stringify(manifest)}\n`);
  syncDirectory(directory);
  replica.close();
  return fault;
}

setPriority(NICENESS);
// Whoever started this is gone, and with it whoever would look at the files.
process.stdin.on("end", () => process.exit(1)).resume();
const fault = await run(JSON.parse(process.argv[2] ?? "") as BuildOrder);
if (fault !== null)
  tell({ failed: { reason: "invalid", detail: `${fault.reason}: ${fault.detail}` } });
process.exit(fault === null ? 0 : 1);
