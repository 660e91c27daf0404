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
  /**
   * Files that run side by side, each in a process of its own. More than cores: they wait for
   * timers and for each other's processes half of the time. One unless given.
   */
  readonly workers?: number;
  /**
   * The files of a worker share their modules, which are then loaded once and not for each file:
   * half of the time of many short ones. They may leave nothing behind.
   */
  readonly sharesModules?: true;
  /** Until a stage that hangs is killed; several times what it takes on a quiet machine. */
  readonly limitMs: number;
}

const MINUTE_MS = 60_000;

/** Time limit of a test or hook that hangs; wide, because other work may keep the cores busy. */
export const TEST_LIMIT_MS = Number(process.env.TEST_LIMIT_MS ?? 4 * MINUTE_MS);

const bin = (name: string) => join(ROOT, "node_modules", ".bin", name);

/**
 * The compiler of this tree, in a fifth of the time of 5.9, which `openapi-typescript` needs and
 * which compiles what we publish.
 */
export const TSC = join("node_modules", "typescript-native", "bin", "tsc");

/** All, in their order; a test file is in exactly one (`tidy.test.ts`). */
export const STAGES: readonly Stage[] = [
  { name: "types", command: [TSC, "--noEmit", "-p", "."], limitMs: 5 * MINUTE_MS },
  { name: "style", command: [bin("biome"), "check", "."], limitMs: 5 * MINUTE_MS },
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
      "./test/upgrade/",
    ],
    workers: 2,
    sharesModules: true,
    limitMs: 8 * MINUTE_MS,
  },
  { name: "sim", paths: ["./test/sim/"], workers: 2, limitMs: 15 * MINUTE_MS },
  { name: "power", paths: ["./test/power/"], limitMs: 10 * MINUTE_MS },
  { name: "mutants", paths: ["./test/mutants/"], limitMs: 20 * MINUTE_MS },
  {
    name: "int",
    paths: ["./test/int/"],
    workers: 3,
    sharesModules: true,
    limitMs: 45 * MINUTE_MS,
  },
  { name: "crash", paths: ["./test/crash/"], workers: 2, limitMs: 15 * MINUTE_MS },
];

/** A stage of chosen test files. */
export function stageOf(files: readonly string[]): Stage {
  const paths = files.map((file) => (file.startsWith(".") ? file : `./${file}`));
  return { name: "files", paths, workers: 1, limitMs: 45 * MINUTE_MS };
}
