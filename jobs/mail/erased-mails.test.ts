/** Outbox files of erased guests go, those of others stay. */
import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Scratch } from "../../test/power/world.ts";
import { ErasureLooks, removeErased } from "./erased-mails.ts";

test("all files of an erased booking are removed, and no others", async () => {
  using scratch = new Scratch();
  const names = [
    ...[
      "20261218T140000123Z-confirmation.bkg_01a.eml",
      "20261219T140000123Z-cancellation.bkg_01a.eml",
    ],
    ...["20261219T140000124Z-confirmation.bkg_01a.2.eml", ".20261219T1-x.bkg_01a.eml.partial"],
    ...["20261218T140000123Z-confirmation.bkg_02b.eml", "20261218T1-summary.agt_1.2026-12-18.eml"],
  ];
  for (const name of names) writeFileSync(join(scratch.folder, name), "");
  expect(await removeErased(scratch.folder, (id) => id === "bkg_01a")).toBe(4);
  expect(readdirSync(scratch.folder).sort()).toEqual(names.slice(4).sort());
  expect(await removeErased(join(scratch.folder, "none"), () => true)).toBe(0);
});

test("after an erasure the outbox is looked at again for two minutes", () => {
  const looks = new ErasureLooks();
  expect(looks.isDue(0)).toBe(true);
  expect(looks.isDue(1_000_000)).toBe(false);
  looks.begin(1_000_000);
  expect(looks.isDue(1_000_000)).toBe(true);
  expect(looks.isDue(1_004_999)).toBe(false);
  expect(looks.isDue(1_005_000)).toBe(true);
  expect(looks.isDue(1_120_001)).toBe(false);
});
