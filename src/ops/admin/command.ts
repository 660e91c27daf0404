/** The parts of an admin command. */
import { existsSync } from "node:fs";
import { type ControlStore, openControlStore } from "../../access/control/store.ts";
import { loadSecrets, type Secrets } from "../../access/privacy/secrets.ts";
import { controlPath, type Environment, readConfig } from "../../config.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import type { Arguments } from "../cli/arguments.ts";
import type { CommandText } from "../cli/program.ts";

/** The installation of `DATA_DIR`, running or not. */
export interface Installation {
  readonly store: ControlStore;
  readonly secrets: Secrets;
}

/** Output that is not JSON, or with an exit code other than 0. */
export interface Printed {
  readonly text: string;
  readonly exitCode: number;
}

export interface Command extends CommandText {
  /**
   * Returns the output, printed as JSON unless `Printed`. Throws a UsageError for bad arguments.
   */
  readonly run: (env: Environment, args: Arguments) => unknown;
}

/** A running service may be writing. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * The `run` of a command on the control store. `read` parses the arguments first, so that a bad
 * command line opens and creates nothing. Only with `makes` a missing installation is created: with
 * a mistyped `DATA_DIR` other commands would answer from an empty one.
 */
export function onInstallation<Asked>(
  read: (args: Arguments) => Asked,
  work: (installation: Installation, asked: Asked) => unknown,
  makes = false,
): Command["run"] {
  return async (env, args) => {
    const asked = read(args);
    const { dataDir } = readConfig(env);
    if (!makes && !existsSync(controlPath(dataDir))) {
      throw new StartRefused(`no installation in ${dataDir}: set DATA_DIR`);
    }
    const secrets = loadSecrets(dataDir, env);
    const store = openControlStore(controlPath(dataDir), secrets.credential_pepper);
    try {
      store.db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
      return await work({ store, secrets }, asked);
    } finally {
      store.close();
    }
  };
}
