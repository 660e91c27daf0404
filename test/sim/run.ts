/** Runs seeds and says which one failed, at what, and how to see it again. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { World } from "./world.ts";

const SEEDS_PER_COLLECTION = 10;

export interface SimulationOptions {
  readonly firstSeed: number;
  readonly seeds: number;
  /** Commands that clients send in each run. */
  readonly commands: number;
}

/** A directory in memory where there is one: the runs test order and content, not the disk. */
export function scratchFolder(): string {
  return mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "innkeep-sim-"));
}

/**
 * Runs the seeds one after another and returns how often each thing happened.
 *
 * @throws Error (as a rejection) naming the first seed that failed, with the reason as its cause.
 */
export async function simulate(options: SimulationOptions): Promise<Map<string, number>> {
  const { firstSeed, seeds, commands } = options;
  const folder = scratchFolder();
  const counts = new Map<string, number>();
  try {
    for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
      const world = new World(seed, join(folder, String(seed)));
      try {
        world.run(commands);
      } catch (cause) {
        const again = `SIM_SEED=${seed} npm test -- test/sim/simulation.sim.test.ts`;
        throw new Error(`simulation: seed ${seed} failed (${again}): ${cause}`, { cause });
      } finally {
        world.close();
      }
      for (const [name, count] of world.counts) counts.set(name, (counts.get(name) ?? 0) + count);
      if (seed % SEEDS_PER_COLLECTION === 0) await letGo();
    }
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A closed database keeps its files open until its statements are collected, between turns. */
async function letGo(): Promise<void> {
  await nextTurn();
  Bun.gc(true);
  await nextTurn();
}
