/** What `npm run bench` can be told. */
import { parseArgs } from "node:util";

export const PARTS = [
  ...(["generator", "reads", "holds", "flow", "stalls", "webhooks", "feeds", "core"] as const),
] as const;
export type Part = (typeof PARTS)[number];

export interface Options {
  readonly parts: ReadonlySet<Part>;
  /** Measure the peers between our own runs. */
  readonly peers: boolean;
  /** Also measure with 10 M idempotency keys present and 10 M events behind a snapshot. */
  readonly full: boolean;
  /** Runs of each hold series; the others take at most three. */
  readonly runs: number;
  /** Length of the measured part of a run. */
  readonly seconds: number;
}

export const USAGE = `Usage: npm run bench -- [options]

Starts private copies of the whole process tree, loads them and prints what was measured.

  --peers        measure the two peers in the same run and print the ratios
  --only LIST    of ${PARTS.join(", ")}; comma-separated (default all)
  --runs N       runs of each hold series (default 5)
  --full         also with 10 M idempotency keys and 10 M events; takes disk and an hour
  --help         this text

BENCH_SECONDS    measured length of a run in seconds (default 8)
BENCH_DIR        where data directories are made (default the system's temporary directory,
                 or ./data when that is in memory)
`;

/** A command line or an environment that makes no sense; the message says why. */
export class BadOption extends Error {
  override readonly name = "BadOption";
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw new BadOption(`${name} must be a number above 0`);
}

function partsOf(list: string): ReadonlySet<Part> {
  return new Set(
    list.split(",").map((name) => {
      const part = PARTS.find((known) => known === name.trim());
      if (part === undefined) throw new BadOption(`--only knows ${PARTS.join(", ")}`);
      return part;
    }),
  );
}

/** Reads the command line and the environment; null when only the usage is asked for. */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Options | null {
  const { values } = parse(args);
  if (values.help) return null;
  return {
    parts: partsOf(values.only),
    peers: values.peers,
    full: values.full,
    runs: Math.ceil(positive("--runs", values.runs)),
    seconds: positive("BENCH_SECONDS", env.BENCH_SECONDS ?? "8"),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        peers: { type: "boolean", default: false },
        full: { type: "boolean", default: false },
        only: { type: "string", default: PARTS.join(",") },
        runs: { type: "string", default: "5" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new BadOption(error instanceof Error ? error.message : String(error));
  }
}
