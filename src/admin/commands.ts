/**
 * The admin commands. They work on the installation of `DATA_DIR` itself, whether or not the
 * service runs on it unless they say so, and need no credential: whoever may read its secrets owns
 * it.
 */
import type { Environment } from "../config.ts";
import { Arguments, UsageError } from "./arguments.ts";
import type { Command } from "./command.ts";
import { credentialIssue } from "./credential-commands.ts";
import { keysRotate } from "./keys-commands.ts";
import { oauthRotateKey } from "./oauth-commands.ts";
import { paymentsReconcile } from "./payments-command.ts";
import { projectionsRebuild } from "./projections-command.ts";
import { operatorCreate, tenantCreate, tenantList } from "./tenant-commands.ts";

const COMMANDS: readonly Command[] = [
  ...[tenantCreate, tenantList, operatorCreate],
  ...[credentialIssue, keysRotate, oauthRotateKey],
  ...[projectionsRebuild, paymentsReconcile],
];

const PROGRAM = "npm run --silent admin --";

/** Lines of `left` and `right`, the right ones in one column. */
function table(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}

function usage(): string {
  const rows = COMMANDS.map(({ name, summary }) => [name, summary] as const);
  return `Usage: ${PROGRAM} <command> [options]

Administers the installation of DATA_DIR, running or not unless the command says so. Prints JSON.

${table(rows)}
--help after a command shows its options.
`;
}

function usageOf({ name, summary, operand, options, note }: Command): string {
  const rows = Object.entries(options).map(([option, { value, help }]) => {
    return [value === undefined ? `--${option}` : `--${option} ${value}`, help] as const;
  });
  const word = operand ? ([[operand.value, operand.help]] as const) : [];
  return `Usage: ${PROGRAM} ${name} ${operand ? `[${operand.value}] ` : ""}[options]

${summary}

${table([...word, ...rows, ["--help", "this text"]])}${note ? `\n${note}` : ""}`;
}

/**
 * Runs the command of a command line; resolves to what is to be printed. Rejects with a UsageError,
 * or a StartRefused when the installation cannot be opened or is damaged.
 */
export async function runCommand(args: readonly string[], env: Environment): Promise<string> {
  const isHelp = args.includes("--help");
  const command = COMMANDS.find(({ name }) => args.join(" ").concat(" ").startsWith(`${name} `));
  if (command === undefined) {
    if (isHelp) return usage();
    throw new UsageError(`no such command\n\n${usage()}`);
  }
  if (isHelp) return usageOf(command);
  const rest = new Arguments(
    args.slice(command.name.split(" ").length),
    command.options,
    !!command.operand,
  );
  return `${JSON.stringify(await command.run(env, rest), null, 2)}\n`;
}
