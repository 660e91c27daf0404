/** The ceiling of the generator: no server can be measured faster than one that does nothing. */
import type { Bench, Measured } from "./bench.ts";
import { processTree } from "./cpu.ts";
import { measureLoad } from "./measure.ts";
import { Samples, sampleOf } from "./samples.ts";

const PROGRAM = `${import.meta.dir}/empty-server.ts`;
export const CEILING_CONNECTIONS = [32, 256] as const;
const BODY = JSON.stringify({ quote_id: `qt_${"0".repeat(38)}` });
const TITLE = "a handler that does nothing: the ceiling of the generator";

/** Drives the empty server as holds are driven. */
export async function measureCeiling({ timing, runs, only, progress }: Bench): Promise<Measured> {
  const server = Bun.spawn([process.execPath, PROGRAM], { stdin: "pipe", stdout: "pipe" });
  try {
    const { value } = await server.stdout.getReader().read();
    const { port } = JSON.parse(new TextDecoder().decode(value)) as { port: number };
    const samples = new Samples();
    for (const connections of CEILING_CONNECTIONS) {
      if (!only.has("generator", String(connections))) continue;
      const what = `${connections} connections`;
      const request = { headers: {}, bodies: [BODY], method: "POST", keyPrefix: "k" } as const;
      const load = { url: `http://127.0.0.1:${port}/v1/holds`, ...request, connections, ...timing };
      for (let round = 0; round < runs; round += 1) {
        const served = { pids: processTree(server.pid) };
        const run = () => measureLoad(served, load);
        const measured = await progress.run("generator", { what, round, of: runs }, run);
        samples.add("ceiling", what, sampleOf(measured));
      }
    }
    const about = { id: "ceiling", title: TITLE, compares: "speed", baseline: null } as const;
    return { groups: samples.group(about), verdicts: [] };
  } finally {
    server.stdin.end();
    await server.exited;
  }
}
