/**
 * Goal: a run ends once, by the results of its builds alone. Method: real rows and real processes
 * of a program whose nth attempt does what the test scripts.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TENANT } from "../../test/support/builders.ts";
import { FeedDesk, manifestAt } from "../../test/support/feed-desk.ts";
import type { FeedRun, FeedTrigger } from "./run.ts";
import type { FeedRunner } from "./runner.ts";
import { runDirectory } from "./store.ts";

let desk: FeedDesk;
let runner: FeedRunner;

beforeEach(() => {
  desk = new FeedDesk();
});

afterEach(async () => {
  await runner?.stop();
  expect(desk.errors).toEqual([]);
  desk.close();
});

const MANIFEST = JSON.stringify(
  manifestAt(
    { tenant_id: TENANT, run_id: "run_1" },
    { journal_id: "j", row: 3, seq: 2, at: "2026-03-01T02:15:00Z" },
  ),
);
const GOOD = `await Bun.write(order.directory + "/manifest.json", ${JSON.stringify(MANIFEST)});`;
const CRASH = 'throw new Error("out of memory");';
const INVALID = `${GOOD} console.log('{"failed":{"reason":"invalid","detail":"not well-formed"}}');`;
const SLOW = 'console.log(\'{"phase":"ari","progress":0.25}\'); setInterval(() => {}, 1_000);';

/** Starts a runner whose builds do one thing after the other; the last one for ever. */
async function start(...deeds: readonly string[]): Promise<void> {
  const program = join(desk.lone.dataDir, `program-${deeds.length}.ts`);
  const cases = deeds.map((deed, nth) => `if (attempt === ${nth + 1}) { ${deed} }`);
  const text = `const order = JSON.parse(process.argv[2]);
    const attempt = Math.min(${deeds.length}, Number(order.directory.split("-").at(-1)));
    ${cases.join("\n")}`;
  await Bun.write(program, text);
  runner = desk.runner(program);
  runner.start();
}

function ask(trigger: FeedTrigger = "operator", partner = "google"): FeedRun {
  const nowMs = Math.floor(desk.lone.now());
  return desk.store.request(TENANT, partner, trigger, { nowMs });
}

/** Resolves when the run is so. */
async function when(run: FeedRun, isSo: (run: FeedRun) => boolean): Promise<FeedRun> {
  const deadlineMs = performance.now() + 30_000;
  for (;;) {
    const found = desk.store.run(run.run_id)!;
    if (isSo(found)) return found;
    if (performance.now() > deadlineMs) throw new Error(`in vain: ${JSON.stringify(found)}`);
    await Bun.sleep(10);
  }
}

const hasEnded = ({ ended_at }: FeedRun) => ended_at !== null;

test("a crashed build is retried", async () => {
  await start(CRASH, CRASH, GOOD);
  const run = ask();
  expect(await when(run, hasEnded)).toMatchObject({
    state: "published",
    attempts: 3,
    listings: 12,
  });
  const { directory } = desk.store.current(TENANT, "google")!;
  expect(directory).toEndWith(`${run.run_id}-3`);
});

test("a third crash fails the run with its last output, and the served feed stays", async () => {
  await start(GOOD);
  const { run_id } = await when(ask(), hasEnded);
  await runner.stop();
  await start(CRASH);
  const failed = await when(ask(), hasEnded);
  expect(failed).toMatchObject({ state: "failed", attempts: 3, reason: "crashed" });
  expect(failed.detail).toContain("out of memory");
  expect(desk.store.current(TENANT, "google")?.run_id).toBe(run_id);
  expect(desk.lone.logged.join()).toContain("a feed was not published");
});

test("a build that cannot write fails with that reason, not as a lost worker", async () => {
  await start(GOOD);
  rmSync(desk.directory, { recursive: true, force: true });
  writeFileSync(desk.directory, "");
  const failed = await when(ask(), hasEnded);
  expect(failed).toMatchObject({ state: "failed", attempts: 3, reason: "crashed" });
  expect(failed.detail).toMatch(/ENOTDIR|EEXIST/);
  expect(desk.lone.logged.join()).toContain("a feed build is retried");
});

