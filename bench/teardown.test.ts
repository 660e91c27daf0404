import { expect, test } from "bun:test";

const PROGRAM = `
import { onInterrupt, undoOnSignals } from "${import.meta.dir}/teardown.ts";
onInterrupt(() => console.log("first step"));
const isDone = onInterrupt(() => console.log("finished step"));
onInterrupt(async () => { await Bun.sleep(1); console.log("last step"); });
isDone();
undoOnSignals();
console.log("ready");
setInterval(() => {}, 1000);
`;

test("a signal undoes the unfinished steps, the last one first, and ends the process", async () => {
  const child = Bun.spawn([process.execPath, "-e", PROGRAM], { stdout: "pipe" });
  let output = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    if (output === "") child.kill("SIGTERM");
    output += chunk;
  }
  expect(output).toBe("ready\nlast step\nfirst step\n");
  expect(await child.exited).toBe(130);
});
