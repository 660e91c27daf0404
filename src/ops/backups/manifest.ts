/**
 * The manifest of a back-up: its files with their hashes, and the journal's last row. It is written
 * last, so a directory without a manifest is not a complete back-up.
 */
import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartRefused } from "../../lib/lifecycle.ts";
import type { JournalFacts } from "./verify-journal.ts";

const FORMAT = 1;
const FILE_NAME = "manifest.json";

/** Paths relative to the data directory. A back-up has those of them that existed. */
export const JOURNAL_FILE = "engine/0.db";
export const CONTROL_FILE = "control.db";
export const DELIVERIES_FILE = "deliveries.db";
export const SECRETS_FILE = "secrets.json";
export const LEDGER_FILE = "sandbox-provider.db";
export const DEMO_FILE = "demo.json";
export const TRAFFIC_FILE = "traffic.db";
const FILES: readonly string[] = [
  ...[JOURNAL_FILE, CONTROL_FILE, DELIVERIES_FILE, SECRETS_FILE, LEDGER_FILE, DEMO_FILE],
  TRAFFIC_FILE,
];
/** Segments of the journal. */
const SEGMENT_FILE = /^engine\/0\.segments\/\d+-\d+\.segment$/;

export interface BackedUpFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly format: typeof FORMAT;
  /** The version of Innkeep that wrote it. */
  readonly version: string;
  /** Start of copying. Later writes may be missing. */
  readonly taken_at: string;
  readonly installation_id: string | null;
  readonly journal: JournalFacts;
  readonly files: readonly BackedUpFile[];
}

/** Size and hash of the file `path` under `root`. */
export async function describeFile(root: string, path: string): Promise<BackedUpFile> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(join(root, path))) hash.update(chunk as Buffer);
  return { path, bytes: statSync(join(root, path)).size, sha256: hash.digest("hex") };
}

/** Writes the manifest, which completes the back-up. */
export function writeManifest(root: string, manifest: Omit<Manifest, "format">): void {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`;
  writeFileSync(join(root, FILE_NAME), text, { mode: 0o600, flush: true });
}

/**
 * Reads the manifest and checks all files against it.
 *
 * @throws StartRefused without a readable manifest, or naming the first file that differs.
 */
export async function readManifest(root: string): Promise<Manifest> {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(join(root, FILE_NAME), "utf8")) as Manifest;
  } catch (cause) {
    const what = `${root} is not a complete back-up: no readable ${FILE_NAME}`;
    throw new StartRefused(`${what}: copy a plain copy to an empty DATA_DIR instead`, { cause });
  }
  if (manifest.format !== FORMAT) {
    throw new StartRefused(`${root} has format ${manifest.format}, this version reads ${FORMAT}`);
  }
  for (const file of manifest.files) {
    const isKnown = FILES.includes(file.path) || SEGMENT_FILE.test(file.path);
    const found = isKnown ? await describeFile(root, file.path).catch(() => null) : null;
    if (found?.sha256 === file.sha256) continue;
    throw new StartRefused(`backup_damaged: ${join(root, file.path)} is missing or altered`);
  }
  return manifest;
}
