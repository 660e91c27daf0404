/**
 * Takeovers while clients send holds: the time until a hold is acknowledged again, and how many of
 * those acknowledged before are not in the journal afterwards.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OtherMachine } from "../test/crash/machines.ts";
import { until } from "../test/support/service.ts";
import type { Bench } from "./bench.ts";
import type { Fixture } from "./fixture.ts";
import { HoldStream, longestPauseMs } from "./hold-stream.ts";
import { type Installation, LOG_FILE } from "./installation.ts";
import type { Options } from "./options.ts";
import { countMissing, mustLead, type SharedStore, withOtherMachine } from "./scale-machines.ts";
import { onInterrupt } from "./teardown.ts";

/** Each needs a pair of servers of its own, which takes longer than the takeover. */
const DATABASE_DRILLS_MAX = 3;
/** Holds before a fault: the new leader has answered some, and connections are open. */
const WARM_MS = 1_000;
const AFTER_MS = 1_500;

type Fault = "kill" | "suspend" | "end";

/** A way to fail, and how it is shown. */
export interface DrillKind {
  /** As `--only` knows it. */
  readonly series: "takeover" | "database" | "handover";
  readonly stage: string;
  /** Of its line. */
  readonly name: string;
  /** What the leader suffers; null: the database's primary is killed and its standby promoted. */
  readonly fault: Fault | null;
  /** First estimate. */
  readonly stepSeconds: number;
}

export const DRILL_KINDS: readonly DrillKind[] = [
  {
    ...{ series: "takeover", stage: "scale, leader killed", stepSeconds: 7 },
    ...{ name: "the leader is killed", fault: "kill" },
  },
  {
    ...{ series: "takeover", stage: "scale, leader suspended", stepSeconds: 7 },
    ...{ name: "the leader is suspended", fault: "suspend" },
  },
  {
    ...{ series: "database", stage: "scale, primary killed", stepSeconds: 25 },
    ...{ name: "the primary is killed, its standby promoted", fault: null },
  },
  {
    ...{ series: "handover", stage: "scale, handover", stepSeconds: 5 },
    ...{ name: "the leader is asked to end", fault: "end" },
  },
];

/** How often a kind is repeated. */
export function drillsOf({ fault }: DrillKind, { drills }: Pick<Options, "drills">): number {
  return fault === null ? Math.min(drills, DATABASE_DRILLS_MAX) : drills;
}

/** What clients saw of one. */
export interface Drill {
  /** From the fault to the first acknowledgement of a hold that began after it. */
  readonly firstMs: number;
  /** The longest time without an acknowledgement. */
  readonly pauseMs: number;
  /** The longest that a hold took, which may have begun before the fault. */
  readonly waitMs: number;
  /** Acknowledged holds that are not in the journal. */
  readonly lost: number;
}

/** A machine that can lead. */
interface Machine {
  readonly dataDir: string;
  fail(fault: Fault): void;
  /** Lets what was stopped go on. */
  wake(): void;
  /** Resolves when it can lead again. */
  back(): Promise<void>;
}

/** The machine of the installation. Its supervisor is stopped while its engine shall stay away. */
function ownMachine({ dataDir, supervisorPid }: Installation): Machine {
  const logText = () => readFileSync(join(dataDir, LOG_FILE), "utf8");
  const enginePid = () => Number(readFileSync(join(dataDir, "pids", "engine"), "utf8"));
  let from = 0;
  let wake = () => {};
  return {
    dataDir,
    fail(fault) {
      from = logText().length;
      const pid = enginePid();
      wake = () => {
        if (fault === "suspend") process.kill(pid, "SIGCONT");
        process.kill(supervisorPid, "SIGCONT");
      };
      if (fault !== "end") process.kill(supervisorPid, "SIGSTOP");
      process.kill(pid, SIGNALS[fault]);
    },
    wake: () => wake(),
    async back() {
      const isReady = (line: string) =>
        line.includes('"msg":"ready"') && line.includes('"role":"engine"');
      await until("the engine is ready again", () => {
        return logText().slice(from).split("\n").some(isReady);
      });
    },
  };
}

const SIGNALS = { kill: "SIGKILL", suspend: "SIGSTOP", end: "SIGTERM" } as const;

