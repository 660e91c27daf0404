/**
 * The admin commands. They work on the installation of `DATA_DIR` itself, whether or not the
 * service runs on it unless they say so, and need no credential: whoever may read its secrets owns
 * it.
 */

import { type Program, understood } from "../cli/program.ts";
import type { Environment } from "../config.ts";
import type { Command, Printed } from "./command.ts";
import { credentialIssue } from "./credential-commands.ts";
import { damagedRowsDrop } from "./damaged-rows-command.ts";
import { doctor } from "./doctor.ts";
import { journalArchive, journalRestoreSegment, journalVerify } from "./journal-commands.ts";
import { keysRotate } from "./keys-commands.ts";
import { oauthRotateKey } from "./oauth-commands.ts";
import { paymentsReconcile } from "./payments-command.ts";
import { projectionsRebuild } from "./projections-command.ts";
import { requests } from "./requests-command.ts";
import { operatorCreate, tenantCreate, tenantList } from "./tenant-commands.ts";

const COMMANDS: readonly Command[] = [
  ...[doctor, requests],
  ...[tenantCreate, tenantList, operatorCreate],
  ...[credentialIssue, keysRotate, oauthRotateKey],
  ...[journalVerify, journalArchive, journalRestoreSegment],
  ...[projectionsRebuild, paymentsReconcile, damagedRowsDrop],
];

const ADMIN: Program<Command> = {
  call: "npm run --silent admin --",
  about:
    "Administers the installation of DATA_DIR, running or not unless the command says so.\n" +
    "Prints JSON; doctor and requests print tables.",
  commands: COMMANDS,
};

/**
 * Runs the command of a command line; resolves to what is to be printed. Rejects with a UsageError,
 * or a StartRefused when the installation cannot be opened or is damaged.
 */
export async function runCommand(args: readonly string[], env: Environment): Promise<Printed> {
  const asked = understood(ADMIN, args);
  if ("help" in asked) return { text: asked.help, exitCode: 0 };
  const made = await asked.command.run(env, asked.args);
  if (isPrinted(made)) return made;
  return { text: `${JSON.stringify(made, null, 2)}\n`, exitCode: 0 };
}

function isPrinted(made: unknown): made is Printed {
  return typeof made === "object" && made !== null && "text" in made && "exitCode" in made;
}
