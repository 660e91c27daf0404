/**
 * Goal: with Sentinel the loss of Redis' primary costs seconds and nothing that was acknowledged.
 * Method: a service over a primary, two replicas and three sentinels; under load the primary is
 * killed, and its successor suspended; then the clients' actions are compared with the books.
 */
import { afterEach, expect, test } from "bun:test";
import { PASSWORDS, SentinelRig } from "../support/sentinels.ts";
import { Service, until } from "../support/service.ts";
import { journalPathOf } from "./faults.ts";
import { Load } from "./load.ts";
import { seeds } from "./seeds.ts";
import { takeSnapshot, verdict } from "./verdict.ts";

/** An election that fails is repeated after twice the `failover-timeout`. */
const ELECTION_LIMIT_MS = 60_000;
/** Sentinels make no second failover within twice their `failover-timeout`. */
const FAILOVER_PAUSE_MS = 10_000;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

test.each(seeds())(
  "after the loss of Redis' primary work resumes on the next one and nothing is lost, seed %d",
  async (seed) => {
    const rig = await SentinelRig.start();
    ends.push(() => rig.stop());
    const settings = { LANES: "4", BASE_URL: "http://innkeep.example", HOLD_TTL_S: "15" };
    const service = await Service.start({ ...settings, API_PROCESSES: "2", REDIS_URL: rig.url });
    ends.push(() => service.stop());
    const load = await Load.start({ service, seed, fastClients: 5, slowClients: 0 });
    for (const signal of ["SIGKILL", "SIGSTOP"] as const) {
      await load.more(20);
      const lost = (await rig.primary())!;
      const lostMs = performance.now();
      lost.child.kill(signal);
      const isReplaced = async () => ![null, lost].includes(await rig.primary());
      await until("the sentinels name another primary", isReplaced, ELECTION_LIMIT_MS);
      const replacedMs = performance.now() - lostMs;
      const held = await load.firstAfter("hold", lostMs);
      const booked = await load.firstAfter("book", lostMs);
      const [holdMs, bookMs] = [held, booked].map((deed) => deed.endedMs - lostMs);
      const told = [replacedMs, holdMs!, bookMs!].map((ms) => `${Math.round(ms)} ms`);
      console.log(`${signal}: primary ${told[0]}, first hold ${told[1]}, booking ${told[2]}`);
      takeSnapshot(journalPathOf(service));
      if (signal === "SIGKILL") await Bun.sleep(FAILOVER_PAUSE_MS - (performance.now() - lostMs));
      // Awake again, it takes itself for the primary until the sentinels reach it.
      else lost.child.kill("SIGCONT");
    }
    await load.more(20);
    expect(await verdict(service, load)).toEqual([]);
    for (const password of Object.values(PASSWORDS)) {
      for (const text of [password, encodeURIComponent(password)]) {
        expect(service.log).not.toContain(text);
      }
    }
  },
  240_000,
);
