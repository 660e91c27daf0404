/**
 * `bun test/recording/record.ts --out FILE [--root DIR]`: asks the service of a checkout some
 * thousand things, always the same, and writes down every answer, one JSON line each. The checkout
 * may be laid out differently: it needs `src/main.ts`, `src/ops/admin/main.ts` and its packages.
 * Two recordings of one day (UTC) can be compared, those of several days when `--monday YYYY-MM-DD`
 * keeps the dates of the first; then only what is asked about today and tomorrow differs.
 */
import { createWriteStream } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { CALLS, templateOf } from "./routes.ts";
import { play } from "./scenario.ts";
import { type Exchange, Session } from "./session.ts";
import { Tree } from "./tree.ts";

const ROOT = join(import.meta.dir, "..", "..");
const DAY_MS = 86_400_000;
const LEAD_DAYS = 14;

/** The first Monday two weeks or more ahead: weekdays matter to prices. */
function mondayAhead(nowMs: number): string {
  const date = new Date(nowMs + LEAD_DAYS * DAY_MS);
  date.setUTCDate(date.getUTCDate() + ((8 - date.getUTCDay()) % 7));
  return date.toISOString().slice(0, 10);
}

/** Counts by route and status, and the routes that were not asked. */
function summary(exchanges: readonly Exchange[]): string {
  const counts = new Map<string, Map<number, number>>();
  for (const { method, path, status } of exchanges) {
    const template = templateOf(path);
    const isRoute = CALLS.some((call) => call.path === template && call.method === method);
    const name = isRoute ? `${method} ${template}` : "other methods and paths";
    const own = counts.get(name) ?? new Map<number, number>();
    counts.set(name, own.set(status, (own.get(status) ?? 0) + 1));
  }
  const lines = [...counts].sort().map(([name, own]) => {
    const all = [...own].sort(([a], [b]) => a - b).map(([status, n]) => `${status}×${n}`);
    return `  ${name.padEnd(64)} ${all.join(" ")}`;
  });
  const silent = CALLS.filter(({ method, path }) => !counts.has(`${method} ${path}`));
  return [...lines, ...silent.map(({ method, path }) => `  never asked: ${method} ${path}`)].join(
    "\n",
  );
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      out: { type: "string" },
      root: { type: "string", default: ROOT },
      monday: { type: "string", default: mondayAhead(Date.now()) },
    },
  });
  if (values.out === undefined) {
    console.error("usage: bun test/recording/record.ts --out FILE [--root DIR] [--monday DATE]");
    return 2;
  }
  const startedMs = performance.now();
  const tree = new Tree(resolve(values.root));
  const file = createWriteStream(values.out);
  const exchanges: Exchange[] = [];
  try {
    const session = new Session(tree, (exchange) => {
      exchanges.push(exchange);
      file.write(`${JSON.stringify(exchange)}\n`);
    });
    await play(session, values.monday);
  } finally {
    await tree.remove();
    await new Promise((done) => file.end(done));
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(summary(exchanges));
  if (tree.log !== "") console.log(`the service's log:\n${tree.log}`);
  console.log(`${exchanges.length} exchanges in ${seconds} s: ${values.out}`);
  return exchanges.some(({ status }) => status === 0) ? 1 : 0;
}

// The service ends with us, however we end.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));
process.exit(await main());
