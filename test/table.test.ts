/** The files that `test/README.md` names as tests of a promise exist. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./stages.ts";

const ROW = /^\| (.*\S) \| (`[^`]+`(?:, `[^`]+`)*) \|$/;

/** The files that a row names; none for another line. */
function filesOf(line: string): readonly string[] {
  const [, , files = ""] = ROW.exec(line) ?? [];
  return [...files.matchAll(/`([^`]+)`/g)].map(([, file]) => file!);
}

/** The files that rows name and that do not exist. */
function missingIn(lines: readonly string[]): string[] {
  return lines.flatMap(filesOf).filter((file) => !existsSync(join(ROOT, file)));
}

const LINES = readFileSync(join(import.meta.dir, "README.md"), "utf8").split("\n");

test("every row has a promise and the files of its tests, and they exist", () => {
  const rows = LINES.filter((line) => line.startsWith("| ") && line.includes("`"));
  expect(rows.filter((line) => filesOf(line).length === 0)).toEqual([]);
  expect(rows.length).toBeGreaterThan(100);
  expect(missingIn(rows)).toEqual([]);
});

test("a file that does not exist is found", () => {
  expect(missingIn(["| a promise | `test/tidy.test.ts`, `test/nowhere.test.ts` |"])).toEqual([
    "test/nowhere.test.ts",
  ]);
});
