/**
 * Which installation a data directory is. The id stands outside the journal, so that a copy of a
 * journal, or of the whole directory, is another installation than its original: all that it shares
 * with it on one Redis are names that nobody else uses.
 *
 * Maintained invariant: no two directories go on under one id. The file notes the identity that
 * the file system gave it, inode and instant of birth, which no copy has and a rename keeps. Copies
 * made below the file system (a clone of a whole disk) are told apart by the lease on the prefix.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { StartRefused } from "../lifecycle.ts";

/** What an installation that has just begun or gone on is: `copy` comes with a new id. */
export interface ClaimedInstallation {
  readonly installationId: string;
  readonly origin: "known" | "new" | "copy";
}

interface InstallationFile {
  readonly installation_id: string;
  readonly created_at: string;
  /** Of this very file. */
  readonly identity: string;
}

function installationPath(dataDir: string): string {
  return join(dataDir, "installation.json");
}

/**
 * The installation of `dataDir`, for its engine: the one noted there, or a new one when none is, or
 * when the note was copied here from elsewhere.
 */
export function claimInstallation(dataDir: string): ClaimedInstallation {
  const found = readNote(dataDir);
  if (found?.isOriginal) return { installationId: found.installation_id, origin: "known" };
  const installationId = writeInstallation(dataDir);
  return { installationId, origin: found ? "copy" : "new" };
}

/** Makes `dataDir` an installation of its own under a new id, and returns it. */
export function writeInstallation(dataDir: string): string {
  const installation_id = crypto.randomUUID().replaceAll("-", "");
  const path = installationPath(dataDir);
  const temporary = `${path}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  const fd = openSync(temporary, "wx", 0o600);
  try {
    const identity = identityOf(fstatSync(fd, { bigint: true }));
    const note: InstallationFile = {
      installation_id,
      created_at: new Date().toISOString(),
      identity,
    };
    writeFileSync(fd, `${JSON.stringify(note, null, 2)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, path);
  const directory = openSync(dirname(path), "r");
  fsyncSync(directory);
  closeSync(directory);
  return installation_id;
}

/**
 * The id of the installation that the engine of `dataDir` has claimed.
 *
 * @throws StartRefused when no engine has, or the directory was copied and none has run here yet.
 */
export function installationOf(dataDir: string): string {
  const found = readNote(dataDir);
  if (found?.isOriginal) return found.installation_id;
  const problem = found ? "is a copy whose engine has not run yet" : "has no installation.json";
  throw new StartRefused(`${dataDir} ${problem}: start its engine first`);
}

/** The id that is noted in `dataDir`, whoever claimed it; null when none is. */
export function idOfInstallation(dataDir: string): string | null {
  return readNote(dataDir)?.installation_id ?? null;
}

/** The note and whether it was written here; null when there is none, or none that can be read. */
function readNote(dataDir: string): (InstallationFile & { readonly isOriginal: boolean }) | null {
  const path = installationPath(dataDir);
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return null;
  try {
    const note = JSON.parse(readFileSync(path, "utf8")) as InstallationFile;
    if (!/^[0-9a-f]{32}$/.test(note.installation_id)) return null;
    return { ...note, isOriginal: note.identity === identityOf(stat) };
  } catch (error) {
    // Half a file is of nobody; one that may not be read may still be in use.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function identityOf(stat: { readonly ino: bigint; readonly birthtimeNs: bigint }): string {
  return `${stat.ino}.${stat.birthtimeNs}`;
}
