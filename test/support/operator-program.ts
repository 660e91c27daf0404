/** Runs a command line of an operator's program, with a terminal that keeps the output. */

import { type OperatorProgram, runProgram } from "../../src/ops/cli/command.ts";
import type { Terminal } from "../../src/ops/cli/terminal.ts";
import type { Environment } from "../../src/settings-reader.ts";

export async function runWords(
  program: OperatorProgram,
  words: readonly string[],
  env: Environment,
  signal = new AbortController().signal,
) {
  const printed = { out: "", err: "" };
  const terminal: Terminal = {
    ...{ isWatched: false, canAsk: false, ask: async () => null },
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
  };
  const code = await runProgram(program, words, { env, terminal, signal });
  return { code, ...printed };
}

/** The output of a command that must succeed. Throws what it printed on stderr. */
export async function outputOf(
  program: OperatorProgram,
  words: readonly string[],
  env: Environment,
): Promise<string> {
  const { code, out, err } = await runWords(program, words, env);
  if (code !== 0) throw new Error(err.trimEnd());
  return out;
}
