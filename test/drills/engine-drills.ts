/** The engine that leads fails, or its line to the database does. */
import { longestPauseMs } from "../../bench/hold-stream.ts";
import { pidOf } from "../crash/faults.ts";
import { until } from "../support/service.ts";
import type { Direction, TcpProxy } from "../support/tcp-proxy.ts";
import { type Drill, mustHold, UNFELT_MS } from "./drill.ts";
import type { MachineName, Rig } from "./rig.ts";

const TAKEOVER_MS = 3_000;
const HANDOVER_MS = 1_000;

/** The leader fails with what would start it again; the other machine's engine leads. */
async function leaderFails(rig: Rig, fault: "kill" | "suspend"): Promise<number> {
  const leader = await rig.leader();
  const startedMs = performance.now();
  const bringBack = rig.failEngine(leader, fault);
  try {
    const ms = await rig.firstHoldMs(startedMs);
    mustHold((await rig.leader()) !== leader, "the same engine leads");
    return ms;
  } finally {
    await bringBack();
  }
}

/** The longest time without an acknowledgement: until it ends, the former leader answers. */
async function leaderHandsOver(rig: Rig): Promise<number> {
  const leader = await rig.leader();
  const startedMs = performance.now();
  await leadOn(rig, leader === "service" ? "other" : "service");
  const nowMs = performance.now();
  const toMs = nowMs + (await rig.firstHoldMs(nowMs));
  return longestPauseMs(rig.acknowledgedHolds, startedMs, toMs);
}

/** A leader without its supervisor's help is not replaced: it starts again and goes on. */
async function leaderRestarts(rig: Rig): Promise<number> {
  await leadOn(rig, "service");
  const startedMs = performance.now();
  process.kill(pidOf(rig.service, "engine"), "SIGKILL");
  return rig.firstHoldMs(startedMs);
}

/** Makes a machine's engine lead. */
export async function leadOn(rig: Rig, wanted: MachineName): Promise<void> {
  const leader = await rig.leader();
  if (leader === wanted) return;
  const bringBack = rig.failEngine(leader, "end");
  await until(`the engine of ${wanted} leads`, async () => {
    return (await rig.leader().catch(() => null)) === wanted;
  });
  await bringBack();
}

/**
 * The lines of the leader fail. It ends, because it cannot know what became of its appends; when
 * the lines are back, it or what its supervisor started stands by.
 */
async function leaderIsCutOff(
  rig: Rig,
  fail: (line: TcpProxy) => void | Promise<void>,
): Promise<number> {
  // The home would end its api too, for it does not know any more whether it still is the home.
  await leadOn(rig, "other");
  const lines = rig.linesOf("other");
  const from = rig.other.log.length;
  for (const line of lines) await fail(line);
  // Not before: a hold that began sooner may be answered by the former leader.
  const startedMs = performance.now();
  try {
    const ms = await rig.firstHoldMs(startedMs);
    mustHold((await rig.leader()) === "service", "the engine that was cut off leads");
    return ms;
  } finally {
    for (const line of lines) await line.heal();
    await rig.other.ready(from);
  }
}

const DIRECTIONS: readonly Direction[][] = [["to client"], ["to server"], []];
const DELAYS_MS = [1, 5, 20, 50];

/** No fault: the line is only long. */
async function leaderIsFar(rig: Rig, round: number): Promise<number> {
  const lines = rig.linesOf(await rig.leader());
  for (const line of lines) line.delayMs = DELAYS_MS[round % DELAYS_MS.length]! / 2;
  try {
    const startedMs = performance.now();
    await rig.load.more(50);
    return rig.firstHoldMs(startedMs);
  } finally {
    for (const line of lines) line.delayMs = 0;
  }
}

export const ENGINE_DRILLS: readonly Drill[] = [
  {
    name: "engine-killed",
    failure: "the leader's engine and supervisor are lost",
    holds: "another engine leads",
    targetMs: TAKEOVER_MS,
    run: (rig) => leaderFails(rig, "kill"),
  },
  {
    name: "engine-suspended",
    failure: "the leader sleeps, and wakes later",
    holds: "another engine leads; the former one is refused and ends",
    targetMs: TAKEOVER_MS,
    run: (rig) => leaderFails(rig, "suspend"),
  },
  {
    name: "engine-restarted",
    failure: "the leader's process alone is killed",
    holds: "its supervisor starts it again, and it goes on",
    targetMs: TAKEOVER_MS,
    run: leaderRestarts,
  },
  {
    name: "handover",
    failure: "the leader is stopped in order",
    holds: "it gives the lead up, and another engine takes it (longest pause)",
    targetMs: HANDOVER_MS,
    run: leaderHandsOver,
  },
  {
    name: "engine-cut",
    failure: "the leader's connections to PostgreSQL break off",
    holds: "it ends; another engine leads",
    targetMs: TAKEOVER_MS,
    run: (rig) => leaderIsCutOff(rig, (line) => line.cut()),
  },
  {
    name: "engine-silence",
    failure: "the leader's connections are silent: answers, requests, both in turns",
    holds: "it ends, at the latest after 3 s; another engine leads",
    targetMs: null,
    run: (rig, round) => {
      const directions = DIRECTIONS[round % DIRECTIONS.length]!;
      return leaderIsCutOff(rig, (line) => line.hold(...directions));
    },
  },
  {
    name: "engine-far",
    failure: "the leader's connections are 1, 5, 20, 50 ms long in turns",
    holds: "writes go on",
    targetMs: UNFELT_MS,
    run: leaderIsFar,
  },
];
