/** One measured run: what clients saw, and what the servers spent on it. */
import { cpuMicros, processName, rssBytes } from "./cpu.ts";
import { drive, type LoadOptions, type LoadResult } from "./load.ts";

/** Whoever answers: an installation or a peer. */
export interface Served {
  /** Every process at this moment. */
  readonly pids: readonly number[];
}

/** CPU and memory of all processes of a side over the measured part. */
export interface Cost {
  /** By role or program, microseconds. */
  readonly cpuMicros: Readonly<Record<string, number>>;
  readonly rssBytes: number;
}

export interface Measurement extends LoadResult {
  /** By role or program, microseconds per answered request. */
  readonly cpuMicrosPerRequest: Readonly<Record<string, number>>;
  readonly rssBytes: number;
}

/** Starts to count what the processes spend; the function it returns tells what they spent. */
export function meter(served: Served): () => Cost {
  const before = new Map(served.pids.map((pid) => [pid, cpuMicros(pid)]));
  return () => {
    const spent: Record<string, number> = {};
    let rss = 0;
    for (const pid of served.pids) {
      const name = processName(pid);
      spent[name] = (spent[name] ?? 0) + cpuMicros(pid) - (before.get(pid) ?? 0);
      rss += rssBytes(pid);
    }
    return { cpuMicros: spent, rssBytes: rss };
  };
}

/** Sum over all roles. */
export function totalOf(byRole: Readonly<Record<string, number>>): number {
  return Object.values(byRole).reduce((sum, value) => sum + value, 0);
}

/** Drives one load and takes the cost of its measured part. */
export async function measure(served: Served, load: LoadOptions): Promise<Measurement> {
  let read = meter(served);
  const result = await drive(load, () => {
    read = meter(served);
  });
  const { cpuMicros: spent, rssBytes: rss } = read();
  const answers = Math.max(1, result.answers);
  const perRequest = Object.entries(spent).map(([name, micros]) => [name, micros / answers]);
  return { ...result, cpuMicrosPerRequest: Object.fromEntries(perRequest), rssBytes: rss };
}
