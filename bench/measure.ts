/** One measured run: the latencies of the clients, and its cost to the servers. */
import { availableParallelism } from "node:os";
import { cpuMicros, machineCpuMicros, processName, rssBytes } from "./cpu.ts";
import type { EngineCounts } from "./installation.ts";
import { assertAllGood, drive, type Figures, type LoadOptions, type LoadResult } from "./load.ts";

/** An installation, a peer, or the empty server. */
export interface Served {
  /** Every process at this moment. */
  readonly pids: readonly number[];
  /** Only an installation has an engine. */
  readonly counts?: () => Promise<EngineCounts>;
}

interface Cost {
  /** By role or program, microseconds. */
  readonly cpuMicros: Readonly<Record<string, number>>;
  /** Resident memory of all processes together. */
  readonly rssBytes: number;
  /** By everything on the machine, microseconds. */
  readonly machineMicros: number;
  readonly wallMicros: number;
}

/** A run as it is reported. */
export interface Run extends Figures {
  /** By role or program, microseconds per answered request. */
  readonly cpuMicrosPerRequest: Readonly<Record<string, number>>;
  readonly rssBytes: number;
  /** Commands in one transaction, on average; null without an engine or commands. */
  readonly groupSize: number | null;
  /**
   * Share of the machine's processors that went to neither the servers nor the generator, 0 to 1:
   * figures of runs that differ in it must not be compared.
   */
  readonly strangersShare: number;
}

/** Starts to count the cost of the processes; the function it returns reads it. */
function meter(served: Served): () => Cost {
  const before = new Map(served.pids.map((pid) => [pid, cpuMicros(pid)]));
  const machineBefore = machineCpuMicros();
  const startMs = performance.now();
  return () => {
    const spent: Record<string, number> = {};
    let rss = 0;
    for (const pid of served.pids) {
      const name = processName(pid);
      spent[name] = (spent[name] ?? 0) + cpuMicros(pid) - (before.get(pid) ?? 0);
      rss += rssBytes(pid);
    }
    const wallMicros = (performance.now() - startMs) * 1000;
    const machineMicros = machineCpuMicros() - machineBefore;
    return { cpuMicros: spent, rssBytes: rss, machineMicros, wallMicros };
  };
}

/**
 * Runs a generator and takes what its measured part cost. `generate` calls the function it is
 * given when its warm-up is over.
 */
export async function measure<F extends Figures>(
  served: Served,
  generate: (onMeasuring: () => void) => Promise<F>,
): Promise<F & Run> {
  const before = await served.counts?.();
  let read = meter(served);
  const figures = await generate(() => {
    read = meter(served);
  });
  const cost = read();
  const after = await served.counts?.();
  const answers = Math.max(1, figures.answers);
  const cpu = Object.entries(cost.cpuMicros).map(([name, micros]) => [name, micros / answers]);
  return {
    ...figures,
    cpuMicrosPerRequest: Object.fromEntries(cpu),
    rssBytes: cost.rssBytes,
    groupSize: before && after ? groupSizeOf(before, after) : null,
    strangersShare: strangersShareOf(cost, figures.generatorCpuMicros * answers),
  };
}

/** Drives a load against a server. Throws when an answer is not `status`, or not 2xx. */
export async function measureLoad(
  served: Served,
  load: LoadOptions,
  status = "2",
): Promise<LoadResult & Run> {
  const run = await measure(served, (onMeasuring) => drive(load, onMeasuring));
  assertAllGood(load.url, run, status);
  return run;
}

function strangersShareOf(cost: Cost, generatorMicros: number): number {
  const spent = Object.values(cost.cpuMicros).reduce((sum, micros) => sum + micros, 0);
  const strangers = cost.machineMicros - spent - generatorMicros;
  return Math.max(0, strangers) / (cost.wallMicros * availableParallelism());
}

function groupSizeOf(before: EngineCounts, after: EngineCounts): number | null {
  const groups = after.groups - before.groups;
  return groups > 0 ? (after.commands - before.commands) / groups : null;
}
