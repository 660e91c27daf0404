/** The ceiling of the generator: no server can be measured faster than one that does nothing. */
import { processTree } from "./cpu.ts";
import type { Timing } from "./holds.ts";
import { drive } from "./load.ts";
import { measure, type Run } from "./measure.ts";
import type { Series } from "./report.ts";

const PROGRAM = `${import.meta.dir}/empty-server.ts`;
const CONNECTIONS = [32, 256] as const;
const BODY = JSON.stringify({ quote_id: `qt_${"0".repeat(38)}` });

/** Drives the empty server as holds are driven. */
export async function measureCeiling(timing: Timing, runs: number): Promise<Series[]> {
  const server = Bun.spawn([process.execPath, PROGRAM], { stdin: "pipe", stdout: "pipe" });
  try {
    const { value } = await server.stdout.getReader().read();
    const { port } = JSON.parse(new TextDecoder().decode(value)) as { port: number };
    const series: Series[] = [];
    for (const connections of CONNECTIONS) {
      const measured: Run[] = [];
      const request = { headers: {}, bodies: [BODY], method: "POST", keyPrefix: "k" } as const;
      const load = { url: `http://127.0.0.1:${port}/v1/holds`, ...request, connections, ...timing };
      for (let run = 0; run < runs; run += 1) {
        const served = { pids: processTree(server.pid) };
        measured.push(await measure(served, (onMeasuring) => drive(load, onMeasuring)));
      }
      series.push({ name: `empty handler, ${connections} connections`, runs: measured });
    }
    return series;
  } finally {
    server.stdin.end();
    await server.exited;
  }
}
