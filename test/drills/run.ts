/**
 * `npm run drills`: fails two machines over PostgreSQL in every way of the failure matrix while
 * clients book, and prints the matrix with what was measured. Each drill has machines of its own,
 * whose books are audited in the end. Exits with 1 when a write was lost or something did not hold.
 */
import { parseArgs } from "node:util";
import { suggestSimilar } from "../../src/lib/suggest-similar.ts";
import type { Deed } from "../crash/load.ts";
import { POSTGRES_MISSING } from "../support/postgres.ts";
import { DATABASE_DRILLS } from "./database-drills.ts";
import type { Drill } from "./drill.ts";
import { ENGINE_DRILLS } from "./engine-drills.ts";
import { isAsExpected, matrixOf, type Result } from "./matrix.ts";
import { OTHER_DRILLS } from "./other-drills.ts";
import { Rig } from "./rig.ts";

const DRILLS: readonly Drill[] = [...ENGINE_DRILLS, ...DATABASE_DRILLS, ...OTHER_DRILLS];
const ROUNDS = 10;
/** Far longer than any failure may be felt. */
const ROUND_MS_MAX = 120_000;
const EXIT_USAGE = 2;
const EXIT_INTERRUPTED = 130;

const OPTIONS = {
  only: { type: "string" },
  rounds: { type: "string" },
  seed: { type: "string" },
  list: { type: "boolean" },
} as const;

interface Asked {
  readonly drills: readonly Drill[];
  readonly rounds: number;
  readonly seed: number;
  readonly isList: boolean;
}

/** @throws Error for an unknown option or drill, or no number. */
function readOptions(args: readonly string[]): Asked {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const names = values.only?.split(",") ?? DRILLS.map(({ name }) => name);
  const drills = names.map((name) => {
    const found = DRILLS.find((drill) => drill.name === name);
    if (found) return found;
    const near = suggestSimilar(
      name,
      DRILLS.map((drill) => drill.name),
      3,
    );
    throw new Error(`no drill is named ${name}${near ? `: did you mean ${near}?` : ""}`);
  });
  const rounds = numberOf("rounds", values.rounds, ROUNDS);
  const seed = numberOf("seed", values.seed, Date.now() % 1_000_000);
  return { drills, rounds, seed, isList: values.list ?? false };
}

function numberOf(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number from 1`);
}

/** Resolves like `work`; rejects when that takes longer than a round may. */
async function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = () => reject(new Error(`not over after ${ROUND_MS_MAX} ms`));
  const timer = setTimeout(late, ROUND_MS_MAX);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** What is stopped when the program is interrupted. */
let rig: Rig | null = null;

async function drilled(drill: Drill, rounds: number, seed: number): Promise<Result> {
  const tookMs: number[] = [];
  const problems: string[] = [];
  let missing: readonly Deed[] = [];
  try {
    rig = await Rig.start(seed);
    // A control leaves a rig behind that has lost rows.
    for (let round = 0; round < (drill.isControl ? 1 : rounds); round += 1) {
      await rig.load.more(10);
      tookMs.push(await within(drill.run(rig, round)));
      if (!drill.isControl) await rig.load.more(10);
      missing = await rig.lost();
      console.error(`${drill.name} ${round + 1} of ${rounds}: ${Math.round(tookMs.at(-1)!)} ms`);
    }
    if (!drill.isControl) problems.push(...(await within(rig.audit())));
  } catch (error) {
    problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await rig?.stop().catch((error) => problems.push(`the end: ${error}`));
    rig = null;
  }
  if (!drill.isControl) {
    for (const { kind, call } of missing) problems.push(`${kind} ${call.key} is lost`);
  }
  for (const problem of problems) console.error(`${drill.name}: ${problem}`);
  return { drill, tookMs, lost: missing.length, problems };
}

async function main(args: readonly string[]): Promise<number> {
  let asked: Asked;
  try {
    asked = readOptions(args);
  } catch (error) {
    console.error(`${(error as Error).message}\nHelp: npm run drills -- --help`);
    return EXIT_USAGE;
  }
  const { drills, rounds, seed, isList } = asked;
  if (isList) {
    for (const { name, failure } of drills) console.log(`${name.padEnd(22)}${failure}`);
    return 0;
  }
  if (POSTGRES_MISSING !== null) {
    console.error(`${POSTGRES_MISSING}: on Debian, apt install postgresql`);
    return 1;
  }
  console.error(`${drills.length} drills, ${rounds} rounds each, seed ${seed}`);
  const results: Result[] = [];
  for (const drill of drills) results.push(await drilled(drill, rounds, seed));
  process.stdout.write(matrixOf(results));
  return results.every(isAsExpected) ? 0 : 1;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    await rig?.stop().catch(console.error);
    process.exit(EXIT_INTERRUPTED);
  });
}

process.exitCode = await main(process.argv.slice(2));
// Clients of a rig that failed may still wait for answers.
process.exit();
