/**
 * What a back-up says of itself: which files it has, what they must hash to, and how far its
 * journal goes. It is written last, so a directory without one is no back-up.
 */
import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartRefused } from "../lifecycle.ts";
import type { JournalFacts } from "./verify-journal.ts";

const FORMAT = 1;
const FILE_NAME = "manifest.json";

/** Relative to a data directory; a back-up has those that were there, and no others. */
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
/** What the journal's rows of long ago lie in. */
const SEGMENT_FILE = /^engine\/0\.segments\/\d+-\d+\.segment$/;

export interface BackedUpFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly format: typeof FORMAT;
  /** Of the product that wrote it. */
  readonly version: string;
  /** When copying began: what was acknowledged later may not be in it. */
  readonly taken_at: string;
  readonly installation_id: string | null;
  readonly journal: JournalFacts;
  readonly files: readonly BackedUpFile[];
}

/** What a file under `root` is now. */
export async function describeFile(root: string, path: string): Promise<BackedUpFile> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(join(root, path))) hash.update(chunk as Buffer);
  return { path, bytes: statSync(join(root, path)).size, sha256: hash.digest("hex") };
}

/** Writes the manifest, which makes `root` a back-up. */
export function writeManifest(root: string, manifest: Omit<Manifest, "format">): void {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`;
  writeFileSync(join(root, FILE_NAME), text, { mode: 0o600, flush: true });
}

/**
 * The manifest of a back-up whose files are what it says.
 *
 * @throws StartRefused naming the first that is not, or saying that this is no back-up.
 */
export async function readManifest(root: string): Promise<Manifest> {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(join(root, FILE_NAME), "utf8")) as Manifest;
  } catch (cause) {
    const what = `${root} is not a whole back-up: no readable ${FILE_NAME}`;
    throw new StartRefused(`${what}: copy a plain copy to an empty DATA_DIR instead`, { cause });
  }
  if (manifest.format !== FORMAT) {
    throw new StartRefused(`${root} has format ${manifest.format}, this version reads ${FORMAT}`);
  }
  for (const file of manifest.files) {
    const isKnown = FILES.includes(file.path) || SEGMENT_FILE.test(file.path);
    const found = isKnown ? await describeFile(root, file.path).catch(() => null) : null;
    if (found?.sha256 === file.sha256) continue;
    throw new StartRefused(`backup_damaged: ${join(root, file.path)} is not what was written`);
  }
  return manifest;
}
