/** The ceiling of the generator: no server can be measured faster than one that does nothing. */
import type { Bench, Measured } from "./bench.ts";
import { processTree } from "./cpu.ts";
import { drive } from "./load.ts";
import { measure, type Run } from "./measure.ts";
import { groupOf, type Series } from "./report.ts";

const PROGRAM = `${import.meta.dir}/empty-server.ts`;
export const CEILING_CONNECTIONS = [32, 256] as const;
const BODY = JSON.stringify({ quote_id: `qt_${"0".repeat(38)}` });

/** Drives the empty server as holds are driven. */
export async function measureCeiling(bench: Bench): Promise<Measured> {
  const { timing, runs, only, progress } = bench;
  const server = Bun.spawn([process.execPath, PROGRAM], { stdin: "pipe", stdout: "pipe" });
  try {
    const { value } = await server.stdout.getReader().read();
    const { port } = JSON.parse(new TextDecoder().decode(value)) as { port: number };
    const series: Series[] = [];
    for (const connections of CEILING_CONNECTIONS) {
      if (!only.has("generator", String(connections))) continue;
      const what = `${connections} connections`;
      const measured: Run[] = [];
      const request = { headers: {}, bodies: [BODY], method: "POST", keyPrefix: "k" } as const;
      const load = { url: `http://127.0.0.1:${port}/v1/holds`, ...request, connections, ...timing };
      for (let round = 0; round < runs; round += 1) {
        const served = { pids: processTree(server.pid) };
        const run = () => measure(served, (onMeasuring) => drive(load, onMeasuring));
        measured.push(await progress.run("generator", { what, round, of: runs }, run));
      }
      series.push({ name: what, runs: measured });
    }
    const title = "a handler that does nothing: the ceiling of the generator";
    const about = { id: "ceiling", title, compares: "speed", baseline: null } as const;
    return { groups: [groupOf(about, series)], verdicts: [] };
  } finally {
    server.stdin.end();
    await server.exited;
  }
}
