import { expect, test } from "bun:test";
import { cpuMicros, machineCpuMicros, processName, processTree, rssBytes } from "./cpu.ts";

test("the CPU time of a process grows by the time it burns", () => {
  const before = cpuMicros(process.pid);
  const machineBefore = machineCpuMicros();
  const own = process.cpuUsage();
  let burntMicros = 0;
  while (burntMicros < 60_000) {
    const { user, system } = process.cpuUsage(own);
    burntMicros = user + system;
  }
  const grown = cpuMicros(process.pid) - before;
  expect(grown).toBeGreaterThanOrEqual(30_000);
  expect(machineCpuMicros() - machineBefore).toBeGreaterThanOrEqual(30_000);
  expect(grown).toBeLessThanOrEqual(burntMicros + 1_000_000);
});

test("the measured memory of this process is within a third of the runtime's own figure", () => {
  const reported = process.memoryUsage.rss();
  expect(Math.abs(rssBytes(process.pid) - reported) / reported).toBeLessThan(0.33);
});

test("the tree of a process contains its child, and an ended process has no figures", async () => {
  const child = Bun.spawn(["cat"], { stdin: "pipe", stdout: "pipe" });
  // What it echoes tells that it is the program already, and not still the copy of this process.
  child.stdin.write("started");
  await child.stdout.getReader().read();
  expect(processTree(process.pid)).toContain(child.pid);
  expect(cpuMicros(child.pid)).toBeGreaterThanOrEqual(0);
  expect(processName(child.pid)).toBe("cat");
  expect(processName(process.pid)).toBe("bun");
  child.stdin.end();
  await child.exited;
  expect(() => rssBytes(child.pid)).toThrow();
});
