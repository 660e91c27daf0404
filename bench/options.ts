/** The command line and the environment of `npm run bench`. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { catalogueText, NAMES, PARTS, Selection } from "./catalogue.ts";
import { CITY_SIZE, LARGE_CITY_SIZE } from "./search-tenant.ts";
import { SECONDS } from "./timing.ts";

/** An earlier checkout of this project, which is run in turns with this one. */
export interface Before {
  readonly root: string;
  /** Short name of its commit; `unknown` outside a repository. */
  readonly commit: string;
}

export interface Options {
  readonly only: Selection;
  /** Measure the peers between our own runs. */
  readonly peers: boolean;
  /** Also measure holds with 10 M idempotency keys present, and the replay of 10 M events. */
  readonly full: boolean;
  /** Runs of each series of holds and of whole flows, by which the project is judged. */
  readonly holdRuns: number;
  /** Runs of the other series. */
  readonly runs: number;
  /** Measured length of a run. */
  readonly seconds: number;
  /** An earlier checkout that whole flows are compared with. */
  readonly before: Before | null;
  /** Properties of the large tenant that is searched. */
  readonly properties: number;
  /** Takeovers of each kind. */
  readonly drills: number;
  /** The figures as one JSON document instead of tables. */
  readonly json: boolean;
  /** Where `results.json`, `RESULTS.md` and `charts/` are written. */
  readonly out: string;
  /** The line that measures the same again. */
  readonly command: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What is asked for: a measurement, or something that measures nothing. */
export type Request =
  | { readonly kind: "measure"; readonly options: Options }
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "draw"; readonly out: string };

const RUNS = 3;
/** Three are enough to see a range. */
const OTHER_RUNS_MAX = 3;
/** What the targets of the search are said of. */
export const PROPERTIES = 10_000;
/** Takeovers of each kind; a p99 says more with 50. */
export const DRILLS = 10;
const EVERYTHING = PARTS.join(",");

