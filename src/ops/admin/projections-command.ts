/**
 * Rebuilds the projections from the journal, with the service stopped: the remedy for
 * `record_damaged`. It does not open the control store, which would create an installation in a
 * wrong `DATA_DIR`.
 */
import { Damage } from "../../../engine/core/damage.ts";
import { rebuildProjections } from "../../../engine/log/care/rebuild.ts";
import { checkProjections } from "../../../engine/log/care/record-check.ts";
import { Journal } from "../../../engine/log/journal.ts";
import { lanesOf } from "../../../engine/log/meta.ts";
import { recover } from "../../../engine/log/recover.ts";
import { openForReading } from "../../../engine/log/schema.ts";
import { journalPath, readConfig } from "../../config.ts";
import { flag } from "../../lib/command-line.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { takeLock } from "../../lib/lock.ts";
import { command, type Session } from "../cli/command.ts";
import { rowProgress, type Terminal } from "../cli/terminal.ts";
import { printing } from "./command.ts";
import { mustBeThere } from "./journal-file.ts";

function rebuildAt(path: string, terminal: Terminal) {
  // The number of lanes does not matter here: the journal's own is used.
  const journal = new Journal(path, { lanes: lanesOf(path) });
  try {
    journal.takeEpoch();
    terminal.err("checking the journal against its witnesses\n");
    // A rebuild deletes all records, and those of lost rows may be the only trace of these rows.
    recover(journal.db, { path, journalId: journal.id, tracksExpiry: false });
    const { rows, records } = rebuildProjections(journal.db, rowProgress(terminal));
    return { journal: path, rows_folded: rows, records_verified: records };
  } finally {
    journal.close();
  }
}

function checkAt(path: string) {
  using db = openForReading(path);
  return { journal: path, records_verified: checkProjections(db) };
}

function rebuild({ env, terminal }: Session, given: { readonly "dry-run": boolean }) {
  const { dataDir } = readConfig(env);
  const path = journalPath(dataDir);
  mustBeThere(path);
  const lock = takeLock(dataDir);
  const startedMs = performance.now();
  try {
    const done = given["dry-run"] ? checkAt(path) : rebuildAt(path, terminal);
    return { ...done, seconds: Math.round(performance.now() - startedMs) / 1000 };
  } catch (cause) {
    if (!(cause instanceof Damage)) throw cause;
    throw new StartRefused(`${cause.message}; no records were changed`, { cause });
  } finally {
    lock.release();
  }
}

export const projectionsRebuild = command({
  name: "projections rebuild",
  summary: "service stopped: rebuild all records from the journal and verify them",
  options: {
    "dry-run": flag("only verify the existing records; exits with 1 for damage"),
  },
  run: printing(rebuild),
});
