/** Nodes of PostgreSQL fail. Standbys are promoted at once: the time of the tool comes on top. */
import { until } from "../support/service.ts";
import { type Drill, mustHold, UNFELT_MS } from "./drill.ts";
import { leadOn } from "./engine-drills.ts";
import type { Rig } from "./rig.ts";

const DATABASE_MS = 5_000;
const DATABASE_AND_ENGINE_MS = 8_000;
/** Long enough for a wrong answer to come. */
const WATCH_MS = 2_000;

/** `lose` fails the primary; `after` runs before the lost node joins again. */
async function primaryFails(
  rig: Rig,
  lose: () => Promise<void>,
  after: () => Promise<unknown> = async () => {},
): Promise<number> {
  const lost = rig.cluster.primaryNode;
  const startedMs = performance.now();
  await lose();
  await rig.cluster.promote();
  const ms = await rig.firstHoldMs(startedMs);
  await after();
  await rig.rejoin(lost);
  return ms;
}

function primaryKilled(rig: Rig): Promise<number> {
  return primaryFails(rig, () => rig.cluster.primary.kill());
}

/** It holds its connections and answers nothing. */
function primarySilent(rig: Rig): Promise<number> {
  return primaryFails(rig, () => rig.cluster.primary.pause());
}

async function primaryAndEngineKilled(rig: Rig): Promise<number> {
  const leader = await rig.leader();
  let bringBack = async () => {};
  const lose = async () => {
    bringBack = rig.failEngine(leader, "kill");
    await rig.cluster.primary.kill();
  };
  return primaryFails(rig, lose, () => bringBack());
}

/** The lost primary is back with its data and takes writes, which no standby confirms. */
async function primaryReturns(rig: Rig): Promise<number> {
  const { cluster } = rig;
  const former = cluster.primary;
  const back = async () => {
    await former.restart();
    const before = await rowsIn(former);
    // Engines that look for a primary now meet it too, whatever their order.
    await leadOn(rig, (await rig.leader()) === "service" ? "other" : "service");
    await rig.load.more(20);
    mustHold((await rowsIn(former)) === before, "the former primary has new rows");
  };
  return primaryFails(rig, () => former.kill(), back);
}

async function rowsIn(server: Rig["cluster"]["primary"]): Promise<number> {
  const [shard] = await server.query("SELECT row::int8 AS row FROM shard");
  return Number(shard?.row);
}

/** With two standbys, one is enough. */
async function standbyLost(rig: Rig, round: number): Promise<number> {
  const lost = rig.cluster.standbys[round % 2]!;
  const startedMs = performance.now();
  await rig.cluster.node(lost).kill();
  const ms = await rig.firstHoldMs(startedMs);
  await rig.load.more(20);
  await rig.rejoin(lost);
  return ms;
}

/** Without any, nothing may be acknowledged; the time is that from their return. */
async function standbysLost(rig: Rig): Promise<number> {
  const { replication } = rig.cluster;
  replication.hold();
  const heldMs = performance.now();
  try {
    await Bun.sleep(WATCH_MS);
    const { deeds } = rig.load;
    const acknowledged = deeds.filter(({ startedMs, answer }) => {
      return startedMs > heldMs && answer.code === null;
    });
    mustHold(acknowledged.length === 0, `${acknowledged.length} writes without a standby`);
  } finally {
    await replication.heal();
  }
  const ms = await rig.firstHoldMs(performance.now());
  return ms;
}

/** A superuser cancels an append that waits: it may be lost, so it must not be acknowledged. */
async function appendCancelled(rig: Rig): Promise<number> {
  const { primary, replication } = rig.cluster;
  const epochBefore = await epochIn(primary);
  replication.hold();
  let startedMs = 0;
  await until("an append waits, and is cancelled", async () => {
    startedMs = performance.now();
    const cancelled = await primary.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'innkeep engine' AND wait_event = 'SyncRep'
          AND query LIKE '%INSERT INTO journal%'`,
    );
    return cancelled.length > 0;
  });
  await replication.heal();
  const ms = await rig.firstHoldMs(startedMs);
  mustHold((await epochIn(primary)) > epochBefore, "the engine went on after a cancelled wait");
  return ms;
}

async function epochIn(server: Rig["cluster"]["primary"]): Promise<number> {
  const [shard] = await server.query("SELECT epoch::int8 AS epoch FROM shard");
  return Number(shard?.epoch);
}

/** Commits wait for no standby, and none has the last rows when the primary is killed. */
async function primaryKilledAsynchronous(rig: Rig): Promise<number> {
  const { cluster } = rig;
  await cluster.setSynchronous(false);
  cluster.replication.hold();
  await rig.load.more(20);
  const startedMs = performance.now();
  await cluster.primary.kill();
  await cluster.replication.cut();
  await cluster.promote();
  await until("the loss is seen", async () => (await rig.lost()).length > 0);
  return performance.now() - startedMs;
}

export const DATABASE_DRILLS: readonly Drill[] = [
  {
    name: "primary-killed",
    failure: "PostgreSQL's primary is killed, a standby is promoted",
    holds: "a new epoch on the new primary",
    targetMs: DATABASE_MS,
    run: primaryKilled,
  },
  {
    name: "primary-silent",
    failure: "the primary answers nothing, a standby is promoted",
    holds: "the same",
    targetMs: DATABASE_MS,
    run: primarySilent,
  },
  {
    name: "primary-and-engine",
    failure: "the primary and the leader are killed together",
    holds: "the same, by another engine",
    targetMs: DATABASE_AND_ENGINE_MS,
    run: primaryAndEngineKilled,
  },
  {
    name: "primary-returns",
    failure: "a lost primary returns with its data",
    holds: "it acknowledges nothing, and its rows are folded nowhere",
    targetMs: DATABASE_MS,
    run: primaryReturns,
  },
  {
    name: "standby-lost",
    failure: "one standby of two is lost",
    holds: "writes go on",
    targetMs: UNFELT_MS,
    run: standbyLost,
  },
  {
    name: "standbys-lost",
    failure: "no standby is reached for 2 s",
    holds: "nothing is acknowledged until one is there",
    targetMs: null,
    run: standbysLost,
  },
  {
    name: "append-cancelled",
    failure: "a superuser cancels an append that waits for its standby",
    holds: "no answer, and a new epoch",
    targetMs: null,
    run: appendCancelled,
  },
  {
    name: "control-asynchronous",
    failure: "control: the primary is killed, and commits did not wait",
    holds: "the loss is seen",
    targetMs: null,
    isControl: true,
    run: primaryKilledAsynchronous,
  },
];
