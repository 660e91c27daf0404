/** Structured logging: one JSON object per line on stderr. */
import type { Log } from "../../engine/shell/service.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Extra fields of a line; `trace_id` links it to a request. Never put secrets or guests here. */
export type LogFields = Readonly<Record<string, unknown>>;

export type Logger = Readonly<Record<LogLevel, (msg: string, fields?: LogFields) => void>>;

/**
 * A logger that writes `{time, level, msg, role, pid, …fields}` lines of at least `level`. An
 * `Error` among the fields is written with its stack and cause.
 *
 * @param write receives each whole line; stderr unless given.
 */
export function logger(role: string, level: LogLevel, write = writeToStderr): Logger {
  const least = LOG_LEVELS.indexOf(level);
  const at = (lineLevel: LogLevel) =>
    LOG_LEVELS.indexOf(lineLevel) < least
      ? () => {}
      : (msg: string, fields?: LogFields) => {
          const time = new Date().toISOString();
          const line = { time, level: lineLevel, msg, role, pid: process.pid, ...fields };
          write(`${JSON.stringify(line, plain)}\n`);
        };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** The logger as engine and jobs take it. */
export function logOf(log: Logger): Log {
  return (level, message, fields) => log[level](message, { ...fields });
}

function writeToStderr(line: string): void {
  process.stderr.write(line);
}

/** A log line must never be the thing that throws: bigint and Error have no JSON of their own. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Error) {
    const stack = value.stack ?? String(value);
    return value.cause === undefined ? stack : { stack, cause: value.cause };
  }
  return typeof value === "bigint" ? String(value) : value;
}
