/**
 * The installation id of a data directory. It is outside the journal, so that a copy of a journal
 * or of the whole directory becomes another installation and uses other keys on a shared Redis.
 *
 * Invariant: no two directories use one id. The file contains its own inode and time of birth,
 * which a copy changes and a rename keeps. The lease on the key prefix detects clones of a whole
 * disk.
 */
import {
  closeSync,
  existsSync,
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
import { StartRefused } from "./lifecycle.ts";
import { randomHex } from "./trace.ts";

const ID_BYTES = 16;

/** `copy` comes with a new id. */
export interface ClaimedInstallation {
  readonly installationId: string;
  readonly origin: "known" | "new" | "copy";
}

interface InstallationFile {
  readonly installation_id: string;
  readonly created_at: string;
  /** The id of this machine, when the journal is in PostgreSQL and other ones have it too. */
  readonly machine?: string;
  /** Of this very file. */
  readonly identity: string;
}

function installationPath(dataDir: string): string {
  return join(dataDir, "installation.json");
}

/**
 * The installation of `dataDir`, for its engine. A directory without the file, or with a copied
 * one, gets a new id.
 */
export function claimInstallation(dataDir: string): ClaimedInstallation {
  const found = readNote(dataDir);
  if (found?.isOriginal) return { installationId: found.installation_id, origin: "known" };
  const installationId = writeInstallation(dataDir);
  return { installationId, origin: found ? "copy" : "new" };
}

/** Gives `dataDir` this installation id, or a new one, and returns it. */
export function writeInstallation(
  dataDir: string,
  installation_id = randomHex(ID_BYTES),
  isShared = false,
): string {
  const path = installationPath(dataDir);
  const temporary = `${path}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  const fd = openSync(temporary, "wx", 0o600);
  try {
    const identity = identityOf(fstatSync(fd, { bigint: true }));
    const note: InstallationFile = {
      installation_id,
      created_at: new Date().toISOString(),
      ...(isShared ? { machine: randomHex(ID_BYTES) } : {}),
      identity,
    };
    writeFileSync(fd, `${JSON.stringify(note, null, 2)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, path);
  fsyncDirectory(dirname(path));
  return installation_id;
}

/**
 * The installation id that the engine of `dataDir` has claimed.
 *
 * @throws StartRefused when no engine has run in this directory.
 */
export function installationOf(dataDir: string): string {
  const found = readNote(dataDir);
  if (found?.isOriginal) return found.installation_id;
  const problem = found ? "is a copy whose engine has not run yet" : "has no installation.json";
  throw new StartRefused(`${dataDir} ${problem}: start its engine first`);
}

/** @throws StartRefused when the directory belongs to another installation. */
export function refuseOtherInstallation(dataDir: string, installationId: string): void {
  const found = idOfInstallation(dataDir);
  if (found === null || found === installationId) return;
  const remedy = "set DATA_DIR to an empty directory, or DATABASE_URL to its own database";
  throw new StartRefused(`${dataDir} belongs to another installation, ${found}: ${remedy}`);
}

/**
 * Makes `dataDir` a machine of an installation with several; returns the machine's id. A copy of
 * another machine's directory, as of a cloned disk, becomes a machine of its own.
 */
export function joinInstallation(dataDir: string, installationId: string): string {
  const found = readNote(dataDir);
  if (found?.machine === undefined || !found.isOriginal) {
    writeInstallation(dataDir, installationId, true);
  }
  return readNote(dataDir)!.machine!;
}

/** Whether `dataDir` is one of several machines of its installation. */
export function isSharedInstallation(dataDir: string): boolean {
  return readNote(dataDir)?.machine !== undefined;
}

/** Marks the machine of several that has the files of api and worker. */
function homePath(dataDir: string): string {
  return join(dataDir, "engine", "home");
}

/** Whether api and worker run here: always on the one machine of an installation. */
export function isHome(dataDir: string): boolean {
  return !isSharedInstallation(dataDir) || existsSync(homePath(dataDir));
}

/** Notes, durably, whether this machine is the home. */
export function setHome(dataDir: string, is: boolean): void {
  if (is) writeFileSync(homePath(dataDir), "", { mode: 0o600 });
  else rmSync(homePath(dataDir), { force: true });
  fsyncDirectory(dirname(homePath(dataDir)));
}

function fsyncDirectory(path: string): void {
  const directory = openSync(path, "r");
  fsyncSync(directory);
  closeSync(directory);
}

/** The id in the file, even of a copy; null without one. */
export function idOfInstallation(dataDir: string): string | null {
  return readNote(dataDir)?.installation_id ?? null;
}

/** The file's content and whether it was written here; null when missing or invalid. */
function readNote(dataDir: string): (InstallationFile & { readonly isOriginal: boolean }) | null {
  const path = installationPath(dataDir);
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return null;
  try {
    const note = JSON.parse(readFileSync(path, "utf8")) as InstallationFile;
    if (!/^[0-9a-f]{32}$/.test(note.installation_id)) return null;
    return { ...note, isOriginal: note.identity === identityOf(stat) };
  } catch (error) {
    // An incomplete file counts as missing; an unreadable one may still be in use.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function identityOf(stat: { readonly ino: bigint; readonly birthtimeNs: bigint }): string {
  return `${stat.ino}.${stat.birthtimeNs}`;
}
