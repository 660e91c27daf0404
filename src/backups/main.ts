/** `npm run --silent backup -- DIR`, `npm run --silent restore -- DIR`. */
import { UsageError } from "../cli/arguments.ts";
import { EXIT_USAGE, toldToOperator } from "../lifecycle.ts";
import { runCommand } from "./command.ts";

// All that is written here holds secrets or guests.
process.umask(0o077);
try {
  process.stdout.write(await runCommand(process.argv.slice(2), process.env));
} catch (error) {
  const isUsage = error instanceof UsageError;
  const told = isUsage ? error.message : toldToOperator(error);
  console.error(told === null ? error : `innkeep: ${told}`);
  process.exitCode = isUsage ? EXIT_USAGE : 1;
}
