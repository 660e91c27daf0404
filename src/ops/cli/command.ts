/** Commands that call a running service. */
import type { Environment } from "../../config.ts";
import { EXIT_USAGE } from "../../lib/lifecycle.ts";
import { accessOf } from "./access.ts";
import { ApiClient } from "./api-client.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { CommandFailed } from "./failures.ts";
import { type CommandText, type Program, parseCommand } from "./program.ts";
import type { Terminal } from "./terminal.ts";

export interface Session {
  readonly env: Environment;
  readonly terminal: Terminal;
  /** Aborted by SIGINT, SIGTERM and SIGHUP; ends commands that watch or listen. */
  readonly signal: AbortSignal;
  /** A client with the address and secret of the environment. */
  api(): Promise<ApiClient>;
}

/** 0: done; 1: refused or unreachable. */
export type ExitCode = 0 | 1;

export interface ClientCommand extends CommandText {
  /** Throws a UsageError for bad arguments, a CommandFailed for other expected errors. */
  readonly run: (session: Session, args: Arguments) => Promise<ExitCode>;
}

export interface ClientProgram extends Program<ClientCommand> {
  /** Names on stderr the tenant of the demo's secret: its lists may be empty for a reason. */
  readonly namesTenant?: boolean;
}

/** A shell's exit code for a program ended by Ctrl-C. */
const INTERRUPTED = 130;

/**
 * Runs a command line to its exit code: 2 for a usage error, 130 for an interrupted command.
 * Commands that run until stopped return 0 or 1.
 */
export async function runClient(
  program: ClientProgram,
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
    if ("help" in parsed) {
      terminal.out(parsed.help);
      return 0;
    }
    return await parsed.command.run({ ...given, api }, parsed.args);
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    if (error instanceof UsageError) {
      terminal.err(`${error.message}\n`);
      return EXIT_USAGE;
    }
    if (!(error instanceof CommandFailed)) throw error;
    terminal.err(`${error.message}\n`);
    return 1;
  }
}
