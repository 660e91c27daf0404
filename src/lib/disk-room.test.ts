import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskFamily, freeMib } from "./disk-room.ts";

test("the free space of a disk is what df reports", () => {
  const path = mkdtempSync(join(tmpdir(), "innkeep-room-"));
  const df = Bun.spawnSync(["df", "--output=avail", "-BM", path]).stdout.toString();
  const stated = Number(/(\d+)M/.exec(df)![1]);
  // Other programs write to the disk between the two looks.
  expect(Math.abs(freeMib(path) - stated)).toBeLessThan(512);
  expect(diskFamily(path).samples[0]!.value / 2 ** 20).toBeCloseTo(freeMib(path), -3);
  rmSync(path, { recursive: true });
});
