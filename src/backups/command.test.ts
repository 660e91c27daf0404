/** Goal: the two commands explain themselves, and say what is wrong before they touch anything. */
import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "./command.ts";

test.each(["backup", "restore"])("%s --help shows its options and does nothing", async (name) => {
  const help = await runCommand([name, "--help"], { DATA_DIR: "/nowhere" });
  expect(help).toStartWith(`Usage: npm run --silent ${name} -- DIR`);
  expect(help).toContain("DATA_DIR");
});

test.each([
  [["backup"], "name one directory"],
  [["backup", "a", "b"], "name one directory"],
  [["backup", "a", "--suspend-agents"], "Unknown option '--suspend-agents'"],
  [["restore", "--data-dir", "d"], "name one directory"],
  [["restore", "a", "--data-dir"], "--data-dir"],
  [["restore", "/nowhere/backup", "--data-dir", "/nowhere/data"], "is not a whole back-up"],
])("%j is refused with what is wrong", async (args, problem) => {
  const directory = mkdtempSync(join(tmpdir(), "innkeep-command-"));
  await expect(runCommand(args, { DATA_DIR: join(directory, "data") })).rejects.toThrow(problem);
  expect(readdirSync(directory)).toEqual([]);
  rmSync(directory, { recursive: true });
});
