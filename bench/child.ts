/** Programs of the benchmark that need a process, and a heap, of their own. */
import { basename } from "node:path";
import { onInterrupt } from "./teardown.ts";

interface Running {
  readonly args?: readonly string[];
  /** On its stdin; without it stdin stays open, so that its end tells that the benchmark ended. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Gets each line of output. */
  readonly onLine?: (line: string, pid: number) => void;
}

/** Starts a program; its output when it has ended. Throws when it fails. */
export async function outputOf(
  program: string,
  { args = [], input, env = process.env, onLine = () => {} }: Running,
): Promise<string> {
  const child = Bun.spawn([process.execPath, program, ...args], {
    env,
    stdin: input === undefined ? "pipe" : new Blob([input]),
    stdout: "pipe",
    stderr: "inherit",
  });
  const isEnded = onInterrupt(() => child.kill());
  let output = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    for (const line of chunk.split("\n")) onLine(line, child.pid);
    output += chunk;
  }
  const exitCode = await child.exited;
  isEnded();
  if (exitCode !== 0) throw new Error(`${basename(program)} failed: ${output}`);
  return output;
}

/** The same for a program whose argument is a task as JSON. */
export function outputOfTask(program: string, task: object, running: Running = {}) {
  return outputOf(program, { ...running, args: [JSON.stringify(task)] });
}
