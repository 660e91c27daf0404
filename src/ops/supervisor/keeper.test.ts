import { expect, test } from "bun:test";
import { EXIT_CONFIG, EXIT_FENCED, StartRefused } from "../../lib/lifecycle.ts";
import { logger } from "../../lib/log.ts";
import { commandLine, type Process } from "../../lib/process.ts";
import { EarlyExit, GaveUp, Keeper, type KeeperOptions } from "./keeper.ts";
import { SilenceWatch } from "./silence-watch.ts";

const log = logger("test", { logLevel: "error" }, () => {});

/** One watch for all, whose time the test moves. */
let nowMs = 0;
const watch = new SilenceWatch(() => nowMs);

/** Half seconds pass, the watch looking after each. */
function pass(ms: number): void {
  for (const endMs = nowMs + ms; nowMs < endMs; watch.look()) nowMs += 500;
}

function keeper(start: KeeperOptions["start"], stopBudgetMs = 2_000, over = {}): Keeper {
  return new Keeper({ id: "child", start, stopBudgetMs, watch, log, ...over });
}

/** A shell that is ready once it has said so; it must be ready before it can be told to stop. */
async function shell(script: string): Promise<Process> {
  const child = Bun.spawn(["sh", "-c", `${script}\necho ready; while :; do sleep 0.01; done`]);
  const { done } = await child.stdout.getReader().read();
  if (done) throw new EarlyExit(await child.exited);
  return child;
}

test("a killed process is restarted, and a stop ends it for good", async () => {
  const started: Process[] = [];
  const second = Promise.withResolvers<void>();
  const kept = keeper(async () => {
    const child = await shell("");
    started.push(child);
    if (started.length === 2) second.resolve();
    return child;
  });
  const running = kept.run();
  await kept.ready;
  started[0]?.kill("SIGKILL");
  await second.promise;
  await kept.stop();
  await running;
  expect(started).toHaveLength(2);
  for (const { pid } of started) expect(commandLine(pid)).toBeNull();
});

test("a process that ignores the stop request is killed after its budget", async () => {
  let child: Process | undefined;
  const kept = keeper(async () => {
    child = await shell("trap '' TERM");
    return child;
  }, 50);
  const running = kept.run();
  await kept.ready;
  await kept.stop();
  await running;
  expect(await child?.exited).toBe(128 + 9);
});

test("kill does not wait for the budget of a running stop", async () => {
  const kept = keeper(() => shell("trap '' TERM"), 60_000);
  const running = kept.run();
  await kept.ready;
  const stopping = kept.stop();
  kept.kill();
  await stopping;
  await running;
});

test("a fenced process is not started again", async () => {
  let starts = 0;
  const kept = keeper(() => {
    starts++;
    return shell(`(sleep 0.02; kill -USR1 $$) & trap 'exit ${EXIT_FENCED}' USR1`);
  });
  const error = await kept.run().catch((thrown) => thrown);
  expect(error).toBeInstanceOf(GaveUp);
  expect(error).toMatchObject({ exitCode: EXIT_FENCED });
  expect(starts).toBe(1);
});

test("a refused start is not retried, whether the process or its starter refuses", async () => {
  const refusals: KeeperOptions["start"][] = [
    () => shell(`exit ${EXIT_CONFIG}`),
    () => Promise.reject(new StartRefused("the socket is in use")),
  ];
  for (const start of refusals) {
    const error = await keeper(start)
      .run()
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(GaveUp);
    expect(error).toMatchObject({ exitCode: EXIT_CONFIG });
  }
});

test("a process that is never ready is given up after five starts, with growing pauses", async () => {
  const startedAtMs: number[] = [];
  const kept = keeper(() => {
    startedAtMs.push(performance.now());
    return shell("exit 3");
  });
  const error = await kept.run().catch((thrown) => thrown);
  expect(error).toMatchObject({ exitCode: 1, message: expect.stringContaining("code 3") });
  expect(startedAtMs).toHaveLength(5);
  const pausesMs = startedAtMs.slice(1).map((atMs, i) => atMs - startedAtMs[i]!);
  for (const [i, pauseMs] of pausesMs.entries()) {
    expect(pauseMs).toBeGreaterThanOrEqual(100 * 2 ** i - 1);
  }
});

test("a stop during the start aborts it", async () => {
  const begun = Promise.withResolvers<void>();
  const kept = keeper((signal) => {
    begun.resolve();
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  });
  const running = kept.run();
  await begun.promise;
  await kept.stop();
  await running;
});

test("a hanging process is killed, gone and restarted, with the reason logged", async () => {
  const told: unknown[] = [];
  const logged: string[] = [];
  const started: { child: Process; heard: () => void }[] = [];
  const second = Promise.withResolvers<void>();
  const start: KeeperOptions["start"] = async (_signal, heard) => {
    // Whoever starts anew must never meet its predecessor.
    for (const { child } of started) expect(commandLine(child.pid)).toBeNull();
    const child = await shell("");
    started.push({ child, heard });
    if (started.length === 2) second.resolve();
    return child;
  };
  const kept = keeper(start, 2_000, {
    onReplaced: (reason: string) => told.push(reason),
    log: logger("test", { logLevel: "warn" }, (line) => void logged.push(line)),
  });
  const running = kept.run();
  await kept.ready;
  const [first] = started;
  first!.child.kill("SIGSTOP");
  pass(4_000);
  first!.heard();
  pass(5_000);
  expect(kept.current).toBe(first!.child);
  pass(500);
  await second.promise;
  expect(told).toEqual(["silent"]);
  const fields = { id: "child", silent_pid: first!.child.pid, silent_ms: 5_500 };
  expect(logged.map((line) => JSON.parse(line))).toEqual([expect.objectContaining(fields)]);
  await kept.stop();
  await running;
});

test("a long start does not count as silence, and a stop has its own budget", async () => {
  const release = Promise.withResolvers<void>();
  const kept = keeper(async () => {
    await release.promise;
    return shell("trap 'sleep 0.3; exit 0' TERM");
  });
  const running = kept.run();
  pass(60_000);
  release.resolve();
  await kept.ready;
  const { current } = kept;
  const stopping = kept.stop();
  pass(60_000);
  expect(await current!.exited).toBe(0);
  await stopping;
  await running;
});
