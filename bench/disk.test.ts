import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CoreRig, placeHold } from "./core-rig.ts";
import { diskOf, shareOf } from "./disk.ts";

test("a journal is weighed as it is written and as it will be sealed, and loses nothing by it", () => {
  const directory = mkdtempSync(join(tmpdir(), "bench-disk-"));
  const rig = new CoreRig(directory);
  try {
    const quotes = rig.seed(100);
    const before = diskOf(rig.path);
    for (let n = 0; n < 20; n += 1) rig.decide(quotes.map((quote) => placeHold(quote)));
    const { row } = rig.journal.head;
    const after = diskOf(rig.path);
    expect(after.liveBytes - before.liveBytes).toBeGreaterThan(2_000 * 200);
    expect(after.sealedBytes).toBeGreaterThan(before.sealedBytes);
    expect(after.sealedBytes).toBeLessThan(after.liveBytes);
    expect(diskOf(rig.path)).toEqual(after);
    expect(rig.journal.head.row).toBe(row);
  } finally {
    rig.close();
    rmSync(directory, { recursive: true });
  }
});

test("what each of many takes is what was added by their number", () => {
  const before = { liveBytes: 1_000_000, sealedBytes: 0 };
  const after = { liveBytes: 4_000_000, sealedBytes: 500_000 };
  expect(shareOf(before, after, 1_000)).toBe("3.00 kB, 0.50 kB sealed");
});
