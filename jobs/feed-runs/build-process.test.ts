/**
 * Goal: a run learns how its build ended, and no process is left behind. Method: real processes of
 * small programs that end in every way; `test/int/feed-runs.int.test.ts` has a real build.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BuildEnd, runBuild } from "./build-process.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "build-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Ran {
  readonly end: BuildEnd;
  readonly told: readonly (readonly [string, number])[];
}

async function run(
  text: string,
  { limitMs = 20_000, stopAt = "", awaitedAt = "" } = {},
): Promise<Ran> {
  const directory = mkdtempSync(join(folder, "run-"));
  const program = join(directory, "main.ts");
  await Bun.write(program, `const order = JSON.parse(process.argv[2]);\n${text}`);
  const stopping = new AbortController();
  const told: [string, number][] = [];
  const end = await runBuild({
    order: {
      ...{ journal_path: "", tenant_id: "t", partner: "google", run_id: "run_1", directory },
      ...{ now_ms: 1, site_url: "", rest_ms: 100 },
    },
    ...{ limitMs, signal: stopping.signal, program },
    isAwaited: () => told.some(([phase]) => phase === awaitedAt),
    onProgress(phase, progress) {
      told.push([phase, progress]);
      if (phase === stopAt) stopping.abort();
    },
  });
  return { end, told };
}

const MANIFEST = `await Bun.write(order.directory + "/manifest.json", '{"seq":4}');`;

test("a successful build has a manifest and reports its progress", async () => {
  const { end, told } = await run(`
    console.log('{"phase":"list","progress":0.5}');
    console.log("a library says something, { or not");
    console.log("{ nor is this JSON");
    process.stdout.write('{"phase":"a');
    await Bun.sleep(20);
    process.stdout.write('ri","progress":1}\\n');
    ${MANIFEST}`);
  expect(end).toEqual({ kind: "built", manifest: { seq: 4 } } as unknown as BuildEnd);
  expect(told).toEqual([
    ["list", 0.5],
    ["ari", 1],
  ]);
});

test("a build that fails its own check is invalid and keeps its manifest", async () => {
  const { end } = await run(`${MANIFEST}
    console.log('{"failed":{"reason":"invalid","detail":"duplicate"}}');
    process.exit(1);`);
  expect(end).toMatchObject({ kind: "invalid", detail: "duplicate", manifest: { seq: 4 } });
});

test("a build that throws or leaves no manifest has crashed, and its last output is kept", async () => {
  const { end } = await run(`throw new Error("disk full " + "x".repeat(5_000))`);
  expect(end).toMatchObject({ kind: "crashed", manifest: null });
  expect((end as { detail: string }).detail.length).toBeLessThan(2_100);
  expect((await run("process.exit(0)")).end).toMatchObject({ detail: "exit code 0" });
  const killed = await run(`${MANIFEST} process.kill(process.pid, "SIGKILL")`);
  expect(killed.end).toMatchObject({ kind: "crashed", detail: "exit code 137" });
});

test("a build is killed when it takes too long or is cancelled", async () => {
  const slow = 'console.log(\'{"phase":"ari","progress":0}\'); setInterval(() => {}, 1_000);';
  expect((await run(slow, { limitMs: 1_500 })).end).toMatchObject({ kind: "timed_out" });
  expect((await run(slow, { limitMs: 60_000, stopAt: "ari" })).end).toEqual({ kind: "stopped" });
});

test("a build without waiting callers runs at the lowest priority", async () => {
  const { end } = await run(`
    import { getPriority } from "node:os";
    import { existsSync, readFileSync } from "node:fs";
    const path = "/proc/self/autogroup";
    const told = { priority: 0, session: "" };
    // Whoever has started us says so once we run.
    for (; told.priority === 0; await Bun.sleep(1)) told.priority = getPriority();
    const hasSessions = existsSync(path) && readFileSync(path, "utf8") !== "";
    while (hasSessions && !told.session.endsWith(" 15")) {
      told.session = readFileSync(path, "utf8").trim();
      await Bun.sleep(1);
    }
    await Bun.write(order.directory + "/manifest.json", JSON.stringify(told));`);
  // That it is, and not so before, is what the program has waited for.
  expect(end).toMatchObject({ kind: "built", manifest: { priority: 15 } });
});

test("a low-priority build is notified when a caller starts to wait for it", async () => {
  const { end, told } = await run(
    `console.log('{"phase":"list","progress":0}');
    process.stdin.on("end", () => process.exit(1)).once("data", async () => {
      ${MANIFEST}
      console.log('{"phase":"ari","progress":1}');
      process.exit(0);
    });`,
    { awaitedAt: "list" },
  );
  expect(end.kind).toBe("built");
  expect(told.map(([phase]) => phase)).toEqual(["list", "ari"]);
});

test("a build inherits no environment variables of the service", async () => {
  expect(process.env).toHaveProperty("PATH");
  const { end } = await run(
    'await Bun.write(order.directory + "/manifest.json", JSON.stringify(process.env));',
  );
  expect(end.kind).toBe("built");
  expect(JSON.stringify(end)).not.toContain("PATH");
});
