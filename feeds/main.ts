/**
 * Builds one feed and ends: `bun feeds/main.ts '{"journal_path": …}'`. Opens the journal to read
 * it, and never looks at it again, so that all of the feed is of one position. Says how far it is
 * in lines of JSON, and leaves `manifest.json` beside the documents, which is there only when all
 * of them are on the disk.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { Replica } from "../engine/shell/replica.ts";
import { build } from "./build.ts";
import type { BuildOrder } from "./build-order.ts";
import { type FeedManifest, MANIFEST_FILE, type Timings } from "./manifest.ts";
import { profileOf } from "./partners.ts";
import { peakRssBytes } from "./peak-memory.ts";
import { inPieces } from "./pieces.ts";
import { type Fault, verify } from "./verify.ts";

/** Of the time of the build, in hundredths: with the piece in work at the end it is below 20. */
const VERIFYING_PCT = 15;
const LANGUAGE = "en";

function tell(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

const order = JSON.parse(process.argv[2] ?? "") as BuildOrder;
const somebodyWaits = new AbortController();

/** Tells how far the work is, and lets events in: then whoever started this can also end it. */
async function between(line: object): Promise<void> {
  const { signal } = somebodyWaits;
  tell(line);
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
  tell({ phase: "open", progress: 0 });
  const replica = new Replica(order.journal_path);
  const { state, head, journalId } = replica;
  const opened = performance.now();
  tell({ phase: "list", progress: 0 });
  const work = build(
    {
      ...{ profile, tenantId: tenant_id, runId: run_id, directory },
      ...{ nowMs: now_ms, siteUrl: site_url, language: LANGUAGE },
    },
    { state, row: head.row, journalId },
  );
  const written = await inPieces(work, between);
  // What building has left behind would otherwise stand beside what reading makes.
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

if (order.rest_ms === 0) somebodyWaits.abort();
process.stdin
  .on("data", () => somebodyWaits.abort())
  // Whoever started this is gone, and with it whoever would look at the files.
  .on("end", () => process.exit(1));
const fault = await run();
if (fault !== null)
  tell({ failed: { reason: "invalid", detail: `${fault.reason}: ${fault.detail}` } });
process.exit(fault === null ? 0 : 1);
