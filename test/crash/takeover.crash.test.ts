/**
 * Goal: an engine or a database that fails costs seconds and nothing acknowledged. Method: two
 * machines over PostgreSQL with a standby; under load the leader is suspended, killed, ended, and
 * the database's primary is killed and its standby promoted. The clients' answers are compared with
 * the journal as after any crash, and both copies with PostgreSQL, byte for byte.
 */
import { afterEach, expect, test } from "bun:test";
import { POSTGRES_MISSING } from "../support/postgres.ts";
import { until } from "../support/service.ts";
import { journalPathOf, logged, pidOf } from "./faults.ts";
import { Load } from "./load.ts";
import { auditCopies, type Machines, startMachines } from "./machines.ts";
import { seeds } from "./seeds.ts";
import { takeSnapshot, verdict } from "./verdict.ts";

let machines: Machines;
afterEach(() => machines.stop());

test.skipIf(POSTGRES_MISSING !== null).each(seeds())(
  "leaders and databases that fail lose nothing acknowledged, seed %d",
  async (seed) => {
    machines = await startMachines();
    const { service } = machines;
    const load = await Load.start({ service, seed, fastClients: 5, slowClients: 1 });
    const faults = { suspended, killed, ended, "database lost": databaseLost };
    for (const [name, fault] of Object.entries(faults)) {
      await load.more(10);
      const startedMs = performance.now();
      await fault(load);
      const { endedMs } = await load.firstAfter("hold", startedMs);
      console.log(`${name}: first hold after ${Math.round(endedMs - startedMs)} ms`);
      await load.more(10);
    }
    takeSnapshot(journalPathOf(service));
    // First: it would lead as soon as the service ends, whose copy would lack what it then writes.
    await machines.other.end("SIGTERM");
    expect(await verdict(service, load, { lag: true })).toEqual([]);
    expect(await auditCopies(machines.standby, machines)).toEqual([]);
  },
);

/** The leader of this machine sleeps past its successor's start, and is refused when it wakes. */
async function suspended(load: Load): Promise<void> {
  const { service, other } = machines;
  const [engine, supervisor] = [pidOf(service, "engine"), pidOf(service, "supervisor")];
  const from = other.log.length;
  let logFrom = 0;
  try {
    process.kill(supervisor, "SIGSTOP");
    process.kill(engine, "SIGSTOP");
    await other.leads(from);
    await load.more(5);
  } finally {
    // Also after a failure: nothing else would end what is stopped.
    logFrom = service.log.length;
    process.kill(engine, "SIGCONT");
    process.kill(supervisor, "SIGCONT");
  }
  const end = await logged(
    service,
    ({ pid, msg }) => pid === engine && msg === "the engine stops",
    logFrom,
  );
  expect(String(end.error)).toContain("Fenced: ");
  await logged(service, ({ msg, role }) => role === "engine" && msg === "ready", logFrom);
}

/** The other machine's leader dies; this one leads. */
async function killed(): Promise<void> {
  const { service, other } = machines;
  const from = service.log.length;
  await other.end("SIGKILL");
  await logged(service, ({ msg }) => msg === "leads", from);
  await other.start();
}

/** This machine's leader ends in good order; the other one leads at once. */
async function ended(): Promise<void> {
  const { service, other } = machines;
  const from = other.log.length;
  process.kill(pidOf(service, "engine"), "SIGTERM");
  await other.leads(from);
  await until("this engine runs again", () => service.pids.engine !== undefined);
}

/** The primary dies, and its standby has all that was acknowledged. */
async function databaseLost(): Promise<void> {
  const { primary, standby, other } = machines;
  await primary.kill();
  await standby.promote();
  // No supervisor starts it again.
  await other.end("SIGKILL");
  await other.start();
}
