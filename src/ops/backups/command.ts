/** `npm run backup` and `npm run restore`. */
import { parseArgs } from "node:util";
import { type Environment, readConfig } from "../../config.ts";
import { parseProblem, UsageError } from "../cli/arguments.ts";
import { backUp, type Progress } from "./backup.ts";
import { restore } from "./restore.ts";

const BACKUP_USAGE = `Usage: npm run --silent backup -- DIR

Backs up the installation of DATA_DIR to DIR, which must be empty or not exist. The service may run
meanwhile. The whole copy is verified: every CRC, the chain, the fold and every record. DIR appears
when the copy is complete. Prints JSON; progress goes to stderr.

DIR contains secrets.json too: keep it apart from other copies of the data.
`;

const RESTORE_USAGE = `Usage: npm run --silent restore -- DIR [options]

Restores the back-up in DIR to DATA_DIR, which must be empty, not exist, or be a restored directory
that never ran. The result is a new installation with a new id. Prints JSON; progress goes to stderr.

  --data-dir D           restore to D instead of DATA_DIR
  --suspend-agents       suspend every agent except operators, and pause webhook endpoints
  --refund-orphans       at the first start refund charges made after the back-up, instead of only
                         reporting them; use it if the original will never run again
  --sandbox-ledger FILE  use this ledger of the sandbox provider (sandbox-provider.db of the replaced
                         directory) instead of the one in the back-up
  --help                 this text
`;

type Options = Readonly<Record<string, { readonly type: "string" | "boolean" }>>;

const RESTORE_OPTIONS = {
  "data-dir": { type: "string" },
  "suspend-agents": { type: "boolean" },
  "refund-orphans": { type: "boolean" },
  "sandbox-ledger": { type: "string" },
} as const satisfies Options;

const PRINT_EVERY_MS = 500;

/** Prints every step, and twice a second the number of verified rows, on stderr. */
function progressOnStderr(): Progress {
  let printedAtMs = performance.now();
  return {
    step: (text) => console.error(text),
    rows: (rows, of) => {
      const nowMs = performance.now();
      if (rows < of && nowMs - printedAtMs < PRINT_EVERY_MS) return;
      printedAtMs = nowMs;
      const percent = of === 0 ? 100 : Math.floor((100 * rows) / of);
      console.error(`${rows} of ${of} rows (${percent} %)`);
    },
  };
}

/** The directory and the options of a command line. */
function parsed(args: readonly string[], options: Options, usage: string) {
  try {
    const config = { args: [...args], options, allowPositionals: true };
    const { values, positionals } = parseArgs(config);
    const [directory, ...more] = positionals;
    if (directory !== undefined && more.length === 0) return { ...values, directory };
  } catch (error) {
    throw new UsageError(`${parseProblem(error)}\n\n${usage.trimEnd()}`);
  }
  throw new UsageError(`expected one directory\n\n${usage.trimEnd()}`);
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
      `writes acknowledged after ${taken_at}: holds, bookings, rates, properties`,
      `revocations and rotations after ${taken_at}: those credentials and agents work again` +
        (suspendedAgents > 0 ? ", except agents suspended by this restore" : " (--suspend-agents)"),
      `charges and refunds after ${taken_at}: the first start asks the payment provider`,
    ],
  };
}

/** Runs one of the two commands and resolves to its output. */
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
