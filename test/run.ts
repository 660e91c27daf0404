/**
 * `npm test`: every check of the project in one run, stage by stage with progress, and one closing
 * line. Exits non-zero when anything failed, a stage crashed, or a stage ran no test.
 *
 * Words after `--` choose stages by name or test files by path, e.g. `npm test -- unit sim` or
 * `npm test -- test/int/a2a.int.test.ts`.
 */
import { Glob } from "bun";
import { ROOT, STAGES, type Stage, stageOf, TEST_LIMIT_MS } from "./stages.ts";

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

/** The last `N pass`, `N fail` and `N skip` of a bun test run. */
function countOf(output: string, exitCode: number): Count {
  const last = (word: string) => {
    const found = [...output.matchAll(new RegExp(`^\\s*(\\d+) ${word}\\b`, "gm"))].at(-1);
    return Number(found?.[1] ?? 0);
  };
  const count = { passed: last("pass"), failed: last("fail"), skipped: last("skip") };
  // A crash, or a run without a test, must never look like success.
  if (exitCode !== 0 && count.failed === 0) count.failed = 1;
  if (exitCode === 0 && count.passed === 0) count.failed = 1;
  return count;
}

/** What is known of a stage that was killed at its limit: a test that hangs is in one of these. */
function hungIn({ name, paths = [], limitMs }: Stage, output: string): string {
  const heard = [...output.matchAll(/^(\S+\.test\.ts):$/gm)].map(([, file]) => file!);
  const all = paths.flatMap((path) => {
    if (path.endsWith(".test.ts")) return path.replace("./", "");
    return [...new Glob(`${path.replace("./", "")}**/*.test.ts`).scanSync(ROOT)];
  });
  const unheard = all.filter((file) => !heard.includes(file)).sort();
  return [
    `${name} was killed after ${limitMs / 1000} s.`,
    `heard of last: ${[...new Set(heard.slice(-10))].join(", ")}`,
    `not heard of: ${unheard.join(", ")}`,
  ].join("\n");
}

const FAILURE_LINES_MAX = 60;

/** Each failed test of a run with what was printed of it, for the end of a long log. */
function failuresIn(output: string): string[] {
  const failures: string[] = [];
  let lines: string[] = [];
  for (const line of output.split("\n")) {
    // The runner's own summary names the failed tests once more.
    if (/^\d+ tests failed:/.test(line)) break;
    lines.push(line);
    if (line.startsWith("(fail)")) failures.push(lines.slice(-FAILURE_LINES_MAX).join("\n"));
    if (/^(?:\((?:pass|fail|skip|todo)\)|\S+\.test\.ts:$)/.test(line)) lines = [];
  }
  return failures;
}

interface Result extends Count {
  readonly failures: readonly string[];
  /** What is known of a run that hung before any test failed; null for any other end. */
  readonly hung: string | null;
}

async function runStage(stage: Stage): Promise<Result> {
  const args = stage.command ?? [
    process.execPath,
    "test",
    `--timeout=${TEST_LIMIT_MS}`,
    ...(stage.workers ? [`--parallel=${stage.workers}`] : []),
    ...(stage.sharesModules ? ["--no-isolate"] : []),
    ...(stage.paths ?? []),
  ];
  const child = Bun.spawn([...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "production" },
    stdin: "ignore",
    stdout: "inherit",
    stderr: "pipe",
    timeout: stage.limitMs,
    killSignal: "SIGKILL",
  });
  let output = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stderr) {
    output += decoder.decode(chunk, { stream: true });
    process.stderr.write(chunk);
  }
  const exitCode = await child.exited;
  const isHung = child.signalCode === "SIGKILL" && !/^\(fail\)/m.test(output);
  const hung = isHung ? hungIn(stage, output) : null;
  const known = { failures: failuresIn(output), hung };
  if (!stage.command) return { ...countOf(output, exitCode), ...known };
  return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0, ...known };
}

/**
 * A run that hung is repeated once: a test that hangs does so again, and fails the stage, but the
 * runner, which shares its workers among hundreds of files, has stood still without one.
 */
async function runTwiceIfHung(stage: Stage): Promise<Result> {
  const first = await runStage(stage);
  if (first.hung === null) return first;
  console.error(`${first.hung}\nIt is run once more.`);
  return runStage(stage);
}

async function main(names: readonly string[]): Promise<number> {
  const files = names.filter((name) => name.endsWith(".test.ts"));
  const known = STAGES.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name) && !files.includes(name));
  if (unknown.length > 0) {
    console.error(`unknown stage ${unknown.join(", ")}; there are: ${known.join(", ")}`);
    return 2;
  }
  const chosen = STAGES.filter(({ name }) => names.length === 0 || names.includes(name));
  if (files.length > 0) chosen.push(stageOf(files));
  const total = { passed: 0, failed: 0 };
  const allFailures: string[] = [];
  for (const [i, stage] of chosen.entries()) {
    console.log(`\n[${i + 1}/${chosen.length}] ${stage.name}`);
    const startedMs = performance.now();
    const { passed, failed, skipped, failures } = await runTwiceIfHung(stage);
    allFailures.push(...failures);
    total.passed += passed;
    total.failed += failed;
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    const left = skipped > 0 ? `, ${skipped} skipped` : "";
    console.log(
      `[${i + 1}/${chosen.length}] ${stage.name}: ${passed} ok, ${failed} bad${left}, ${seconds} s`,
    );
  }
  if (allFailures.length > 0) console.log(`\nFailed:\n\n${allFailures.join("\n\n")}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}

process.exit(await main(process.argv.slice(2)));
