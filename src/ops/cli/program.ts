/** A program of several commands: help texts and parsing. */
import { Arguments, type Option, type Options, UsageError } from "./arguments.ts";

export interface CommandText {
  /** One or more words, e.g. `tenant create`. */
  readonly name: string;
  /** One line of help. */
  readonly summary: string;
  /** The operand, or up to `most` operands. */
  readonly operand?: Required<Option> & { readonly most?: number };
  readonly options: Options;
  /** The last paragraphs of its help. */
  readonly note?: string;
}

export interface Program<C extends CommandText> {
  /** E.g. `npm run --silent admin --`. */
  readonly call: string;
  readonly about: string;
  readonly commands: readonly C[];
}

/** One line per row, with aligned right columns. */
function columns(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}

function usage({ call, about, commands }: Program<CommandText>): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  return `Usage: ${call} <command> [options]

${about}

${columns(rows)}
Options of a command: ${call} <command> --help
`;
}

function usageOf(call: string, { name, summary, operand, options, note }: CommandText): string {
  const rows = Object.entries(options).map(([option, { value, help }]) => {
    return [value === undefined ? `--${option}` : `--${option} ${value}`, help] as const;
  });
  const word = operand ? ([[operand.value, operand.help]] as const) : [];
  return `Usage: ${call} ${name} ${operand ? `[${operand.value}] ` : ""}[options]

${summary}

${columns([...word, ...rows, ["--help", "this text"]])}${note ? `\n${note}` : ""}`;
}

export type ParsedCommand<C> =
  | { readonly help: string }
  | { readonly command: C; readonly args: Arguments };

const HELP = new Set(["--help", "-h"]);

/** Parses a command line. Throws a UsageError for an invalid one. */
export function parseCommand<C extends CommandText>(
  program: Program<C>,
  given: readonly string[],
): ParsedCommand<C> {
  const isHelp = given[0] === "help" || given.some((word) => HELP.has(word));
  const words = given[0] === "help" ? given.slice(1) : given;
  const { call, commands } = program;
  const command = commands.find(({ name }) => words.join(" ").concat(" ").startsWith(`${name} `));
  if (command === undefined) {
    if (isHelp) return { help: usage(program) };
    throw new UsageError(`${unknown(words)}${usage(program).trimEnd()}`);
  }
  if (isHelp) return { help: usageOf(call, command) };
  const rest = words.slice(command.name.split(" ").length);
  const { options, operand } = command;
  return { command, args: new Arguments(rest, options, operand ? (operand.most ?? 1) : 0) };
}

/** The error for an unknown command. It never shows options, which may contain a secret. */
function unknown(words: readonly string[]): string {
  if (words.length === 0) return "";
  const at = words.findIndex((word) => word.startsWith("-"));
  if (at === 0) return "put the command before its options\n\n";
  return `unknown command: ${words.slice(0, at < 0 ? words.length : at).join(" ")}\n\n`;
}
