/** The processes there are, how each says why it ended, and for how long it may finish its work. */

/** The command line cannot be run as it stands. */
export const EXIT_USAGE = 2;
/** Another engine took over the journal: restarting would only fight it. */
export const EXIT_FENCED = 76;
/** The start was refused for a reason that no restart cures (sysexits.h EX_CONFIG). */
export const EXIT_CONFIG = 78;

/**
 * A start refused by name: a bad setting, a damaged file, a directory in use. The message is shown
 * to the operator as it is; the process exits with `EXIT_CONFIG` and is not restarted.
 */
export class StartRefused extends Error {
  override readonly name: string = "StartRefused";
}

/**
 * A start that failed for a reason that may pass. The message is shown to the operator as it is,
 * in one line; the process exits with 1.
 */
export class StartFailed extends Error {
  override readonly name = "StartFailed";
}

/** Errors of the system and of SQLite that speak of the machine: a full disk, a missing right. */
const OF_THE_MACHINE =
  /^(ENOSPC|EDQUOT|EROFS|EACCES|EPERM|ENOENT|ENOTDIR|EISDIR|EIO|SQLITE_(FULL|READONLY|CANTOPEN|IOERR|BUSY))/;

/**
 * What an operator is to read of an error that ended a command: the message of a refusal, or of
 * what the machine would not do; null for anything else, which is for whoever finds the fault.
 */
export function toldToOperator(error: unknown): string | null {
  if (error instanceof StartRefused) return error.message;
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return OF_THE_MACHINE.test(String(code)) ? String(message) : null;
}

export const CHILD_ROLES = ["engine", "worker", "api"] as const;
export type ChildRole = (typeof CHILD_ROLES)[number];

/**
 * Time from SIGTERM to SIGKILL. The sum is the time an operator waits for the slowest stop, and
 * process managers kill after 10 s; what is cut off is resumed at the next start.
 */
export const STOP_BUDGETS_MS: Readonly<Record<ChildRole | "redis", number>> = {
  api: 4_000,
  worker: 3_000,
  engine: 2_000,
  redis: 800,
};
