/** The stages of `npm test`, cheapest first. */
import { join } from "node:path";

/** The directory that all commands run in. */
export const ROOT = join(import.meta.dir, "..");

/** One of them: its tests by path, or a command. */
export interface Stage {
  readonly name: string;
  /** What `bun test` is given; or another command whose exit code is one test. */
  readonly paths?: readonly string[];
  readonly command?: readonly string[];
  /** Files that run side by side, each in a process of its own. One unless said. */
  readonly workers?: number;
  readonly limitMs: number;
}

const MINUTE_MS = 60_000;
const bin = (name: string) => join(ROOT, "node_modules", ".bin", name);

/** All, in their order; a test file is in exactly one (`tidy.test.ts`). */
export const STAGES: readonly Stage[] = [
  { name: "types", command: [bin("tsc"), "--noEmit", "-p", "."], limitMs: MINUTE_MS },
  { name: "style", command: [bin("biome"), "check", "."], limitMs: MINUTE_MS },
  {
    name: "unit",
    paths: [
      "./engine/",
      "./jobs/",
      "./src/",
      "./bench/",
      "./feeds/",
      "./scripts/",
      "./test/tidy.test.ts",
      "./test/table.test.ts",
      "./test/support/",
      "./test/recording/",
      "./test/upgrade/",
    ],
    workers: 2,
    limitMs: 6 * MINUTE_MS,
  },
  { name: "sim", paths: ["./test/sim/"], limitMs: 4 * MINUTE_MS },
  { name: "power", paths: ["./test/power/"], limitMs: 3 * MINUTE_MS },
  { name: "mutants", paths: ["./test/mutants/"], limitMs: 6 * MINUTE_MS },
  { name: "int", paths: ["./test/int/"], workers: 2, limitMs: 14 * MINUTE_MS },
  { name: "crash", paths: ["./test/crash/"], workers: 2, limitMs: 5 * MINUTE_MS },
];