test("a build that fails its own check is not retried, and its copy is kept", async () => {
  await start(INVALID);
  const failed = await when(ask(), hasEnded);
  expect(failed).toMatchObject({ attempts: 1, reason: "invalid", detail: "not well-formed" });
  expect(existsSync(join(runDirectory(desk.directory, failed), "manifest.json"))).toBeTrue();
});

test("the row of a run shows the progress of its build", async () => {
  await start(SLOW);
  const run = ask();
  const running = await when(run, ({ phase }) => phase === "ari");
  expect(running).toMatchObject({ state: "running", progress: 0.25 });
});

test("a stop kills the build without counting the attempt; the next start builds again", async () => {
  await start(SLOW);
  const run = ask();
  await when(run, ({ phase }) => phase === "ari");
  await runner.stop();
  expect(desk.store.run(run.run_id)).toMatchObject({ state: "running", attempts: 0 });
  await start(GOOD);
  expect(await when(run, hasEnded)).toMatchObject({ state: "published", attempts: 1 });
});

test("a run interrupted by a killed worker is built again, and the attempt counts", async () => {
  const run = desk.book.begin(ask().run_id, Math.floor(desk.lone.now()))!;
  expect(run).toMatchObject({ state: "running", attempts: 1 });
  await start(SLOW, GOOD);
  expect(await when(run, hasEnded)).toMatchObject({ state: "published", attempts: 2 });
});

test("a run fails when every attempt ended with a killed worker", async () => {
  const { run_id } = ask();
  let run: FeedRun | null = null;
  for (let attempt = 1; attempt <= 3; attempt += 1) run = desk.book.begin(run_id, attempt);
  await start(GOOD);
  const failed = await when(run!, hasEnded);
  expect(failed).toMatchObject({ state: "failed", reason: "crashed" });
  expect(failed.detail).toBe("the worker ended during each of 3 attempts");
});

test("an ended run is not built again", async () => {
  await start(GOOD);
  const run = await when(ask(), hasEnded);
  expect(await when(ask(), hasEnded)).toMatchObject({ state: "published", attempts: 1 });
  expect(desk.store.run(run.run_id)).toEqual(run);
});

test("a run with a waiting caller is built before runs without one", async () => {
  const [age, nightly, first, operator] = (["age", "nightly", "first", "operator"] as const).map(
    (trigger, nth) => {
      desk.lone.advance(1);
      return ask(trigger, `partner-${nth}`);
    },
  );
  await start(GOOD);
  const runs = [first!, operator!, age!, nightly!];
  const ended: string[] = [];
  while (ended.length < runs.length) {
    for (const { run_id } of runs) {
      if (hasEnded(desk.store.run(run_id)!) && !ended.includes(run_id)) ended.push(run_id);
    }
    await Bun.sleep(1);
  }
  expect(ended).toEqual(runs.map(({ run_id }) => run_id));
});

test("a build pauses between pieces unless a caller waits for the feed or requests one", async () => {
  await start(
    'console.log(JSON.stringify({ failed: { reason: "invalid", detail: String(order.rest_ms) } }));',
  );
  const paced: (string | null)[] = [];
  for (const trigger of ["first", "operator", "change"] as const) {
    paced.push((await when(ask(trigger), hasEnded)).detail);
  }
  expect(paced).toEqual(["0", "0", "100"]);
});

test("a build stops pausing when an operator requests the run after it", async () => {
  await start(`setInterval(() => console.log('{"phase":"ari","progress":0.5}'), 20);
    process.stdin.once("data", async () => { ${GOOD} process.exit(0); });`);
  const scheduled = ask("change");
  await when(scheduled, ({ phase }) => phase === "ari");
  const asked = ask("operator");
  expect(asked.run_id).not.toBe(scheduled.run_id);
  expect((await when(scheduled, hasEnded)).state).toBe("published");
});
