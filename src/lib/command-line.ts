/** Command lines as data: typed options, generated help, and errors that name the option. */
import { parseArgs } from "node:util";
import { suggestSimilar } from "./suggest-similar.ts";

/** An invalid command line; the exit code is `EXIT_USAGE`. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** An option or operand of a command. */
export interface Option<T> {
  /** Placeholder of the value in the help; undefined for a switch. */
  readonly value?: string;
  readonly help: string;
  readonly isRequired?: true;
  /** The value of the text, undefined if absent. Throws a UsageError that begins with `name`. */
  readonly read: (text: string | undefined, name: string) => T;
}

export type Options = Readonly<Record<string, Option<unknown>>>;
/** The values of a command's options. */
export type Values<O extends Options> = { readonly [K in keyof O]: ReturnType<O[K]["read"]> };

/** Operands, at most `most` of them. */
export interface Operands<P> extends Option<unknown> {
  readonly most: number;
  readonly readAll: (texts: readonly string[], name: string) => P;
}

/** 0: done; 1: refused or failed. */
export type ExitCode = 0 | 1;

export interface Command<C, O extends Options = Options, P = unknown> {
  /** One or more words, e.g. `tenant create`; empty for the only command of a program. */
  readonly name: string;
  /** One line of help. */
  readonly summary: string;
  readonly operand?: Operands<P>;
  readonly options: O;
  /** The last paragraphs of its help. */
  readonly note?: string;
  /** Throws a UsageError for bad arguments. */
  run(context: C, values: Values<O>, operand: P): Promise<ExitCode>;
}

export interface Program<C> {
  /** E.g. `npm run --silent admin --`. */
  readonly call: string;
  readonly about?: string;
  readonly commands: readonly Command<C>[];
}

/** A switch: true when given. */
export function flag(help: string): Option<boolean> {
  return { help, read: (text) => text !== undefined };
}

/** An option whose text `parse` converts. */
export function parsed<T>(
  value: string,
  help: string,
  parse: (text: string, name: string) => T,
): Option<T | undefined> {
  return {
    value,
    help,
    read: (text, name) => (text === undefined ? undefined : parse(text, name)),
  };
}

/** Any text, e.g. a path. */
export function anyText(value: string, help: string): Option<string | undefined> {
  return parsed(value, help, (given) => given);
}

/** Text of 1 to 200 characters. */
export function text(value: string, help: string): Option<string | undefined> {
  return parsed(value, help, (given, name) => {
    if (given.length >= 1 && given.length <= 200) return given;
    throw new UsageError(`${name} must have 1 to 200 characters`);
  });
}

/** A whole number from `min`, by default 1, to `max`, by default any. */
export function count(
  value: string,
  help: string,
  { min = 1, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number } = {},
): Option<number | undefined> {
  return parsed(value, help, (given, name) => {
    const number = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new UsageError(`${name} must be a whole number from ${min} to ${max}`);
  });
}

/** One of the words. */
export function oneOf<const T extends string>(
  value: string,
  help: string,
  words: readonly T[],
): Option<T | undefined> {
  return parsed(value, help, (given, name) => {
    const found = words.find((word) => word === given);
    if (found !== undefined) return found;
    throw new UsageError(`${name} must be one of ${words.join(", ")}`);
  });
}

/** The option, refused when it is absent. */
export function required<T>(option: Option<T | undefined>): Option<T> {
  const read = (given: string | undefined, name: string) => {
    const found = option.read(given, name);
    if (found === undefined) throw new UsageError(`${name} is missing`);
    return found;
  };
  return { ...option, isRequired: true, read };
}

/** The option with a value for when it is absent. */
export function withDefault<T>(option: Option<T | undefined>, fallback: T): Option<T> {
  return { ...option, read: (given, name) => option.read(given, name) ?? fallback };
}

/** The only operand of a command. */
export function operand<T>(option: Option<T>): Operands<T> {
  return { ...option, most: 1, readAll: ([given], name) => option.read(given, name) };
}

/** Any operands, at most `most`. */
export function operands(value: string, help: string, most: number): Operands<readonly string[]> {
  return { value, help, most, read: (given) => given, readAll: (given) => given };
}

