/** What an admin command is made of. */
import { existsSync } from "node:fs";
import type { Arguments } from "../cli/arguments.ts";
import type { CommandWords } from "../cli/program.ts";
import { controlPath, type Environment, readConfig } from "../config.ts";
import { type ControlStore, openControlStore } from "../control/store.ts";
import { StartRefused } from "../lifecycle.ts";
import { loadSecrets, type Secrets } from "../privacy/secrets.ts";

/** The installation that a command works on, running or not. */
export interface Installation {
  readonly store: ControlStore;
  readonly secrets: Secrets;
}

/** What a command prints that is no JSON document, or that may end with another code than 0. */
export interface Printed {
  readonly text: string;
  readonly exitCode: number;
}

export interface Command extends CommandWords {
  /** What to print, as JSON unless `Printed`. Throws a UsageError for arguments that do not fit. */
  readonly run: (env: Environment, args: Arguments) => unknown;
}

/** Nobody waits for us; a running service may be writing. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * The `run` of a command that works on the control store. `read` takes what is asked for from the
 * command line first, so that one that cannot be run opens, and makes, nothing. Only `makes` makes
 * an installation where there is none: with a `DATA_DIR` that is mistyped the others would answer
 * from an empty one.
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
      throw new StartRefused(`there is no installation in ${dataDir}: set DATA_DIR`);
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
