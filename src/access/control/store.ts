/**
 * The control plane's store: one connection for writing, and the pepper that credential hashes are
 * made with. The functions of `tenants.ts`, `agents.ts`, `credentials.ts`, `issuers.ts` and the
 * others beside them work on it. No request but an admin's own comes here.
 */
import type { Database } from "bun:sqlite";
import { type StorageTrouble, storageTroubleOf } from "../../lib/store-file.ts";
import { openControlDatabase } from "./schema.ts";

/** The file of `DATA_DIR` that holds the store. */
export interface ControlStore {
  readonly path: string;
  readonly db: Database;
  /** What a secret is stored and looked up as: SHA-256 of pepper and secret, base64url. */
  readonly hashSecret: (secret: string) => string;
  /**
   * Runs `work` in one `BEGIN IMMEDIATE` transaction (a savepoint when already inside one). Throws
   * SQLITE_BUSY when another writer holds the file for longer than 250 ms.
   */
  readonly write: <T>(work: () => T) => T;
  /** Why the last write was refused, until one succeeds; null while none was. */
  readonly trouble: () => StorageTrouble | null;
  /** Tries a small write when the last one was refused, to learn whether that has passed. */
  readonly probe: () => void;
  readonly close: () => void;
}

const PROBE = `INSERT OR REPLACE INTO meta (name, value)
  VALUES ('write_probe', strftime('%s', 'now'))`;

/**
 * Opens the control store at `path`, creating it when missing. `pepper` is the installation's
 * `credential_pepper`: without it no stored hash can be matched to a guessed secret.
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
        // It has not passed, or another process is writing: asked again.
      }
    },
    close: () => db.close(),
  };
}

/** A new sortable identifier with the given prefix, e.g. `agt_0197…`. */
export function newId(prefix: "agt" | "crd" | "iss" | "whe"): string {
  return `${prefix}_${Bun.randomUUIDv7().replaceAll("-", "")}`;
}
