/** Goal: both commands have help, and report errors before they change anything. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputOf, runWords } from "../../../test/support/operator-program.ts";
import { backupProgram, restoreProgram } from "./commands.ts";

const PROGRAMS = { backup: backupProgram, restore: restoreProgram };

test.each(["backup", "restore"] as const)(
  "%s --help shows its options and does nothing",
  async (name) => {
    const help = await outputOf(PROGRAMS[name], ["--help"], { DATA_DIR: "/nowhere" });
    expect(help).toStartWith(`Usage: npm run --silent ${name} -- DIR`);
    expect(help).toContain("DATA_DIR");
    expect(await outputOf(PROGRAMS[name], ["-h"], { DATA_DIR: "/nowhere" })).toBe(help);
  },
);

test.each([
  [["backup"], "innkeep: DIR is missing\n", 2],
  [["backup", "a", "b"], "unexpected b", 2],
  [["backup", "a", "--suspend-agents"], "Unknown option '--suspend-agents'\n", 2],
  [["restore", "--data-dir", "d"], "DIR is missing", 2],
  [["restore", "a", "--data-dir"], "--data-dir", 2],
  [["restore", "a", "--datadir", "d"], "did you mean --data-dir?\n", 2],
  [
    ["restore", "/nowhere/backup", "--data-dir", "/nowhere/data"],
    "copy a plain copy to an empty DATA_DIR instead",
    1,
  ],
] as const)("%j is refused with what is wrong", async ([name, ...args], problem, exitCode) => {
  const directory = mkdtempSync(join(tmpdir(), "innkeep-command-"));
  const { code, err } = await runWords(PROGRAMS[name], args, { DATA_DIR: join(directory, "data") });
  expect(code).toBe(exitCode);
  expect(err).toContain(problem);
  expect(readdirSync(directory)).toEqual([]);
  rmSync(directory, { recursive: true });
});

test("an error of the operating system is reported in one line, without a stack trace", () => {
  const directory = mkdtempSync(join(tmpdir(), "innkeep-command-"));
  mkdirSync(join(directory, "engine"));
  for (const path of ["engine/0.db", "control.db"]) writeFileSync(join(directory, path), "");
  const file = join(directory, "control.db");
  const { exitCode, stderr } = Bun.spawnSync(
    [process.execPath, join(import.meta.dir, "..", "main.ts"), "backup", join(file, "backup")],
    { env: { ...process.env, DATA_DIR: directory } },
  );
  expect(stderr.toString()).toMatch(/^innkeep: ENOTDIR: [^\n]+\n$/);
  expect(exitCode).toBe(1);
  rmSync(directory, { recursive: true });
});
