/**
 * A back-up of an installation, running or not. Every file is one consistent state: SQLite copies
 * from one read transaction while others write.
 *
 * The order makes them fit. The outbox of notices is copied first and put into the later copy of
 * the control store: a notice may be sent twice, which the engine knows, but never lost. The
 * journal comes before the control store, which so has the latest revocations, and before the
 * sandbox's ledger, so that the provider knows every charge that the journal knows. Deliveries come
 * before the journal, so that none is of an event that is not in it: what is delivered meanwhile is
 * delivered once more. Segments come after the journal: rows may leave it for them meanwhile.
 */
import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { archivedHead } from "../../engine/shell/archived-head.ts";
import { Damage } from "../../engine/shell/damage.ts";
import { fsyncPath } from "../../engine/shell/durable.ts";
import { openForReading } from "../../engine/shell/schema.ts";
import { segmentPlaces, segmentsPath } from "../../engine/shell/segments.ts";
import { PRODUCT_VERSION } from "../about/version.ts";
import { idOfInstallation } from "../base/installation.ts";
import { StartRefused } from "../lifecycle.ts";
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
import { type TellRows, verifyJournal } from "./verify-journal.ts";

/** In the order of their copying. */
const DATABASES = [DELIVERIES_FILE, JOURNAL_FILE, CONTROL_FILE, LEDGER_FILE, TRAFFIC_FILE];

/** Tells the operator what is done now, and how far. */
export interface Progress {
  readonly step: (text: string) => void;
  readonly rows: TellRows;
}

export interface BackupOptions {
  readonly dataDir: string;
  /** Must be empty, or not there yet. */
  readonly target: string;
  readonly progress: Progress;
}

/**
 * Copies the installation and verifies the copy by reading all of it. `target` appears when it is
 * whole: a back-up that is cut off leaves nothing under that name.
 *
 * @throws StartRefused when there is no installation, the target is of no use, or what was copied
 * is damaged.
 */
export async function backUp({ dataDir, target, progress }: BackupOptions): Promise<Manifest> {
  if (!existsSync(join(dataDir, JOURNAL_FILE)) || !existsSync(join(dataDir, CONTROL_FILE))) {
    throw new StartRefused(`there is no installation in ${dataDir}: set DATA_DIR`);
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
    for (const damaged of journal.damaged_records) progress.step(`${damaged}: rebuild the records`);
    const installation_id = idOfInstallation(dataDir);
    const about = { version: PRODUCT_VERSION, taken_at, installation_id };
    writeManifest(temporary, { ...about, journal, files });
    const manifest = await readManifest(temporary);
    fsyncPath(join(temporary, dirname(JOURNAL_FILE)));
    fsyncPath(temporary);
    renameSync(temporary, goal);
    fsyncPath(dirname(goal));
    return manifest;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** @throws StartRefused when something is there; a rename replaces an empty directory. */
function refuseUnlessEmpty(path: string): void {
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw new StartRefused(`${path} is not empty: name a directory that does not exist yet`);
  }
}

async function copyFiles(from: string, to: string, progress: Progress): Promise<BackedUpFile[]> {
  const outbox = join(to, "outbox.db");
  copyDatabase(join(from, CONTROL_FILE), outbox);
  for (const path of DATABASES) {
    if (!existsSync(join(from, path))) continue;
    progress.step(`copying ${path}`);
    copyDatabase(join(from, path), join(to, path));
  }
  const segments = copySegments(from, to, progress);
  keepNotices(join(to, CONTROL_FILE), outbox);
  rmSync(outbox);
  for (const path of [SECRETS_FILE, DEMO_FILE]) {
    if (existsSync(join(from, path))) copyFileSync(join(from, path), join(to, path));
    else if (path === SECRETS_FILE) progress.step("no secrets.json: the keys are not in it");
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

/** The segments that the copied journal needs; their paths. */
function copySegments(from: string, to: string, progress: Progress): string[] {
  using db = openForReading(join(to, JOURNAL_FILE));
  const { row } = archivedHead(db);
  const needed = segmentPlaces(join(from, JOURNAL_FILE)).filter(({ first }) => first <= row);
  if (needed.length === 0) return [];
  progress.step(`copying segments, ${needed.length} of them`);
  const directory = segmentsPath(JOURNAL_FILE);
  mkdirSync(join(to, directory), { mode: 0o700 });
  const paths = needed.map(({ path }) => join(directory, basename(path)));
  for (const segment of paths) copyFileSync(join(from, segment), join(to, segment));
  return paths;
}

/** One consistent copy, whole and checked by SQLite itself; whoever writes is not held up. */
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

/** Notices that were sent while the journal was copied may be missing from that copy. */
function keepNotices(control: string, outbox: string): void {
  using db = new Database(control, { strict: true });
  db.run("ATTACH ? AS outbox", [outbox]);
  db.run("INSERT OR IGNORE INTO notice SELECT * FROM outbox.notice");
}

function verifyCopy(path: string, progress: Progress) {
  try {
    return verifyJournal(path, progress.rows);
  } catch (cause) {
    if (!(cause instanceof Damage || cause instanceof RecordDamaged)) throw cause;
    throw new StartRefused(`the journal cannot be backed up: ${cause.message}`, { cause });
  }
}
