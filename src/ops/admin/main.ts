/** `npm run --silent admin -- <command>`. */

import { EXIT_USAGE, operatorMessage } from "../../lib/lifecycle.ts";
import { UsageError } from "../cli/arguments.ts";
import { runCommand } from "./commands.ts";

// Files of a command are readable by this user only.
process.umask(0o077);
try {
  const { text, exitCode } = await runCommand(process.argv.slice(2), process.env);
  process.stdout.write(text);
  process.exitCode = exitCode;
} catch (error) {
  const isUsage = error instanceof UsageError;
  const message = isUsage ? error.message : operatorMessage(error);
  console.error(message === null ? error : `innkeep admin: ${message}`);
  process.exitCode = isUsage ? EXIT_USAGE : 1;
}
