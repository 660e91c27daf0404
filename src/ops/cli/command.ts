/** The commands of an operator: their context, and how a command line runs to its exit code. */

import {
  type Command,
  type ExitCode,
  type Options,
  type Program,
  parseCommand,
  UsageError,
} from "../../lib/command-line.ts";
import { EXIT_USAGE, operatorMessage } from "../../lib/lifecycle.ts";
import type { Environment } from "../../settings-reader.ts";
import { accessOf } from "./access.ts";
import { ApiClient } from "./api-client.ts";
import { CommandFailed } from "./failures.ts";
import type { Terminal } from "./terminal.ts";

export interface Session {
  readonly env: Environment;
  readonly terminal: Terminal;
  /** Aborted by SIGINT, SIGTERM and SIGHUP; ends commands that watch or listen. */
  readonly signal: AbortSignal;
  /** A client of a running service, with the address and secret of the environment. */
  api(): Promise<ApiClient>;
}

export interface OperatorProgram extends Program<Session> {
  /** Before errors; empty by default. */
  readonly errorPrefix?: string;
  /** Names on stderr the tenant of the demo's secret: its lists may be empty for a reason. */
  readonly namesTenant?: boolean;
}

/** A command whose `run` gets the values of its options and operand. */
export function command<O extends Options, P = undefined>(
  described: Command<Session, O, P>,
): Command<Session> {
  return described as Command<Session>;
}

/** A shell's exit code for a program ended by Ctrl-C. */
const INTERRUPTED = 130;

/**
 * Runs a command line to its exit code: 2 for a usage error, 130 for an interrupted command.
 * Commands that run until stopped return 0 or 1.
 */
export async function runProgram(
  program: OperatorProgram,
  words: readonly string[],
  given: Omit<Session, "api">,
): Promise<ExitCode | typeof EXIT_USAGE | typeof INTERRUPTED> {
  const { env, terminal, signal } = given;
  const api = async () => {
    const access = await accessOf(env);
    const { baseUrl, assumed_tenant_id } = access;
    if (program.namesTenant && assumed_tenant_id !== undefined) {
      const user = `using the demo operator of ${baseUrl} (tenant ${assumed_tenant_id})`;
      terminal.err(`${user}; set INNKEEP_SECRET for another operator\n`);
    }
    return new ApiClient(access, signal);
  };
  try {
    const parsed = parseCommand(program, words);
    if ("run" in parsed) return await parsed.run({ ...given, api });
    terminal.out(parsed.help);
    return 0;
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    const isExpected = error instanceof UsageError || error instanceof CommandFailed;
    const message = isExpected ? error.message : operatorMessage(error);
    if (message === null) throw error;
    terminal.err(`${program.errorPrefix ?? ""}${message}\n`);
    return error instanceof UsageError ? EXIT_USAGE : 1;
  }
}
