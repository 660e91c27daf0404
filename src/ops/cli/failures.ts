/** Expected errors of commands. */

/** The operator sees the message only; exit code 1. */
export class CommandFailed extends Error {
  override readonly name: string = "CommandFailed";
}

/** `error` of the service's envelope. */
export interface ApiError {
  readonly code: string;
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly remediation: string;
  readonly retry_after: number | null;
  readonly trace_id: string;
}

/** The service refused a call. */
export class ApiRefused extends CommandFailed {
  override readonly name = "ApiRefused";
  readonly status: number;
  readonly error: ApiError;

  constructor(call: string, status: number, error: ApiError) {
    super([`${call}: ${status} ${error.code}`, ...errorLines(error)].join("\n"));
    this.status = status;
    this.error = error;
  }
}

/** Message, remedy, details and trace. */
function errorLines({
  code,
  message,
  detail,
  remediation,
  retry_after,
  trace_id,
}: ApiError): string[] {
  const fields = Object.entries(detail).map(([name, value]) => {
    return `  ${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
  });
  const wait = retry_after === null ? [] : [`  Try again in ${retry_after} s.`];
  const advice = ADVICE[code];
  const lines = [message, ...(advice === undefined ? [remediation] : [advice])];
  return [...lines.map((line) => `  ${line}`), ...fields, ...wait, `  trace ${trace_id}`];
}

/** Remedies for a shell, instead of those for API clients. */
const ADVICE: Readonly<Record<string, string>> = {
  unauthenticated: "Set INNKEEP_SECRET to the secret of an operator of this service.",
  forbidden: "Use the secret of an operator with this scope, or grant the scope.",
  principal_kind_not_allowed: "Set INNKEEP_SECRET to the secret of an operator.",
};
