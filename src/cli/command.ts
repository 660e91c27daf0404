/** What the commands are made of that speak to a running service. */
import type { Environment } from "../config.ts";
import { EXIT_USAGE } from "../lifecycle.ts";
import { accessOf } from "./access.ts";
import { ApiClient } from "./api-client.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { CommandFailed } from "./failures.ts";
import { type CommandWords, type Program, understood } from "./program.ts";
import type { Terminal } from "./terminal.ts";

export interface Session {
  readonly env: Environment;
  readonly terminal: Terminal;
  /** Aborted when the operator wants no more: what watches or listens ends then. */
  readonly signal: AbortSignal;
  /** The service, as the environment names it. */
  api(): Promise<ApiClient>;
}

/** 0: done; 1: something was refused or not reached. */
export type ExitCode = 0 | 1;

export interface ClientCommand extends CommandWords {
  /** Does it. Throws a UsageError for arguments that do not fit, a CommandFailed to be told. */
  readonly run: (session: Session, args: Arguments) => Promise<ExitCode>;
}

export interface ClientProgram extends Program<ClientCommand> {
  /** Says on stderr whose it asks where no secret says so: an empty list means nothing else. */
  readonly tellsTenant?: boolean;
}

/** Stopped before it was done, as a shell says it of whoever a Ctrl-C has ended. */
const STOPPED = 130;

/**
 * Runs a command line to its exit code: 2 when it cannot be run as it stands, 130 when it was
 * stopped before it was done. What goes on until it is stopped is done then.
 */
export async function runClient(
  program: ClientProgram,
  words: readonly string[],
  given: Omit<Session, "api">,
): Promise<ExitCode | typeof EXIT_USAGE | typeof STOPPED> {
  const { env, terminal, signal } = given;
  const api = async () => {
    const access = await accessOf(env);
    const { baseUrl, assumed_tenant_id } = access;
    if (program.tellsTenant && assumed_tenant_id !== undefined) {
      const asks = `asking ${baseUrl} as the demo's operator (tenant ${assumed_tenant_id})`;
      terminal.err(`${asks}; INNKEEP_SECRET names another operator\n`);
    }
    return new ApiClient(access, signal);
  };
  try {
    const asked = understood(program, words);
    if ("help" in asked) {
      terminal.out(asked.help);
      return 0;
    }
    return await asked.command.run({ ...given, api }, asked.args);
  } catch (error) {
    if (signal.aborted) return STOPPED;
    if (error instanceof UsageError) {
      terminal.err(`${error.message}\n`);
      return EXIT_USAGE;
    }
    if (!(error instanceof CommandFailed)) throw error;
    terminal.err(`${error.message}\n`);
    return 1;
  }
}
