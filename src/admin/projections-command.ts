/**
 * Mends what the engine calls `record_damaged`: the projections from the journal, with the service
 * stopped. The control store is of no use here and stays closed, so that a wrong `DATA_DIR` is not
 * made into a new installation.
 */
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import { Damage } from "../../engine/shell/damage.ts";
import { Journal, lanesOf } from "../../engine/shell/journal.ts";
import { rebuildProjections } from "../../engine/shell/rebuild.ts";
import { checkProjections } from "../../engine/shell/record-check.ts";
import { recover } from "../../engine/shell/recover.ts";
import { openForReading } from "../../engine/shell/schema.ts";
import { takeLock } from "../base/lock.ts";
import type { Arguments } from "../cli/arguments.ts";
import { type Environment, journalPath, readConfig } from "../config.ts";
import { StartRefused } from "../lifecycle.ts";
import type { Command } from "./command.ts";
import { mustBeThere, progressTeller } from "./journal-at.ts";

function rebuildAt(path: string) {
  // Lanes mean nothing to a rebuild: whatever the journal was made with is right.
  const journal = new Journal(path, { lanes: lanesOf(path) });
  try {
    journal.takeEpoch();
    console.error("checking the journal against its witnesses");
    // Records may be all that is left of rows that were lost; a rebuild would take them too.
    recover(journal.db, { path, journalId: journal.id, tracksExpiry: false });
    const { rows, records } = rebuildProjections(journal.db, progressTeller());
    return { journal: path, rows_folded: rows, records_verified: records };
  } finally {
    journal.close();
  }
}

function checkAt(path: string) {
  using db = openForReading(path);
  return { journal: path, records_verified: checkProjections(db) };
}

function rebuild(env: Environment, args: Arguments) {
  const { dataDir } = readConfig(env);
  const path = journalPath(dataDir);
  mustBeThere(path);
  const lock = takeLock(dataDir);
  const startedMs = performance.now();
  try {
    const done = args.isSet("dry-run") ? checkAt(path) : rebuildAt(path);
    return { ...done, seconds: Math.round(performance.now() - startedMs) / 1000 };
  } catch (cause) {
    if (!(cause instanceof Damage || cause instanceof RecordDamaged)) throw cause;
    throw new StartRefused(`${cause.message}; no record was changed`, { cause });
  } finally {
    lock.release();
  }
}

export const projectionsRebuild: Command = {
  name: "projections rebuild",
  summary: "service stopped: write all records anew from the journal and read them back",
  options: {
    "dry-run": { help: "only read the records that are there; exit 1 when one is damaged" },
  },
  run: rebuild,
};
