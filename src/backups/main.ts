/** `npm run --silent backup -- DIR`, `npm run --silent restore -- DIR`. */
import { StartRefused } from "../lifecycle.ts";
import { runCommand } from "./command.ts";

// All that is written here holds secrets or guests.
process.umask(0o077);
try {
  process.stdout.write(await runCommand(process.argv.slice(2), process.env));
} catch (error) {
  // A refusal is for the operator to read; anything else is for whoever finds the fault.
  console.error(error instanceof StartRefused ? `innkeep: ${error.message}` : error);
  process.exitCode = 1;
}
