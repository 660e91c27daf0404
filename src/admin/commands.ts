/**
 * The admin commands. They work on the installation of `DATA_DIR` itself, whether or not the
 * service runs on it, and need no credential: whoever may read its secrets owns it.
 */
import { join } from "node:path";
import { type Environment, readConfig } from "../config.ts";
import { CONTROL_FILE, openControlStore } from "../control/store.ts";
import { loadSecrets } from "../privacy/secrets.ts";
import { Arguments, UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";
import { credentialIssue } from "./credential-commands.ts";
import { oauthRotateKey } from "./oauth-commands.ts";
import { operatorCreate, tenantCreate, tenantList } from "./tenant-commands.ts";

const COMMANDS: readonly Command[] = [
  ...[tenantCreate, tenantList, operatorCreate],
  ...[credentialIssue, oauthRotateKey],
];

/** Nobody waits for us; a running service may be writing. */
const BUSY_TIMEOUT_MS = 10_000;

const PROGRAM = "npm run --silent admin --";

/** Lines of `left` and `right`, the right ones in one column. */
function table(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}

function usage(): string {
  const rows = COMMANDS.map(({ name, summary }) => [name, summary] as const);
  return `Usage: ${PROGRAM} <command> [options]

Administers the installation of DATA_DIR, running or not. Prints JSON.

${table(rows)}
--help after a command shows its options.
`;
}

function usageOf({ name, summary, options }: Command): string {
  const rows = Object.entries(options).map(([option, { value, help }]) => {
    return [value === undefined ? `--${option}` : `--${option} ${value}`, help] as const;
  });
  return `Usage: ${PROGRAM} ${name} [options]

${summary}

${table([...rows, ["--help", "this text"]])}`;
}

/**
 * Runs the command of a command line; resolves to what is to be printed. Rejects with a UsageError,
 * or a StartRefused when the installation cannot be opened.
 */
export async function runCommand(args: readonly string[], env: Environment): Promise<string> {
  const isHelp = args.includes("--help");
  const command = COMMANDS.find(({ name }) => args.join(" ").concat(" ").startsWith(`${name} `));
  if (command === undefined) {
    if (isHelp) return usage();
    throw new UsageError(`no such command\n\n${usage()}`);
  }
  if (isHelp) return usageOf(command);
  const rest = new Arguments(args.slice(command.name.split(" ").length), command.options);
  const { dataDir } = readConfig(env);
  const secrets = loadSecrets(dataDir, env);
  const store = openControlStore(join(dataDir, CONTROL_FILE), secrets.credential_pepper);
  try {
    store.db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const printed = await command.run({ store, secrets }, rest);
    return `${JSON.stringify(printed, null, 2)}\n`;
  } finally {
    store.close();
  }
}
