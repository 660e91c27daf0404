/**
 * The admin commands. They work on the files of `DATA_DIR`, with or without a running service
 * unless their help says otherwise. They need no credential: access to the secrets is enough.
 */

import type { Environment } from "../../config.ts";
import { type Program, parseCommand } from "../cli/program.ts";
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
    "Administers the installation of DATA_DIR. The service may run unless a command says otherwise.\n" +
    "Prints JSON; doctor and requests print tables.",
  commands: COMMANDS,
};

/**
 * Runs a command line and resolves to its output. Rejects with a UsageError, or a StartRefused when
 * the installation cannot be opened or is damaged.
 */
export async function runCommand(args: readonly string[], env: Environment): Promise<Printed> {
  const asked = parseCommand(ADMIN, args);
  if ("help" in asked) return { text: asked.help, exitCode: 0 };
  const made = await asked.command.run(env, asked.args);
  if (isPrinted(made)) return made;
  return { text: `${JSON.stringify(made, null, 2)}\n`, exitCode: 0 };
}

function isPrinted(made: unknown): made is Printed {
  return typeof made === "object" && made !== null && "text" in made && "exitCode" in made;
}
