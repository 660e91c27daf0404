/**
 * The admin commands. They work on the files of `DATA_DIR`, with or without a running service
 * unless their help says otherwise. They need no credential: access to the secrets is enough.
 */

import type { OperatorProgram } from "../cli/command.ts";
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

export const admin: OperatorProgram = {
  call: "npm run --silent admin --",
  about:
    "Administers the installation of DATA_DIR. The service may run unless a command says otherwise.\n" +
    "Prints JSON; doctor and requests print tables.",
  commands: [
    ...[doctor, requests],
    ...[tenantCreate, tenantList, operatorCreate],
    ...[credentialIssue, keysRotate, oauthRotateKey],
    ...[journalVerify, journalArchive, journalRestoreSegment],
    ...[projectionsRebuild, paymentsReconcile, damagedRowsDrop],
  ],
  errorPrefix: "innkeep admin: ",
};
