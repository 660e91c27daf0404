import { expect, test } from "bun:test";
import { join } from "node:path";
import { peakRssBytes } from "./peak-memory.ts";

const HELD_BYTES = 400_000_000;
const PROGRAM = `
import { peakRssBytes } from ${JSON.stringify(join(import.meta.dir, "peak-memory.ts"))};
console.log(peakRssBytes());
`;

test("the peak memory is that of the process itself, not of its parent", () => {
  // Every page is written, so that it is resident.
  const held = Buffer.alloc(HELD_BYTES, 1);
  const child = Bun.spawnSync([process.execPath, "-e", PROGRAM]);
  const peak = Number(child.stdout.toString());
  expect(held.length).toBe(HELD_BYTES);
  expect(peakRssBytes()).toBeGreaterThan(HELD_BYTES);
  expect(peak).toBeGreaterThan(10_000_000);
  expect(peak).toBeLessThan(HELD_BYTES / 2);
});
