/** The programs that call a running service, e.g. `npm run --silent webhooks -- …`. */

import { EXIT_USAGE } from "../../lib/lifecycle.ts";
import { type ClientProgram, runClient } from "./command.ts";
import { deadLetters } from "./dead-letters.ts";
import { events } from "./events.ts";
import { feeds } from "./feeds.ts";
import { TERMINAL } from "./terminal.ts";
import { webhooks } from "./webhooks.ts";

const PROGRAMS: Readonly<Record<string, ClientProgram>> = {
  "dead-letters": deadLetters,
  events,
  feeds,
  webhooks,
};

const [name = "", ...words] = process.argv.slice(2);
const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
if (program === undefined) {
  console.error(`Usage: main.ts <${Object.keys(PROGRAMS).join("|")}>`);
  process.exitCode = EXIT_USAGE;
} else {
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => ending.abort());
  }
  const given = { env: process.env, terminal: TERMINAL, signal: ending.signal };
  process.exitCode = await runClient(program, words, given);
}