const HELP = new Set(["--help", "-h"]);

/** Parses a command line. Throws a UsageError for an invalid one. */
export function parseCommand<C>(
  program: Program<C>,
  given: readonly string[],
): { readonly help: string } | { readonly run: (context: C) => Promise<ExitCode> } {
  const [only] = program.commands;
  const isHelpWord = given[0] === "help" && only?.name !== "";
  const isHelp = isHelpWord || given.some((word) => HELP.has(word));
  const words = isHelpWord ? given.slice(1) : given;
  const named = (name: string) => `${words.join(" ")} `.startsWith(`${name} `);
  const command = program.commands.find(({ name }) => name === "" || named(name));
  if (command === undefined) {
    if (isHelp) return { help: usage(program) };
    throw new UsageError(`${unknownCommand(program, words)}${usage(program).trimEnd()}`);
  }
  if (isHelp) return { help: usageOf(program.call, command) };
  const rest = command.name === "" ? words : words.slice(command.name.split(" ").length);
  const { values, operand: read } = argumentsOf(command, rest);
  return { run: (context) => command.run(context, values, read) };
}

function argumentsOf(
  command: Pick<Command<never>, "options" | "operand">,
  args: readonly string[],
) {
  const { options, operand: taken } = command;
  const types = Object.entries(options).map(([name, { value }]) => {
    return [name, { type: value === undefined ? "boolean" : "string" }] as const;
  });
  const { values, positionals } = split(args, Object.fromEntries(types), taken !== undefined);
  const unexpected = positionals[taken?.most ?? 0];
  if (unexpected !== undefined) throw new UsageError(`unexpected ${unexpected}`);
  const read = Object.entries(options).map(([name, option]) => {
    const found = values[name];
    return [name, option.read(found === undefined ? found : String(found), `--${name}`)] as const;
  });
  const operandOf = taken?.readAll(positionals, taken.value ?? "");
  return { values: Object.fromEntries(read), operand: operandOf };
}

type Types = Readonly<Record<string, { readonly type: "string" | "boolean" }>>;

function split(args: readonly string[], options: Types, allowPositionals: boolean) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Without its advice on leading dashes.
    const problem = message.replace(/\. To specify .*/s, "");
    const [, name = ""] = /'--([^']+)'/.exec(problem) ?? [];
    const isUnknown = code === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
    const near = isUnknown ? suggestSimilar(name, Object.keys(options), 3) : null;
    throw new UsageError(near === null ? problem : `${problem}: did you mean --${near}?`);
  }
}

/** The error for an unknown command. It never shows options, which may contain a secret. */
function unknownCommand({ commands }: Program<never>, words: readonly string[]): string {
  if (words.length === 0) return "";
  const at = words.findIndex((word) => word.startsWith("-"));
  if (at === 0) return "put the command before its options\n\n";
  const given = words.slice(0, at < 0 ? words.length : at).join(" ");
  const near = suggestSimilar(
    given,
    commands.map(({ name }) => name),
    3,
  );
  return `unknown command: ${given}\n${near === null ? "" : `did you mean ${near}?\n`}\n`;
}

/** One line per row, with aligned right columns. */
function columns(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}

function usage({ call, about, commands }: Program<never>): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  return `Usage: ${call} <command> [options]

${about}

${columns(rows)}
Options of a command: ${call} <command> --help
`;
}

function usageOf(call: string, command: Command<never>): string {
  const { name, summary, operand: taken, options, note } = command;
  const rows = Object.entries(options).map(([option, { value, help }]) => {
    return [value === undefined ? `--${option}` : `--${option} ${value}`, help] as const;
  });
  const word = taken?.value;
  const shown = taken?.isRequired ? word : `[${word}]`;
  const head = [call, name, word && shown, "[options]"].filter(Boolean).join(" ");
  return `Usage: ${head}

${summary}

${columns([...(taken && word ? [[word, taken.help] as const] : []), ...rows, ["--help", "this text"]])}${note ? `\n${note}` : ""}`;
}
