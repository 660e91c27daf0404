/** Every seeded bug is caught by the simulation, in a copy of the engine, within a few seeds. */
import { afterAll, expect, test } from "bun:test";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileOf, mutated } from "../mutants/mutate.ts";
import { MUTANTS } from "./mutants.ts";
import { scratchFolder } from "./run.ts";

const ROOT = join(import.meta.dir, "..", "..");
/** Most bugs are met within five; the rarest states of a booking need more. */
const SEEDS = "240";
const COMMANDS = "400";

const copy = scratchFolder();
const SUPPORT = [
  "authorizations.ts",
  "builders.ts",
  "incidents.ts",
  "index-facts.ts",
  "packed-from.ts",
  "stored-blocks.ts",
].map((name) => `test/support/${name}`);
for (const part of ["engine", "src/lib/trace.ts", "test/sim", ...SUPPORT]) {
  cpSync(join(ROOT, part), join(copy, part), { recursive: true });
}
afterAll(() => rmSync(copy, { recursive: true, force: true }));

for (const mutant of MUTANTS) {
  test(`caught: ${mutant.name}`, () => {
    const path = join(copy, fileOf(mutant));
    const source = readFileSync(path, "utf8");
    writeFileSync(path, mutated(source, mutant));
    try {
      const hunt = Bun.spawnSync([process.execPath, "test/sim/hunt.ts", SEEDS, COMMANDS], {
        cwd: copy,
      });
      const said = hunt.stdout.toString() + hunt.stderr.toString();
      expect(said).toStartWith("simulation: seed ");
      expect(hunt.exitCode).toBe(1);
    } finally {
      writeFileSync(path, source);
    }
  });
}
