import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { describeMachine, fileSystemOf } from "./machine.ts";

test("the file system of a path is that of its nearest mount point", () => {
  expect(fileSystemOf("/proc/self").type).toBe("proc");
  expect(fileSystemOf("/process").type).toBe(fileSystemOf("/").type);
});

test("the description contains the disk's sync time, and the probe file is removed", () => {
  const text = describeMachine(tmpdir()).join("\n");
  expect(Number(/fdatasync p50 (\d+) µs/.exec(text)?.[1])).toBeGreaterThanOrEqual(0);
  expect(text).toContain(`Bun ${Bun.version}`);
  expect(readdirSync(tmpdir())).not.toContain("fdatasync-probe");
});
