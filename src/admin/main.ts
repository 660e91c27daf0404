/** `npm run --silent admin -- <command>`: prints what the command came to, or what is wrong. */

import { UsageError } from "../cli/arguments.ts";
import { EXIT_USAGE, toldToOperator } from "../lifecycle.ts";
import { runCommand } from "./commands.ts";

// Nobody else reads what a command puts on disk.
process.umask(0o077);
try {
  const { text, exitCode } = await runCommand(process.argv.slice(2), process.env);
  process.stdout.write(text);
  process.exitCode = exitCode;
} catch (error) {
  const isUsage = error instanceof UsageError;
  const told = isUsage ? error.message : toldToOperator(error);
  console.error(told === null ? error : `innkeep admin: ${told}`);
  process.exitCode = isUsage ? EXIT_USAGE : 1;
}
