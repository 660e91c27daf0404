/** `npm run backup` and `npm run restore`. */
import { readConfig } from "../../config.ts";
import { anyText, flag, operand, required } from "../../lib/command-line.ts";
import { command, type OperatorProgram } from "../cli/command.ts";
import { asJson, rowProgress, type Terminal } from "../cli/terminal.ts";
import { backUp, type Progress } from "./backup.ts";
import { restore } from "./restore.ts";

/** Prints every step, and the number of verified rows, on stderr. */
function progressOn(terminal: Terminal): Progress {
  return { step: (line) => terminal.err(`${line}\n`), rows: rowProgress(terminal) };
}

const backupCommand = command({
  name: "",
  summary: `Backs up the installation of DATA_DIR to DIR. The service may run meanwhile. The whole copy is
verified: every CRC, the chain, the fold and every record. DIR appears when the copy is complete.
Prints JSON; progress goes to stderr.`,
  operand: operand(required(anyText("DIR", "must be empty or not exist"))),
  options: {},
  note: `DIR contains secrets.json too: keep it apart from other copies of the data. Guests that were
erased are added to erasures.log beside DIR, for restores of older back-ups.
`,
  async run({ env, terminal }, _options, target) {
    const { dataDir, erasuresLog } = readConfig(env);
    const manifest = await backUp({ dataDir, erasuresLog, target, progress: progressOn(terminal) });
    terminal.out(asJson({ backup: target, ...manifest }));
    return 0;
  },
});

const restoreCommand = command({
  name: "",
  summary: `Restores the back-up in DIR to DATA_DIR, which must be empty, not exist, or be a restored directory
that never ran. The result is a new installation with a new id. Prints JSON; progress goes to stderr.`,
  operand: operand(required(anyText("DIR", "the back-up"))),
  options: {
    "data-dir": anyText("D", "restore to D instead of DATA_DIR"),
    "suspend-agents": flag("suspend every agent except operators, and pause webhook endpoints"),
    "refund-orphans": flag("at the first start refund charges made after the back-up"),
    erasures: anyText("FILE", "also erase the guests of this list of another installation"),
    "sandbox-ledger": anyText("FILE", "use this ledger of the sandbox provider"),
  },
  note: `Without --refund-orphans such charges are only reported: use it if the original will never run
again. --sandbox-ledger names the sandbox-provider.db of the replaced directory; by default the one
in the back-up is used. Guests in erasures.log beside DIR are erased again; --erasures names the list
of the replaced directory, which may have more.
`,
  async run({ env, terminal }, given, source) {
    const dataDir = given["data-dir"] ?? readConfig(env).dataDir;
    const { manifest, installationId, suspendedAgents, erasedGuests } = await restore({
      ...{ source, dataDir },
      suspendsAgents: given["suspend-agents"],
      refundsOrphans: given["refund-orphans"],
      erasures: given.erasures ?? null,
      ledger: given["sandbox-ledger"] ?? null,
      progress: progressOn(terminal),
    });
    const { taken_at, journal } = manifest;
    terminal.out(
      asJson({
        data_dir: dataDir,
        installation_id: installationId,
        taken_at,
        journal,
        suspended_agents: suspendedAgents,
        erased_guests: erasedGuests,
        start_with: { DATA_DIR: dataDir, LANES: String(journal.lanes) },
        not_known: [
          `writes acknowledged after ${taken_at}: holds, bookings, rates, properties`,
          `revocations and rotations after ${taken_at}: those credentials and agents work again` +
            (suspendedAgents > 0
              ? ", except agents suspended by this restore"
              : " (--suspend-agents)"),
          `charges and refunds after ${taken_at}: the first start asks the payment provider`,
        ],
      }),
    );
    return 0;
  },
});

const errorPrefix = "innkeep: ";

export const backupProgram: OperatorProgram = {
  call: "npm run --silent backup --",
  commands: [backupCommand],
  errorPrefix,
};

export const restoreProgram: OperatorProgram = {
  call: "npm run --silent restore --",
  commands: [restoreCommand],
  errorPrefix,
};
