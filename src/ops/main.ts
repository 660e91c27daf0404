/** The operator's programs, e.g. `npm run --silent admin -- …`. */
import { EXIT_USAGE } from "../lib/lifecycle.ts";
import { type OperatorProgram, runProgram } from "./cli/command.ts";
import { TERMINAL } from "./cli/terminal.ts";

/** Loaded on demand: a client of a running service does not need the engine. */
const PROGRAMS: Readonly<Record<string, () => Promise<OperatorProgram>>> = {
  admin: async () => (await import("./admin/commands.ts")).admin,
  backup: async () => (await import("./backups/commands.ts")).backupProgram,
  restore: async () => (await import("./backups/commands.ts")).restoreProgram,
  "dead-letters": async () => (await import("./cli/dead-letters.ts")).deadLetters,
  events: async () => (await import("./cli/events.ts")).events,
  ledger: async () => (await import("./ledger/commands.ts")).ledger,
  console: async () => (await import("./cli/console.ts")).consoleProgram,
  feeds: async () => (await import("./cli/feeds.ts")).feeds,
  webhooks: async () => (await import("./cli/webhooks.ts")).webhooks,
  "mint-delegation": async () => (await import("./cli/mint-delegation.ts")).mintDelegationProgram,
};
/** The system ends these at once: they work on files, where a signal needs no clean-up. */
const ENDED_BY_SIGNALS: readonly string[] = ["admin", "backup", "ledger", "restore"];

const [name = "", ...words] = process.argv.slice(2);
const load = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
if (load === undefined) {
  console.error(`Usage: main.ts <${Object.keys(PROGRAMS).join("|")}>`);
  process.exitCode = EXIT_USAGE;
} else {
  // Files of a command contain secrets and personal data.
  process.umask(0o077);
  const ending = new AbortController();
  if (!ENDED_BY_SIGNALS.includes(name)) {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => ending.abort());
    }
  }
  const given = { env: process.env, terminal: TERMINAL, signal: ending.signal };
  process.exitCode = await runProgram(await load(), words, given);
}
