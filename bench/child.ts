/** Programs of the benchmark that need a process, and a heap, of their own. */
import { basename } from "node:path";
import { onInterrupt } from "./teardown.ts";

/**
 * Starts a program with one argument, as JSON; what it says when it has ended well. `onLine` is
 * told each line as it comes.
 *
 * @throws Error when it fails.
 */
export async function outputOf(
  program: string,
  argument: object,
  onLine: (line: string, pid: number) => void = () => {},
): Promise<string> {
  const child = Bun.spawn([process.execPath, program, JSON.stringify(argument)], {
    // An end of it would say that nobody waits any longer.
    stdin: "pipe",
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
