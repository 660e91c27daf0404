/** Goal: the guide documents every refused start. Method: compare its table row by row. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT_CONFIG } from "./lifecycle.ts";
import { REFUSED_STARTS, refusalByMachine, refusedStart } from "./refused-starts.ts";

const GUIDE = join(import.meta.dir, "..", "publish", "docs", "guides", "backups.md");

test("the guide's table has exactly the refused starts", () => {
  const rows = Object.values(REFUSED_STARTS).map((row) => {
    const exitCode = "exitCode" in row ? row.exitCode : EXIT_CONFIG;
    // Backticks inside a sentence would end its code span.
    const says = row.says.replaceAll(/\{\w+\}/g, "…").replaceAll("`", "");
    return `| ${row.when} | ${exitCode} | \`${says}\` |`;
  });
  const text = readFileSync(GUIDE, "utf8");
  const [, shown = ""] =
    /\| when \| exit code \| first line \|\n.*\n((?:\|.*\n)+)/.exec(text) ?? [];
  expect(shown.trim().split("\n")).toEqual(rows);
});

test("variables are filled in, and system errors map to their sentences", () => {
  const facts = { address: "redis.example:6379", problem: "NOAUTH" };
  expect(refusedStart("redis_login", facts).message).toStartWith(
    "Redis at redis.example:6379 refuses the login (NOAUTH): ",
  );
  const told = (code: string) => refusalByMachine("/data", { code }).message;
  expect(told("ENOTDIR")).toContain("/data is not a directory");
  expect(told("ENOSPC")).toContain("0 MiB free");
  expect(told("SQLITE_FULL")).toContain("0 MiB free");
  expect(told("SQLITE_NOTADB")).toContain("/data/lock.db is damaged");
  expect(told("EACCES")).toContain("/data cannot be written (EACCES)");
});
