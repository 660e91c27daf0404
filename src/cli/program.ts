/** A command line of several commands: its help texts, and what a given one means. */
import { Arguments, type Option, type Options, UsageError } from "./arguments.ts";

export interface CommandWords {
  /** Its words, e.g. `tenant create`. */
  readonly name: string;
  /** One line of help. */
  readonly summary: string;
  /** The word that may stand beside the options, or the words, `most` of them. */
  readonly operand?: Required<Option> & { readonly most?: number };
  readonly options: Options;
  /** What else its help says. */
  readonly note?: string;
}

export interface Program<C extends CommandWords> {
  /** How it is called, e.g. `npm run --silent admin --`. */
  readonly call: string;
  /** What it is for. */
  readonly about: string;
  readonly commands: readonly C[];
}

/** Lines of `left` and `right`, the right ones in one column. */
function columns(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join("");
}

function usage({ call, about, commands }: Program<CommandWords>): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  return `Usage: ${call} <command> [options]

${about}

${columns(rows)}
--help after a command shows its options.
`;
}

function usageOf(call: string, { name, summary, operand, options, note }: CommandWords): string {
  const rows = Object.entries(options).map(([option, { value, help }]) => {
    return [value === undefined ? `--${option}` : `--${option} ${value}`, help] as const;
  });
  const word = operand ? ([[operand.value, operand.help]] as const) : [];
  return `Usage: ${call} ${name} ${operand ? `[${operand.value}] ` : ""}[options]

${summary}

${columns([...word, ...rows, ["--help", "this text"]])}${note ? `\n${note}` : ""}`;
}

export type Understood<C> =
  | { readonly help: string }
  | { readonly command: C; readonly args: Arguments };

const HELP = new Set(["--help", "-h"]);

/** What a command line asks for. Throws a UsageError when it cannot be run as it stands. */
export function understood<C extends CommandWords>(
  program: Program<C>,
  given: readonly string[],
): Understood<C> {
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

/** What is wrong with words that name no command. Options are left out: they may hold a secret. */
function unknown(words: readonly string[]): string {
  if (words.length === 0) return "";
  const at = words.findIndex((word) => word.startsWith("-"));
  if (at === 0) return "the command comes before its options\n\n";
  return `no such command: ${words.slice(0, at < 0 ? words.length : at).join(" ")}\n\n`;
}
