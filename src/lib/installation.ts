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

/** `copy` comes with a new id. */
export interface ClaimedInstallation {
  readonly installationId: string;
  readonly origin: "known" | "new" | "copy";
}

interface InstallationFile {
  readonly installation_id: string;
  readonly created_at: string;
  /** Another directory has founded it, and has its clients and deliveries. */
  readonly joined?: true;
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

/** 32 hex digits. */
export function newInstallationId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** Gives `dataDir` this installation id, or a new one, and returns it. */
export function writeInstallation(
  dataDir: string,
  installation_id = newInstallationId(),
  isFounder = true,
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
      ...(isFounder ? {} : { joined: true }),
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
 * The installation id that the engine of `dataDir` has claimed.
 *
 * @throws StartRefused when no engine has run in this directory, or it has joined another one's.
 */
export function installationOf(dataDir: string): string {
  const found = readNote(dataDir);
  if (found?.joined) {
    throw new StartRefused(
      `stores_not_shared: ${dataDir} has no clients and deliveries, which are with the machine ` +
        "that founded the installation: run its api and worker there, and only the engine here",
    );
  }
  if (found?.isOriginal) return found.installation_id;
  const problem = found ? "is a copy whose engine has not run yet" : "has no installation.json";
  throw new StartRefused(`${dataDir} ${problem}: start its engine first`);
}

/**
 * Makes `dataDir` a machine of an installation with several. Clients and deliveries are in the
 * directory of the one that founded it.
 *
 * @throws StartRefused when it belongs to another installation.
 */
export function joinInstallation(
  dataDir: string,
  installationId: string,
  isFounder: boolean,
): void {
  const found = idOfInstallation(dataDir);
  if (found === null) writeInstallation(dataDir, installationId, isFounder);
  else if (found !== installationId) {
    const remedy = "set DATA_DIR to an empty directory, or DATABASE_URL to its own database";
    throw new StartRefused(`${dataDir} belongs to another installation, ${found}: ${remedy}`);
  }
}

/** Whether `dataDir` is a machine of an installation that another one has founded. */
export function hasJoined(dataDir: string): boolean {
  return readNote(dataDir)?.joined === true;
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
