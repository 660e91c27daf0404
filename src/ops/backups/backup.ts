/**
 * Backs up an installation, running or not. Each file is consistent: SQLite copies it in one read
 * transaction. The order of copying keeps the files consistent with each other:
 *
 * - The outbox of notices is copied first and merged into the later copy of the control store. A
 *   notice may be sent twice, which the engine detects, but is never lost.
 * - Deliveries precede the journal, so that every delivery's event is in it. Later deliveries are
 *   repeated after a restore.
 * - The journal precedes the control store, which therefore has the latest revocations, and the
 *   sandbox's ledger, which therefore has every charge of the journal.
 * - Segments follow the journal: rows may move to them during the copy.
 */
import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Damage } from "../../../engine/core/damage.ts";
import { segmentPlaces, segmentsPath } from "../../../engine/log/archive/segments.ts";
import { appendErasures, readErasures } from "../../../engine/log/erasures.ts";
import { fsyncPath } from "../../../engine/log/files.ts";
import { archivedHead, IS_COPY } from "../../../engine/log/meta.ts";
import { openForReading } from "../../../engine/log/schema.ts";
import { PRODUCT_VERSION } from "../../about/about.ts";
import { dropNotes } from "../../lib/changed-rows.ts";
import { idOfInstallation } from "../../lib/installation.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import {
  type BackedUpFile,
  CONTROL_FILE,
  DELIVERIES_FILE,
  DEMO_FILE,
  describeFile,
  JOURNAL_FILE,
  LEDGER_FILE,
  type Manifest,
  readManifest,
  SECRETS_FILE,
  TRAFFIC_FILE,
  writeManifest,
} from "./manifest.ts";
import { type OnRows, verifyJournal } from "./verify-journal.ts";

/** In the order of copying. */
const DATABASES = [DELIVERIES_FILE, JOURNAL_FILE, CONTROL_FILE, LEDGER_FILE, TRAFFIC_FILE];

/** Reports the current step and its progress. */
export interface Progress {
  readonly step: (text: string) => void;
  readonly rows: OnRows;
}

export interface BackupOptions {
  readonly dataDir: string;
  /** The installation's list of erased guests; it is added to the one beside the back-up. */
  readonly erasuresLog: string;
  /** Must be empty or missing. */
  readonly target: string;
  readonly progress: Progress;
}

/**
 * Copies the installation and verifies the whole copy. `target` appears only when it is complete.
 *
 * @throws StartRefused without an installation, for a non-empty target, and for damage.
 */
