/**
 * Goal: the table of promises in `test/README.md` names tests that are there. Method: every row is
 * read; a name must stand in its file, as a test's name or a part of one.
 */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const ALL = "—";
const ROW = /^\| (.*) \| `(.+)` \| (.+) \|$/;

interface Entry {
  readonly promise: string;
  readonly file: string;
  readonly names: readonly string[];
}

function entriesIn(table: string): Entry[] {
  return table.split("\n").flatMap((line) => {
    const [, promise, file, names] = ROW.exec(line) ?? [];
    if (promise === undefined || !file || !names) return [];
    return [{ promise, file, names: names === ALL ? [] : names.split(" · ") }];
  });
}

/** Names that are not in their file, and files that are not there. */
function missing({ file, names }: Entry): string[] {
  const path = join(ROOT, file);
  if (!existsSync(path)) return [`no ${file}`];
  const text = readFileSync(path, "utf8");
  const quoted = (name: string) =>
    ['"', "`"].some((mark) => text.includes(`${mark}${name}${mark}`));
  return names.filter((name) => !quoted(name)).map((name) => `${file}: no “${name}”`);
}

const TABLE = readFileSync(join(import.meta.dir, "README.md"), "utf8");
const entries = entriesIn(TABLE);

test("every row of the table is read, and every chapter of promises has some", () => {
  const lines = TABLE.split("\n").filter((line) => line.startsWith("| ") && line.includes("`"));
  expect(entries).toHaveLength(lines.length);
  const chapters = TABLE.split(/^## /m).slice(1);
  expect(chapters.map((chapter) => entriesIn(chapter)[0]?.promise ?? "")).not.toContain("");
  expect(chapters).toHaveLength(13);
});

test("every test that the table names is there", () => {
  expect(entries.flatMap(missing)).toEqual([]);
});

test("a name that is nowhere would be told", () => {
  const entry = {
    promise: "",
    file: "test/tidy.test.ts",
    names: ["files, lines and functions"],
  };
  expect(missing(entry)).toHaveLength(1);
  expect(missing({ ...entry, file: "test/nowhere.test.ts" })).toHaveLength(1);
});
