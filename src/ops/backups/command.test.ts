/** Goal: the two commands explain themselves, and say what is wrong before they touch anything. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "./command.ts";

test.each(["backup", "restore"])("%s --help shows its options and does nothing", async (name) => {
  const help = await runCommand([name, "--help"], { DATA_DIR: "/nowhere" });
  expect(help).toStartWith(`Usage: npm run --silent ${name} -- DIR`);
  expect(help).toContain("DATA_DIR");
  expect(await runCommand([name, "-h"], { DATA_DIR: "/nowhere" })).toBe(help);
});

test.each([
  [["backup"], "expected one directory"],
  [["backup", "a", "b"], "expected one directory"],
  [["backup", "a", "--suspend-agents"], /^Unknown option '--suspend-agents'\n\nUsage: /],
  [["restore", "--data-dir", "d"], "expected one directory"],
  [["restore", "a", "--data-dir"], "--data-dir"],
  [
    ["restore", "/nowhere/backup", "--data-dir", "/nowhere/data"],
    "copy a plain copy to an empty DATA_DIR instead",
  ],
])("%j is refused with what is wrong", async (args, problem) => {
  const directory = mkdtempSync(join(tmpdir(), "innkeep-command-"));
  await expect(runCommand(args, { DATA_DIR: join(directory, "data") })).rejects.toThrow(problem);
  expect(readdirSync(directory)).toEqual([]);
  rmSync(directory, { recursive: true });
});

test("what the machine will not do is told in a line, without a trace of the program", () => {
  const directory = mkdtempSync(join(tmpdir(), "innkeep-command-"));
  mkdirSync(join(directory, "engine"));
  for (const path of ["engine/0.db", "control.db"]) writeFileSync(join(directory, path), "");
  const file = join(directory, "control.db");
  const { exitCode, stderr } = Bun.spawnSync(
    [process.execPath, join(import.meta.dir, "main.ts"), "backup", join(file, "backup")],
    { env: { ...process.env, DATA_DIR: directory } },
  );
  expect(stderr.toString()).toMatch(/^innkeep: ENOTDIR: [^\n]+\n$/);
  expect(exitCode).toBe(1);
  rmSync(directory, { recursive: true });
});
