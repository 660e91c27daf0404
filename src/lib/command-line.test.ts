/** Command lines: the parsed values, and the refusals of invalid lines. */
import { expect, test } from "bun:test";
import {
  type Command,
  count,
  flag,
  type Options,
  oneOf,
  operand,
  parseCommand,
  text,
  UsageError,
  withDefault,
} from "./command-line.ts";

const seen: unknown[] = [];
const options = {
  limit: withDefault(count("N", "how many", { min: 0, max: 9 }), 5),
  mode: oneOf("MODE", "live or test", ["live", "test"]),
  "dry-run": flag("only count"),
};
const list: Command<null, typeof options, string | undefined> = {
  name: "list",
  summary: "list things",
  operand: operand(text("NAME", "of one thing")),
  options,
  run: async (_context, values, name) => {
    seen.push({ ...values, name });
    return 0;
  },
};
const PROGRAM = {
  call: "things",
  about: "About things.",
  commands: [list as Command<null, Options>],
};

const parse = (...words: readonly string[]) => parseCommand(PROGRAM, words);

test("a command receives the values of its options and its operand", async () => {
  for (const words of [["list"], ["list", "x", "--limit", "0", "--mode=test", "--dry-run"]]) {
    const parsed = parse(...words);
    if ("run" in parsed) await parsed.run(null);
  }
  expect(seen).toEqual([
    { limit: 5, mode: undefined, "dry-run": false, name: undefined },
    { limit: 0, mode: "test", "dry-run": true, name: "x" },
  ]);
});

test.each([
  [["list", "--limit", "10"], "--limit must be a whole number from 0 to 9"],
  [["list", "--limit"], "Option '--limit <value>' argument missing"],
  [["list", "--mode", "demo"], "--mode must be one of live, test"],
  [["list", ""], "NAME must have 1 to 200 characters"],
  [["list", "x", "y"], "unexpected y"],
  [["list", "--dryrun"], "Unknown option '--dryrun': did you mean --dry-run?"],
  [["list", "--limt", "3"], "Unknown option '--limt': did you mean --limit?"],
  [["list", "--colour"], "Unknown option '--colour'"],
  [["lst"], "unknown command: lst\ndid you mean list?\n\nUsage: things <command> [options]\n"],
  [["--limit", "3"], "put the command before its options\n"],
])("%j is refused: %s", (words, message) => {
  expect(() => parse(...words)).toThrow(UsageError);
  expect(() => parse(...words)).toThrow(message);
});

test("help lists the commands, or the options of one", () => {
  expect(parse("--help")).toEqual({
    help: `Usage: things <command> [options]

About things.

  list  list things

Options of a command: things <command> --help
`,
  });
  expect(parse("help", "list")).toEqual({
    help: `Usage: things list [NAME] [options]

list things

  NAME         of one thing
  --limit N    how many
  --mode MODE  live or test
  --dry-run    only count
  --help       this text
`,
  });
});
