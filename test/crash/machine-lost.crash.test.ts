/**
 * Goal: a machine that is lost with all that runs on it costs seconds: another one becomes the home
 * of api and worker and has every client, session and booking that was acknowledged. Method: two
 * whole services over PostgreSQL with a standby; while an operator makes agents and bookings, all
 * processes of the home are killed; then the other way round.
 */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { type DemoFile, readDemoFile } from "../../src/ops/demo/demo-file.ts";
import { mintDelegation } from "../../src/ops/demo/mint-delegation.ts";
import { createHotel, newBooking, stayRequest } from "../support/client.ts";
import { POSTGRES_MISSING, PostgresServer } from "../support/postgres.ts";
import { type Front, send } from "../support/service.ts";
import { SharedRedis } from "../support/shared-redis.ts";
import { SupervisedMachine } from "./machines.ts";

const AGENTS_BEFORE = 15;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A machine as clients see it. */
function frontOf(machine: SupervisedMachine, demo: DemoFile): Front {
  return {
    demo,
    api: (method, path, options = {}) => {
      return send(machine.baseUrl, method, path, { agent: demo.agent, ...options });
    },
    mintDelegation: (options = {}) => {
      return mintDelegation(demo.delegation, { sub: "traveler-1", ttlS: 300, ...options });
    },
  };
}

/** Makes agents until the machine answers no more; those that were acknowledged. */
async function agentsUntilLost(front: Front, isEnough: (count: number) => void): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let i = 0; ; i += 1) {
    const body = { name: `Agent ${i}`, kind: "agent", limits: {} };
    const asked = front.api("POST", "/v1/admin/agents", { agent: front.demo.admin, body });
    const answer = await asked.catch(() => null);
    if (answer === null) return acknowledged;
    acknowledged.push(answer.ok<{ agent_id: string }>(201).data.agent_id);
    isEnough(acknowledged.length);
  }
}

test.skipIf(POSTGRES_MISSING !== null)(
  "the other machine has all that was acknowledged, and so has the first one again",
  async () => {
    const primary = await PostgresServer.start();
    ends.push(() => primary.stop());
    const standby = await primary.startStandby();
    ends.push(() => standby.stop());
    await primary.setSyncStandbys("ANY 1 (b)");
    const redis = await SharedRedis.start();
    ends.push(() => redis.stop());
    const env = { DATABASE_URL: primary.url, REDIS_URL: redis.url };
    const first = new SupervisedMachine({ ...env, DEMO: "1", DEMO_HOTELS: "1" });
    ends.push(() => first.remove());
    await first.start("Innkeep is ready");
    const other = new SupervisedMachine(env);
    ends.push(() => other.remove());
    other.join(first);
    await other.start("Innkeep stands by");
    const demo = await readDemoFile(join(first.dataDir, "demo.json"));

    let [home, next] = [first, other];
    for (const round of [1, 2]) {
      const front = frontOf(home, demo);
      const hotel = await createHotel(front);
      const { booking_id } = await newBooking(front, stayRequest(hotel));
      const enough = Promise.withResolvers<void>();
      const making = agentsUntilLost(front, (count) => {
        if (count >= AGENTS_BEFORE) enough.resolve();
      });
      await enough.promise;
      const from = next.log.length;
      const lostMs = performance.now();
      await home.lose();
      const agents = await making;
      await next.said("Innkeep is ready", from);
      console.log(`${round}: ready after ${Math.round(performance.now() - lostMs)} ms`);

      const there = frontOf(next, demo);
      for (const id of agents) {
        const found = await there.api("GET", `/v1/admin/agents/${id}`, { agent: demo.admin });
        expect(found.status).toBe(200);
      }
      const booking = await there.api("GET", `/v1/bookings/${booking_id}`);
      expect(booking.ok<{ state: string }>().data.state).toBe("confirmed");
      await newBooking(there, stayRequest(hotel, { inDays: 40 }));
      const fromHere = home.log.length;
      await home.start("Innkeep stands by");
      await home.said("Innkeep stands by", fromHere);
      [home, next] = [next, home];
    }
  },
);
