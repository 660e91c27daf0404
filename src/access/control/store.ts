/**
 * The control plane's store: one connection for writing, and the pepper of credential hashes. Used
 * by admin calls only; the modules beside it work on it.
 */
import type { Database } from "bun:sqlite";
import { type StorageTrouble, storageTroubleOf } from "../../lib/store-file.ts";
import { openControlDatabase } from "./schema.ts";

export interface ControlStore {
  readonly path: string;
  readonly db: Database;
  /** SHA-256 of pepper and secret, base64url. */
  readonly hashSecret: (secret: string) => string;
  /**
   * Runs `work` in one `BEGIN IMMEDIATE` transaction (a savepoint when nested). Throws SQLITE_BUSY
   * when another writer holds the file for longer than 250 ms.
   */
  readonly write: <T>(work: () => T) => T;
  /** Why the last write failed; null after a success. */
  readonly trouble: () => StorageTrouble | null;
  /** After a failed write, tries a small one. */
  readonly probe: () => void;
  readonly close: () => void;
}

const PROBE = `INSERT OR REPLACE INTO meta (name, value)
  VALUES ('write_probe', strftime('%s', 'now'))`;

/**
 * Opens the control store at `path`, creating it when missing. `pepper` is the installation's
 * `credential_pepper`.
 */
export function openControlStore(path: string, pepper: string): ControlStore {
  const db = openControlDatabase(path);
  let trouble: StorageTrouble | null = null;
  const write = <T>(work: () => T): T => {
    try {
      const done = db.transaction(work).immediate();
      trouble = null;
      return done;
    } catch (error) {
      trouble = storageTroubleOf(error) ?? trouble;
      throw error;
    }
  };
  return {
    path,
    db,
    hashSecret: (secret) => Bun.SHA256.hash(`${pepper}.${secret}`, "base64url") as string,
    write,
    trouble: () => trouble,
    probe: () => {
      if (trouble === null) return;
      try {
        write(() => db.run(PROBE));
      } catch {
        // Still failing, or another process is writing: probed again later.
      }
    },
    close: () => db.close(),
  };
}

/** A new sortable identifier with the given prefix, e.g. `agt_0197…`. */
export function newId(prefix: "agt" | "crd" | "iss" | "per" | "whe"): string {
  return `${prefix}_${Bun.randomUUIDv7().replaceAll("-", "")}`;
}
