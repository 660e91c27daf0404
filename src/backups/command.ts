/** `npm run backup` and `npm run restore` as an operator meets them. */
import { parseArgs } from "node:util";
import { parseProblem, UsageError } from "../cli/arguments.ts";
import { type Environment, readConfig } from "../config.ts";
import { backUp, type Progress } from "./backup.ts";
import { restore } from "./restore.ts";

const BACKUP_USAGE = `Usage: npm run --silent backup -- DIR

Backs up the installation of DATA_DIR to DIR, which must be empty or not exist; the service may run
and goes on meanwhile. The copy is read back whole: every CRC, the chain, the fold, every record.
DIR appears when that is done. Prints JSON; progress is on stderr.

DIR holds secrets.json too: move it to another place than the data.
`;

const RESTORE_USAGE = `Usage: npm run --silent restore -- DIR [options]

Restores the back-up in DIR to DATA_DIR, which must be empty, not exist, or be restored and never
run. It is another installation then, under a new id. Prints JSON; progress is on stderr.

  --data-dir D           restore to D instead of DATA_DIR
  --suspend-agents       suspend every agent that is no operator, and pause webhook endpoints
  --refund-orphans       the original will never run again: refund at the payment provider what it
                         charged after the back-up, at the first start; else that is only reported
  --sandbox-ledger FILE  what the sandbox provider knows now (sandbox-provider.db of the directory
                         that is replaced); else it knows what it knew at the back-up
  --help                 this text
`;

type Options = Readonly<Record<string, { readonly type: "string" | "boolean" }>>;

const RESTORE_OPTIONS = {
  "data-dir": { type: "string" },
  "suspend-agents": { type: "boolean" },
  "refund-orphans": { type: "boolean" },
  "sandbox-ledger": { type: "string" },
} as const satisfies Options;

const TELL_EVERY_MS = 500;

/** On stderr: every step, and twice a second how many rows of how many are read. */
function progressOnStderr(): Progress {
  let toldAtMs = performance.now();
  return {
    step: (text) => console.error(text),
    rows: (rows, of) => {
      const nowMs = performance.now();
      if (rows < of && nowMs - toldAtMs < TELL_EVERY_MS) return;
      toldAtMs = nowMs;
      const percent = of === 0 ? 100 : Math.floor((100 * rows) / of);
      console.error(`${rows} of ${of} rows (${percent} %)`);
    },
  };
}

/** The one directory and the options of a command line. */
function parsed(args: readonly string[], options: Options, usage: string) {
  try {
    const config = { args: [...args], options, allowPositionals: true };
    const { values, positionals } = parseArgs(config);
    const [directory, ...more] = positionals;
    if (directory !== undefined && more.length === 0) return { ...values, directory };
  } catch (error) {
    throw new UsageError(`${parseProblem(error)}\n\n${usage.trimEnd()}`);
  }
  throw new UsageError(`name one directory\n\n${usage.trimEnd()}`);
}

async function runBackup(args: readonly string[], env: Environment): Promise<unknown> {
  const { directory } = parsed(args, {}, BACKUP_USAGE);
  const { dataDir } = readConfig(env);
  const progress = progressOnStderr();
  const manifest = await backUp({ dataDir, target: directory, progress });
  return { backup: directory, ...manifest };
}

async function runRestore(args: readonly string[], env: Environment): Promise<unknown> {
  const asked: Readonly<Record<string, unknown>> = parsed(args, RESTORE_OPTIONS, RESTORE_USAGE);
  const dataDir = String(asked["data-dir"] ?? readConfig(env).dataDir);
  const ledger = asked["sandbox-ledger"];
  const { manifest, installationId, suspendedAgents } = await restore({
    source: String(asked.directory),
    dataDir,
    suspendsAgents: asked["suspend-agents"] === true,
    refundsOrphans: asked["refund-orphans"] === true,
    ledger: ledger === undefined ? null : String(ledger),
    progress: progressOnStderr(),
  });
  const { taken_at, journal } = manifest;
  return {
    data_dir: dataDir,
    installation_id: installationId,
    taken_at,
    journal,
    suspended_agents: suspendedAgents,
    start_with: { DATA_DIR: dataDir, LANES: String(journal.lanes) },
    not_known: [
      `writes that were acknowledged after ${taken_at}: holds, bookings, rates, properties`,
      `revocations and rotations after ${taken_at}: those credentials and agents work again` +
        (suspendedAgents > 0 ? ", but for the agents suspended now" : " (--suspend-agents)"),
      `charges and refunds after ${taken_at}: the first start asks the payment provider`,
    ],
  };
}

/** Runs one of the two commands; resolves to what is to be printed. */
export async function runCommand(
  [name, ...args]: readonly string[],
  env: Environment,
): Promise<string> {
  const isBackup = name === "backup";
  if (!isBackup && name !== "restore") throw new UsageError("Usage: main.ts <backup|restore>");
  if (args.includes("--help") || args.includes("-h"))
    return isBackup ? BACKUP_USAGE : RESTORE_USAGE;
  const result = await (isBackup ? runBackup(args, env) : runRestore(args, env));
  return `${JSON.stringify(result, null, 2)}\n`;
}
