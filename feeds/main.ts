/**
 * The build program: `bun feeds/main.ts '{"journal_path": …}'`. It reads the journal once, so the
 * feed has one position. It reports progress in lines of JSON, and writes `manifest.json` after all
 * documents are on disk.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { Replica } from "../engine/log/replica.ts";
import { build } from "./build.ts";
import type { BuildOrder } from "./build-order.ts";
import { type FeedManifest, MANIFEST_FILE, type Timings } from "./manifest.ts";
import { profileOf } from "./partners.ts";
import { peakRssBytes } from "./peak-memory.ts";
import { inPieces } from "./pieces.ts";
import { type Fault, verify } from "./verify.ts";

/** Percent of the build time for verification; below 20 with the current slice. */
const VERIFYING_PCT = 15;
const LANGUAGE = "en";

function report(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

const order = JSON.parse(process.argv[2] ?? "") as BuildOrder;
const callerWaits = new AbortController();

/** Reports progress and lets events in, so that the parent can stop the build. */
async function between(line: object): Promise<void> {
  const { signal } = callerWaits;
  report(line);
  if (signal.aborted) await nextTurn();
  else await sleep(order.rest_ms, undefined, { signal }).catch(() => {});
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
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const { opened, built, verified } = startedAt;
  return {
    open_ms: Math.round(opened),
    build_ms: Math.round(built - opened),
    verify_ms: Math.round(verified - built),
    cpu_ms: Math.round((userCPUTime + systemCPUTime) / 1_000),
    peak_rss_bytes: peakRssBytes(),
  };
}

/** `performance.now()` at the end of each phase. */
interface Marks {
  readonly opened: number;
  readonly built: number;
  readonly verified: number;
}

async function run(): Promise<Fault | null> {
  const { directory, partner, tenant_id, run_id, now_ms, site_url } = order;
  const profile = profileOf(partner);
  if (profile === null) throw new Error(`no partner ${partner}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  report({ phase: "open", progress: 0 });
  const replica = new Replica(order.journal_path);
  const { state, head, journalId } = replica;
  const opened = performance.now();
  report({ phase: "list", progress: 0 });
  const work = build(
    {
      ...{ profile, tenantId: tenant_id, runId: run_id, directory },
      ...{ nowMs: now_ms, siteUrl: site_url, language: LANGUAGE },
    },
    { state, row: head.row, journalId },
  );
  const written = await inPieces(work, between);
  // Frees the memory of the build before the verification needs more.
  Bun.gc(true);
  const built = performance.now();
  const verifyUntil = built + ((built - opened) * VERIFYING_PCT) / 100;
  const isTimeUp = () => performance.now() >= verifyUntil;
  const check = verify(written, { directory, isTimeUp });
  const fault = await inPieces(check, (progress) => between({ phase: "verify", progress }));
  const timings = timingsFrom({ opened, built, verified: performance.now() });
  const manifest: FeedManifest = { ...written, timings };
  writeSynced(join(directory, MANIFEST_FILE), `${JSON.stringify(manifest)}\n`);
  syncDirectory(directory);
  replica.close();
  return fault;
}

if (order.rest_ms === 0) callerWaits.abort();
process.stdin
  .on("data", () => callerWaits.abort())
  // The parent has ended, so the build is not needed.
  .on("end", () => process.exit(1));
const fault = await run();
if (fault !== null)
  report({ failed: { reason: "invalid", detail: `${fault.reason}: ${fault.detail}` } });
process.exit(fault === null ? 0 : 1);
