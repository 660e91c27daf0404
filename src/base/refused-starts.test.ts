/** Goal: whoever looks a refusal up finds it. Method: the guide has the table, row by row. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT_CONFIG } from "../lifecycle.ts";
import { REFUSED_STARTS, refusalByMachine, refusedStart } from "./refused-starts.ts";

const GUIDE = join(import.meta.dir, "..", "docs", "guides", "backups.md");

test("the guide shows the table of refused starts, and nothing else in it", () => {
  const rows = Object.values(REFUSED_STARTS).map((row) => {
    const exitCode = "exitCode" in row ? row.exitCode : EXIT_CONFIG;
    // What stands in backticks within a sentence would end the code that the sentence is.
    const says = row.says.replaceAll(/\{\w+\}/g, "…").replaceAll("`", "");
    return `| ${row.when} | ${exitCode} | \`${says}\` |`;
  });
  const text = readFileSync(GUIDE, "utf8");
  const [, shown = ""] =
    /\| when \| exit code \| first line \|\n.*\n((?:\|.*\n)+)/.exec(text) ?? [];
  expect(shown.trim().split("\n")).toEqual(rows);
});

test("what differs is filled in, and what the machine says is told in these words", () => {
  const facts = { address: "redis.example:6379", problem: "NOAUTH" };
  expect(refusedStart("redis_login", facts).message).toStartWith(
    "Redis at redis.example:6379 refuses the login (NOAUTH): ",
  );
  const told = (code: string) => refusalByMachine("/data", { code }).message;
  expect(told("ENOTDIR")).toContain("/data is no directory");
  expect(told("ENOSPC")).toContain("0 MiB left");
  expect(told("SQLITE_FULL")).toContain("0 MiB left");
  expect(told("SQLITE_NOTADB")).toContain("/data/lock.db is damaged");
  expect(told("EACCES")).toContain("/data cannot be written (EACCES)");
});