/** The other machine has an engine alone, which nothing starts again. */
function otherMachine(other: OtherMachine): Machine {
  return {
    dataDir: other.dataDir,
    fail: (fault) => other.send(SIGNALS[fault]),
    wake: () => other.send("SIGCONT"),
    async back() {
      await other.ended();
      await other.start();
    },
  };
}

interface Drills {
  readonly fixture: Fixture;
  readonly store: SharedStore;
  readonly bench: Pick<Bench, "progress" | "drills">;
}

/** Repeats one kind. Throws when a hold is refused, or the wrong machine leads. */
export async function drilled(kind: DrillKind, drills: Drills): Promise<Drill[]> {
  const { fault } = kind;
  const count = drillsOf(kind, drills.bench);
  if (fault !== null) return leaderDrills({ ...kind, fault }, count, drills);
  const found: Drill[] = [];
  for (let n = 0; n < count; n += 1) {
    const work = () => databaseDrill(drills);
    found.push(await drills.bench.progress.step(kind.stage, `${n + 1} of ${count}`, work));
  }
  return found;
}

/** Both machines of one copy fail in turns. */
function leaderDrills(
  { fault, stage }: DrillKind & { readonly fault: Fault },
  count: number,
  { fixture, store, bench }: Drills,
): Promise<Drill[]> {
  return withMachines(fixture, store, async (stream, copy, other) => {
    const machines = [ownMachine(copy), otherMachine(other)] as const;
    const { primary } = store.parts;
    const found: Drill[] = [];
    for (let n = 0; n < count; n += 1) {
      const machine = machines[n % 2]!;
      const drill = async () => {
        await mustLead(primary, machine.dataDir);
        const seen = await whileAway(machine, () => observed(stream, () => machine.fail(fault)));
        await machine.back();
        return { ...seen, lost: await countLost(primary, fixture, stream) };
      };
      found.push(await bench.progress.step(stage, `${n + 1} of ${count}`, drill));
    }
    return found;
  });
}

/** Nothing may stay stopped: it would not see its supervisor end. */
async function whileAway<T>(machine: Machine, work: () => Promise<T>): Promise<T> {
  const isAwake = onInterrupt(() => machine.wake());
  try {
    return await work();
  } finally {
    machine.wake();
    isAwake();
  }
}

function databaseDrill({ fixture, store }: Drills): Promise<Drill> {
  return withMachines(fixture, store, async (stream) => {
    const { primary, standby } = store.parts;
    const seen = await observed(stream, async () => {
      await primary.kill();
      await standby.promote();
    });
    return { ...seen, lost: await countLost(standby, fixture, stream) };
  });
}

function withMachines<T>(
  fixture: Fixture,
  store: SharedStore,
  work: (stream: HoldStream, copy: Installation, other: OtherMachine) => Promise<T>,
): Promise<T> {
  return fixture.withCopy("spread", (copy) =>
    withOtherMachine(store.parts, copy, async (other) => {
      const quoteIds = fixture.quotes.spread.map(({ quote_id }) => quote_id);
      const { baseUrl, demo } = copy;
      const stream = new HoldStream({ baseUrl, secret: demo.agent.secret, quoteIds });
      try {
        const result = await work(stream, copy, other);
        await stream.stop();
        return result;
      } finally {
        stream.end();
      }
    }),
  );
}

async function observed(
  stream: HoldStream,
  fail: () => void | Promise<void>,
): Promise<Omit<Drill, "lost">> {
  await Bun.sleep(WARM_MS);
  await stream.firstAfter(performance.now());
  const fromMs = performance.now();
  await fail();
  const first = await stream.firstAfter(fromMs);
  await Bun.sleep(AFTER_MS);
  const toMs = performance.now();
  const within = stream.acknowledged.filter(({ endedMs }) => endedMs >= fromMs);
  return {
    firstMs: first.endedMs - fromMs,
    pauseMs: longestPauseMs(within, fromMs, toMs),
    waitMs: Math.max(...within.map(({ startedMs, endedMs }) => endedMs - startedMs)),
  };
}

function countLost(
  server: Parameters<typeof countMissing>[0],
  fixture: Fixture,
  { acknowledged }: HoldStream,
): Promise<number> {
  return countMissing(
    server,
    acknowledged.map(({ key }) => fixture.holdCommandId(key)),
  );
}
