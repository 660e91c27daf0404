/**
 * Logging on stderr: one JSON object per line for programs, or one short line for people. A message
 * never spans lines.
 */
import type { Log } from "./service.ts";
import { type Paint, paintOf } from "./terminal.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Extra fields of a line; `trace_id` links it to a request. Never secrets or guests. */
export type LogFields = Readonly<Record<string, unknown>>;

export type Logger = Readonly<Record<LogLevel, (msg: string, fields?: LogFields) => void>>;

export interface LogSettings {
  readonly logLevel: LogLevel;
  /** Default JSON. */
  readonly logFormat?: LogFormat;
}

interface Line {
  readonly at: Date;
  readonly level: LogLevel;
  readonly msg: string;
  readonly role: string;
  readonly fields: LogFields;
}

/**
 * A logger that writes lines of at least `logLevel`: `{time, level, msg, role, pid, …fields}` as
 * JSON, or the same in words. An `Error` among the fields is written with its stack and cause.
 *
 * @param write receives each whole line; default stderr.
 */
export function logger(
  role: string,
  { logLevel, logFormat = "json" }: LogSettings,
  write = writeToStderr,
): Logger {
  const least = LOG_LEVELS.indexOf(logLevel);
  const paint = paintOf(process.stderr, process.env);
  const at = (level: LogLevel) =>
    LOG_LEVELS.indexOf(level) < least
      ? () => {}
      : (msg: string, fields: LogFields = {}) => {
          const line = { at: new Date(), level, msg, role, fields };
          write(`${logFormat === "json" ? inJson(line) : inWords(line, paint)}\n`);
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

function inJson({ at, level, msg, role, fields }: Line): string {
  const time = at.toISOString();
  return JSON.stringify({ time, level, msg, role, pid: process.pid, ...fields }, plain);
}

/** `18:20:31  warn   engine     a record is damaged  kind=hold`; a stack follows below. */
function inWords({ at, level, msg, role, fields }: Line, paint: Paint): string {
  const colour = { debug: paint.dim, info: paint.green, warn: paint.yellow, error: paint.red };
  const { error, cause, ...others } = fields;
  const trouble = error ?? cause;
  const pairs = Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${inOneWord(value)}`);
  const words = [
    paint.dim(at.toTimeString().slice(0, 8)),
    colour[level](level.padEnd(5)),
    `${role.padEnd(10)} ${msg}`,
    ...(trouble === undefined ? [] : [inOneLine(trouble)]),
    ...(pairs.length > 0 ? [paint.dim(pairs.join(" "))] : []),
  ];
  // For unexpected errors the stack matters.
  const stack = level === "error" && trouble instanceof Error ? stackOf(trouble) : "";
  return words.join("  ") + (stack === "" ? "" : paint.dim(`\n${stack}`));
}

function inOneLine(trouble: unknown): string {
  const text = trouble instanceof Error ? trouble.message : String(trouble);
  return text.replaceAll(/\s*\n\s*/g, " / ");
}

/** The frames, with those of the causes. */
function stackOf(error: Error): string {
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  if (!(error.cause instanceof Error)) return frames.join("\n");
  return [...frames, `  because: ${inOneLine(error.cause)}`, stackOf(error.cause)].join("\n");
}

function inOneWord(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "string" && /^[^\s"]+$/.test(value)) return value;
  return JSON.stringify(value, plain) ?? "";
}

/** Logging must never throw: bigint and Error have no JSON of their own. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Error) {
    const stack = value.stack ?? String(value);
    return value.cause === undefined ? stack : { stack, cause: value.cause };
  }
  return typeof value === "bigint" ? String(value) : value;
}