export const USAGE = `usage: npm run bench [-- options]

Starts private copies of the whole process tree, loads them, prints the figures, and writes them to
bench/results.json, bench/RESULTS.md, bench/notes/figures.md and bench/charts. Takes about 50
minutes and 6 GB of disk; --only takes less. Progress goes to stderr, figures to stdout.

  --only LIST    what to measure, separated by commas: a part, or a series of one (default all)
  --list         every name that --only knows, and the question it answers
  --peers        measure the peers of holds and searches in the same run and print the ratios
                 as lines that a program can read, such as holds_32_ratio=0.750
  --before DIR   measure whole flows in turns with those of an earlier commit and print flow_ratio;
                 DIR is a checkout of it with its packages (git worktree add DIR COMMIT; npm ci)
  --runs N       runs of each series of holds and flows (default ${RUNS}), and of the others up to
                 three (default 1)
  --full         also holds with 10 M idempotency keys, and a replay of 10 M events; takes 30 GB
                 of disk and an hour
  --json         print the figures as one JSON document
  --out DIR      write results there instead of bench
  --draw         measure nothing: make pages and charts again from results.json
  --help         this text

  BENCH_SECONDS  measured length of a run in seconds (default ${SECONDS}), after a warm-up of the
                 same number of requests on all sides; shorter runs are marked
  BENCH_DIR      where data directories are made: on the disk that is to be measured (default the
                 system's temporary directory, or ./data when that is in memory)
  BENCH_PROPERTIES  properties of the tenant that is searched (default ${PROPERTIES}, which the targets
                 name; with fewer it is measured in part)
  BENCH_DRILLS   takeovers of each kind (default ${DRILLS}; with fewer they are measured in part)
  NO_COLOR       when set, the tables have no colour; words say the same

examples:
  npm run bench -- --only holds --peers
  BENCH_SECONDS=2 npm run bench -- --only reads/search,reads/quotes --runs 1
  npm run --silent bench -- --only generator --json > generator.json

exit codes: 0 measured, 1 failed, 2 wrong options, 130 interrupted
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

function selectionOf(list: string): Selection {
  const names = list.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !NAMES.includes(name));
  if (unknown.length === 0) return new Selection(names);
  const shown = unknown.map((name) => JSON.stringify(name)).join(", ");
  throw new BadOption(`--only does not know ${shown}; it knows\n\n${catalogueText()}`);
}

/** Of a checkout that can be started. */
const NEEDED = ["src/main.ts", "package.json", "node_modules"];

function beforeOf(directory: string | undefined): Before | null {
  if (directory === undefined) return null;
  const root = resolve(directory);
  const missing = NEEDED.filter((name) => !existsSync(join(root, name))).join(", ");
  if (missing !== "") {
    const problem = `is no checkout with its packages; without ${missing}`;
    throw new BadOption(`--before ${directory} ${problem}`);
  }
  const git = Bun.spawnSync(["git", "-C", root, "rev-parse", "--short", "HEAD"]);
  return { root, commit: git.success ? git.stdout.toString().trim() : "unknown" };
}

/** Runs of the judged series, and of the others. */
function runsOf(text: string | undefined): Pick<Options, "holdRuns" | "runs"> {
  if (text === undefined) return { holdRuns: RUNS, runs: 1 };
  const runs = Math.ceil(positive("--runs", text));
  return { holdRuns: runs, runs: Math.min(OTHER_RUNS_MAX, runs) };
}

/** All cities that are searched must be there. */
function propertiesOf(text = String(PROPERTIES)): number {
  const least = CITY_SIZE + LARGE_CITY_SIZE + CITY_SIZE;
  if (positive("BENCH_PROPERTIES", text) >= least) return Math.ceil(Number(text));
  throw new BadOption(`BENCH_PROPERTIES must be at least ${least}`);
}

/** What decides about figures, not where they go or how they are shown. */
function commandOf(values: ReturnType<typeof parse>["values"], env: Environment) {
  const { only, runs, peers, before, full } = values;
  const args = [
    ...(peers ? ["--peers"] : []),
    // Its place says nothing about figures; its commit stands beside them.
    ...(before === undefined ? [] : ["--before DIR"]),
    ...(full ? ["--full"] : []),
    ...(only === EVERYTHING ? [] : [`--only ${only.replaceAll(" ", "")}`]),
    ...(runs === undefined ? [] : [`--runs ${runs}`]),
  ];
  const line = ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
  const set = ["BENCH_SECONDS", "BENCH_PROPERTIES", "BENCH_DRILLS"].flatMap((name) =>
    env[name] === undefined ? [] : [`${name}=${env[name]}`],
  );
  return [...set, line].join(" ");
}

/**
 * Reads the command line and the environment; `bench` is where results go unless it says otherwise.
 *
 * @throws BadOption
 */
export function readRequest(
  args: readonly string[],
  env: Environment,
  bench = import.meta.dir,
): Request {
  const { values } = parse(args);
  if (values.help) return { kind: "print", text: USAGE };
  if (values.list) return { kind: "print", text: catalogueText() };
  const out = values.out === undefined ? bench : resolve(values.out);
  if (values.draw) return { kind: "draw", out };
  const options: Options = {
    only: selectionOf(values.only),
    peers: values.peers,
    before: beforeOf(values.before),
    full: values.full,
    ...runsOf(values.runs),
    seconds: positive("BENCH_SECONDS", env.BENCH_SECONDS ?? String(SECONDS)),
    properties: propertiesOf(env.BENCH_PROPERTIES),
    drills: Math.ceil(positive("BENCH_DRILLS", env.BENCH_DRILLS ?? String(DRILLS))),
    json: values.json,
    out,
    command: commandOf(values, env),
  };
  return { kind: "measure", options };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        peers: { type: "boolean", default: false },
        full: { type: "boolean", default: false },
        before: { type: "string" },
        only: { type: "string", default: EVERYTHING },
        list: { type: "boolean", default: false },
        runs: { type: "string" },
        json: { type: "boolean", default: false },
        out: { type: "string" },
        draw: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new BadOption(error instanceof Error ? error.message : String(error));
  }
}
