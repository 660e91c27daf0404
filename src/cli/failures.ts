/** Why a command did not do what it was asked for, in words for its operator. */

/** Told as it is, exit code 1. */
export class CommandFailed extends Error {
  override readonly name: string = "CommandFailed";
}

/** `error` of the service's envelope (spec 2.3). */
export interface ApiError {
  readonly code: string;
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly remediation: string;
  readonly retry_after: number | null;
  readonly trace_id: string;
}

/** The service has refused a call. */
export class ApiRefused extends CommandFailed {
  override readonly name = "ApiRefused";
  readonly status: number;
  readonly error: ApiError;

  constructor(call: string, status: number, error: ApiError) {
    super([`${call}: ${status} ${error.code}`, ...told(error)].join("\n"));
    this.status = status;
    this.error = error;
  }
}

/** One line for each thing to know, and what to do. */
function told({ code, message, detail, remediation, retry_after, trace_id }: ApiError): string[] {
  const fields = Object.entries(detail).map(([name, value]) => {
    return `  ${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
  });
  const wait = retry_after === null ? [] : [`  Try again in ${retry_after} s.`];
  const advice = ADVICE[code];
  const lines = [message, ...(advice === undefined ? [remediation] : [advice])];
  return [...lines.map((line) => `  ${line}`), ...fields, ...wait, `  trace ${trace_id}`];
}

/** Where whoever sits at a shell is helped by other words than a client. */
const ADVICE: Readonly<Record<string, string>> = {
  unauthenticated: "Set INNKEEP_SECRET to the secret of an operator of this service.",
  forbidden: "Use the secret of an operator that has the scope, or have it granted.",
  principal_kind_not_allowed: "Set INNKEEP_SECRET to the secret of an operator.",
};
