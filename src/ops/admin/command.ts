/** The parts of an admin command. */
import { existsSync } from "node:fs";
import { type ControlStore, openControlStore } from "../../access/control/store.ts";
import { loadSecrets, type Secrets } from "../../access/privacy/secrets.ts";
import { controlPath, readConfig } from "../../config.ts";
import type { ExitCode } from "../../lib/command-line.ts";
import { StartFailed, StartRefused } from "../../lib/lifecycle.ts";
import { untilPassedOn } from "../../lib/passing-on.ts";
import type { Environment } from "../../settings-reader.ts";
import type { Session } from "../cli/command.ts";
import { asJson } from "../cli/terminal.ts";

/** The installation of `DATA_DIR`, running or not. */
export interface Installation {
  readonly store: ControlStore;
  readonly secrets: Secrets;
}

/** A running service may be writing. */
const BUSY_TIMEOUT_MS = 10_000;
const PASSED_ON_MS = 10_000;

/** The `run` of a command that prints what `work` resolves to as JSON. */
export function printing<Given>(work: (session: Session, given: Given) => unknown) {
  return async (session: Session, given: Given): Promise<ExitCode> => {
    session.terminal.out(asJson(await work(session, given)));
    return 0;
  };
}

/** The same for a command on the control store. */
export function onInstallation<Given>(
  work: (installation: Installation, given: Given) => unknown,
  makes = false,
) {
  return printing<Given>(({ env }, given) => {
    return withInstallation(env, (installation) => work(installation, given), makes);
  });
}

/**
 * Runs `work` on the control store. Only with `makes` a missing installation is created: with a
 * mistyped `DATA_DIR` other commands would answer from an empty one.
 */
export async function withInstallation(
  env: Environment,
  work: (installation: Installation) => unknown,
  makes = false,
): Promise<unknown> {
  const { dataDir } = readConfig(env);
  if (!makes) mustBeInstalled(dataDir);
  const secrets = loadSecrets(dataDir, env);
  const store = openControlStore(controlPath(dataDir), secrets.credential_pepper);
  try {
    store.db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const done = await work({ store, secrets });
    if ((await untilPassedOn(PASSED_ON_MS, false)) === false) {
      throw new StartFailed(
        "done here only: the engine of this machine has not passed it on. If another machine is " +
          "the home, it is void: use that one",
      );
    }
    return done;
  } finally {
    store.close();
  }
}

/** @throws StartRefused without an installation in the directory. */
export function mustBeInstalled(dataDir: string): void {
  if (existsSync(controlPath(dataDir))) return;
  throw new StartRefused(`no installation in ${dataDir}: set DATA_DIR`);
}
