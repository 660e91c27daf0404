/**
 * Goal: `npm run bench` measures the requested series and reports and stores the results for people
 * and programs. Method: the shortest series, by the real generator, into the test's own directory.
 */
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = join(import.meta.dir, "..", "..", "bench", "run.ts");

async function bench(args: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, PROGRAM, ...args], {
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { exitCode: await child.exited, stdout, stderr };
}

test("figures come as one document on stdout, progress on stderr, and both as pages that stay", async () => {
  const out = mkdtempSync(join(tmpdir(), "bench-out-"));
  try {
    const args = ["--only", "generator/32", "--runs", "2", "--out", out];
    const { exitCode, stdout, stderr } = await bench([...args, "--json"], { BENCH_SECONDS: "0.2" });
    expect(stderr).toMatch(/^generator: 32 connections, run 1 of 2: [\d,.]+\/s, p99 .* left\)$/m);
    expect(stderr).toMatch(/, run 2 of 2: [\d,]+\/s, p99 [\d.,]+ ms \(\d+ s\)$/m);
    expect(exitCode).toBe(0);
    const { sections } = JSON.parse(stdout);
    const [{ part, isWhole, groups, taken }] = sections;
    expect({ part, isWhole, sections: sections.length }).toEqual({
      ...{ part: "generator", isWhole: false, sections: 1 },
    });
    const { speed, p99Ms, cpuMicros } = groups[0].lines[0].figures;
    expect(speed.min).toBeGreaterThan(0);
    expect(speed.median).toBeGreaterThanOrEqual(speed.min);
    expect(p99Ms.median).toBeGreaterThan(0);
    expect(cpuMicros.median).toBeGreaterThan(0);
    const command = "BENCH_SECONDS=0.2 npm run bench -- --only generator/32 --runs 2";
    expect(taken.command).toBe(command);
    const page = readFileSync(join(out, "RESULTS.md"), "utf8");
    expect(page).toContain(`by \`${command}\``);
    expect(page).toContain("(notes/figures.md)");
    const figures = readFileSync(join(out, "notes", "figures.md"), "utf8");
    expect(figures).toContain("(../charts/generator-cpu.svg)");
    expect(existsSync(join(out, "charts", "generator-cpu.svg"))).toBe(true);
    const kept = JSON.parse(readFileSync(join(out, "results.json"), "utf8"));
    expect(kept.sections.map((section: { part: string }) => section.part)).toEqual(["generator"]);
  } finally {
    rmSync(out, { recursive: true });
  }
});

test("an unknown name is refused at once with the known names", async () => {
  const { exitCode, stdout, stderr } = await bench(["--only", "generator/33"]);
  expect(exitCode).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toStartWith('bench: --only does not know "generator/33"');
  expect(stderr).toContain("generator/32, generator/256");
});

test("an unwritable results file is reported before anything is measured", async () => {
  const { exitCode, stderr } = await bench(["--only", "core", "--out", "/dev/null/results"]);
  expect(exitCode).toBe(2);
  expect(stderr).toStartWith("bench: results cannot be written to /dev/null/results: ");
});
