/**
 * Goal: a process that dies at any moment loses nothing that was acknowledged and does nothing
 * twice. Method: SIGKILL one process after the other under load, while every client repeats what
 * got no definitive answer with the same key; then compare what the clients were told with the
 * journal, the projections and the provider's books.
 */
import { afterEach, expect, test } from "bun:test";
import { Random } from "../sim/random.ts";
import { Installation, type Victim } from "./installation.ts";
import { Load } from "./load.ts";
import { takeSnapshot, verdict } from "./verdict.ts";

const TEST_LIMIT_MS = 150_000;
const STOP_LIMIT_MS = 30_000;
/** From the engine's SIGKILL to the first 201 of a hold that began after it. */
const RESTART_LIMIT_MS = 10_000;

const KILLS: readonly Victim[] = [
  ...Array<Victim>(5).fill("engine"),
  ...Array<Victim>(4).fill("worker"),
  ...Array<Victim>(4).fill("redis"),
  ...Array<Victim>(3).fill("api-1"),
  ...Array<Victim>(2).fill("api-2"),
  ...Array<Victim>(2).fill("supervisor"),
];

let installation: Installation;
afterEach(() => installation.close(), STOP_LIMIT_MS);

test(
  "20 SIGKILLs lose nothing acknowledged and do nothing twice",
  async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
    console.log(`seed ${seed}`);
    const random = new Random(seed);
    installation = new Installation();
    await installation.start();
    const { url } = installation;
    const demo = await installation.demo();
    const load = await Load.start({ url, demo, seed, fastClients: 5, slowClients: 2 });
    const restartsMs: number[] = [];
    for (const [i, victim] of shuffled(KILLS, random).entries()) {
      await load.more(random.between(3, 15));
      const killedMs = performance.now();
      const newHold = load.next((deed) => {
        return deed.kind === "hold" && deed.answer.status === 201 && deed.startedMs > killedMs;
      });
      await installation.kill(victim);
      const backMs = Math.round(performance.now() - killedMs);
      console.log(`${i + 1}: ${victim} is back after ${backMs} ms, ${load.deeds.length} deeds`);
      if (victim === "engine") restartsMs.push((await newHold).endedMs - killedMs);
      if (i === KILLS.length / 2) takeSnapshot(installation.journalPath);
    }
    const problems = await verdict(installation, load);
    console.log(`engine SIGKILL to the first new 201: ${restartsMs.map(Math.round)} ms`);
    expect(problems).toEqual([]);
    expect(load.deeds.some((deed) => deed.answer.sends > 1)).toBeTrue();
    expect(Math.max(...restartsMs)).toBeLessThan(RESTART_LIMIT_MS);
  },
  TEST_LIMIT_MS,
);

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, at: random.word() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
