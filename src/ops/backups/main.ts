/** `npm run --silent backup -- DIR`, `npm run --silent restore -- DIR`. */

import { EXIT_USAGE, operatorMessage } from "../../lib/lifecycle.ts";
import { UsageError } from "../cli/arguments.ts";
import { runCommand } from "./command.ts";

// The files contain secrets and personal data.
process.umask(0o077);
try {
  process.stdout.write(await runCommand(process.argv.slice(2), process.env));
} catch (error) {
  const isUsage = error instanceof UsageError;
  const message = isUsage ? error.message : operatorMessage(error);
  console.error(message === null ? error : `innkeep: ${message}`);
  process.exitCode = isUsage ? EXIT_USAGE : 1;
}
