/** `npm run --silent admin -- <command>`: prints what the command came to, or what is wrong. */
import { StartRefused } from "../lifecycle.ts";
import { UsageError } from "./arguments.ts";
import { runCommand } from "./commands.ts";

// Nobody else reads what a command puts on disk.
process.umask(0o077);
try {
  process.stdout.write(await runCommand(process.argv.slice(2), process.env));
} catch (error) {
  // A refusal is for the operator to read; anything else is for whoever finds the fault.
  const isRefusal = error instanceof UsageError || error instanceof StartRefused;
  console.error(isRefusal ? `innkeep admin: ${error.message}` : error);
  process.exitCode = 1;
}
