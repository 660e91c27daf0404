/** Process roles, exit codes, start errors and stop budgets. */

/** The command line is invalid. */
export const EXIT_USAGE = 2;
/** Another engine took over the journal: a restart would fight it. */
export const EXIT_FENCED = 76;
/** The start is refused, and a restart does not help (sysexits.h EX_CONFIG). */
export const EXIT_CONFIG = 78;

/**
 * A refused start: a bad setting, a damaged file, a directory in use. The operator sees the message
 * only; the process exits with `EXIT_CONFIG` and is not restarted.
 */
export class StartRefused extends Error {
  override readonly name: string = "StartRefused";
}

/**
 * A start that failed for a reason that may pass. The operator sees the message only; the process
 * exits with 1.
 */
export class StartFailed extends Error {
  override readonly name = "StartFailed";
}

/** Errors of the machine: a full disk, a missing permission. */
const MACHINE_ERROR =
  /^(ENOSPC|EDQUOT|EROFS|EACCES|EPERM|ENOENT|ENOTDIR|EISDIR|EIO|SQLITE_(FULL|READONLY|CANTOPEN|IOERR|BUSY))/;

/**
 * The message for the operator about an error that ended a command: that of a refusal or of an
 * error of the machine. Null for any other error, which is printed with its stack.
 */
export function operatorMessage(error: unknown): string | null {
  if (error instanceof StartRefused) return error.message;
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return MACHINE_ERROR.test(String(code)) ? String(message) : null;
}

export const CHILD_ROLES = ["engine", "worker", "api"] as const;
export type ChildRole = (typeof CHILD_ROLES)[number];

/**
 * Time from SIGTERM to SIGKILL. Process managers kill after 10 s, so the sum is less. Interrupted
 * work resumes at the next start.
 */
export const STOP_BUDGETS_MS: Readonly<Record<ChildRole | "redis", number>> = {
  api: 4_000,
  worker: 3_000,
  engine: 2_000,
  redis: 800,
};

/**
 * Sent by the engine on one of several machines: whether api and worker run on this one. While they
 * do it is sent again with each sign of life that PostgreSQL has taken.
 */
export interface HomeMessage {
  readonly isHome: boolean;
}

/** Sent to the engine when the supervisor ends all: another machine may be the home at once. */
export const ENDING_MESSAGE = { ending: true } as const;

/** The supervisor's answer when this machine is not the home: neither runs any more. */
export const ALONE_MESSAGE = { alone: true } as const;