export async function backUp({
  dataDir,
  erasuresLog,
  target,
  progress,
}: BackupOptions): Promise<Manifest> {
  if (!existsSync(join(dataDir, JOURNAL_FILE)) || !existsSync(join(dataDir, CONTROL_FILE))) {
    throw new StartRefused(`no installation in ${dataDir}: set DATA_DIR`);
  }
  const goal = resolve(target);
  refuseUnlessEmpty(goal);
  const temporary = `${goal}.partial-${process.pid}`;
  mkdirSync(join(temporary, dirname(JOURNAL_FILE)), { recursive: true, mode: 0o700 });
  try {
    const taken_at = new Date().toISOString();
    const files = await copyFiles(dataDir, temporary, progress);
    progress.step("verifying the copy of the journal");
    const journal = verifyCopy(join(temporary, JOURNAL_FILE), progress);
    for (const damaged of journal.damaged_records) {
      progress.step(`${damaged}: run admin -- projections rebuild after a restore`);
    }
    const installation_id = idOfInstallation(dataDir);
    const about = { version: PRODUCT_VERSION, taken_at, installation_id };
    writeManifest(temporary, { ...about, journal, files });
    const manifest = await readManifest(temporary);
    fsyncPath(join(temporary, dirname(JOURNAL_FILE)));
    fsyncPath(temporary);
    renameSync(temporary, goal);
    fsyncPath(dirname(goal));
    noteErasures(erasuresLog, erasuresBeside(goal));
    return manifest;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The list of erased guests beside a back-up, for all back-ups in the same directory. */
export function erasuresBeside(backup: string): string {
  return join(dirname(resolve(backup)), "erasures.log");
}

/** Adds the erasures of the installation's list that the one beside the back-ups lacks. */
function noteErasures(from: string, to: string): void {
  const known = new Set(readErasures(to));
  const missing = readErasures(from).filter((id) => !known.has(id));
  if (missing.length > 0) appendErasures(to, missing);
}

/** @throws StartRefused when the directory has content; a rename replaces an empty one. */
function refuseUnlessEmpty(path: string): void {
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw new StartRefused(`${path} is not empty: choose a new or empty directory`);
  }
}

async function copyFiles(from: string, to: string, progress: Progress): Promise<BackedUpFile[]> {
  const outbox = join(to, "outbox.db");
  copyDatabase(join(from, CONTROL_FILE), outbox);
  for (const path of DATABASES) {
    if (!existsSync(join(from, path))) continue;
    progress.step(`copying ${path}`);
    copyDatabase(join(from, path), join(to, path));
    makeOwn(join(to, path));
  }
  const segments = copySegments(from, to, progress);
  keepNotices(join(to, CONTROL_FILE), outbox);
  rmSync(outbox);
  for (const path of [SECRETS_FILE, DEMO_FILE]) {
    if (existsSync(join(from, path))) copyFileSync(join(from, path), join(to, path));
    else if (path === SECRETS_FILE) progress.step("no secrets.json: this back-up has no keys");
  }
  const present = [...DATABASES, ...segments, SECRETS_FILE, DEMO_FILE];
  const files: BackedUpFile[] = [];
  for (const path of present.filter((path) => existsSync(join(to, path)))) {
    fsyncPath(join(to, path));
    files.push(await describeFile(to, path));
  }
  if (segments.length > 0) fsyncPath(join(to, segmentsPath(JOURNAL_FILE)));
  return files;
}

/** Copies the segments that the copied journal needs, and returns their paths. */
function copySegments(from: string, to: string, progress: Progress): string[] {
  using db = openForReading(join(to, JOURNAL_FILE));
  const { row } = archivedHead(db);
  const needed = segmentPlaces(join(from, JOURNAL_FILE)).filter(({ first }) => first <= row);
  if (needed.length === 0) return [];
  progress.step(`copying ${needed.length} segments`);
  const directory = segmentsPath(JOURNAL_FILE);
  mkdirSync(join(to, directory), { mode: 0o700 });
  const paths = needed.map(({ path }) => join(directory, basename(path)));
  for (const segment of paths) copyFileSync(join(from, segment), join(to, segment));
  return paths;
}

/** Makes a consistent copy without blocking writers, and runs SQLite's integrity check on it. */
export function copyDatabase(from: string, to: string): void {
  {
    using source = new Database(from, { readonly: true, strict: true });
    source.run("PRAGMA busy_timeout = 5000");
    source.run("VACUUM INTO ?", [to]);
  }
  using copy = new Database(to, { readonly: true, strict: true });
  const verdict = copy.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get();
  if (verdict?.integrity_check !== "ok") {
    throw new StartRefused(`${from} is damaged: ${verdict?.integrity_check}`);
  }
}

/** A back-up of one of several machines is an installation of its own, complete up to its head. */
function makeOwn(path: string): void {
  using db = new Database(path, { strict: true });
  dropNotes(db);
  if (path.endsWith(JOURNAL_FILE)) db.run("DELETE FROM meta WHERE name = ?", [IS_COPY]);
}

/** Adds the notices of the outbox copy: some may have been sent after the journal was copied. */
function keepNotices(control: string, outbox: string): void {
  using db = new Database(control, { strict: true });
  db.run("ATTACH ? AS outbox", [outbox]);
  db.run("INSERT OR IGNORE INTO notice SELECT * FROM outbox.notice");
}

function verifyCopy(path: string, progress: Progress) {
  try {
    return verifyJournal(path, progress.rows);
  } catch (cause) {
    if (!(cause instanceof Damage)) throw cause;
    throw new StartRefused(`the journal cannot be backed up: ${cause.message}`, { cause });
  }
}
