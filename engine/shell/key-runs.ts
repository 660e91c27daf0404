/** Which of the runs beside a journal are used: those that leave no row out, from the first on. */
import { statSync } from "node:fs";
import type { JournalReader } from "./journal-port.ts";
import { KeyRun, RunDamaged, type RunFile, runFiles } from "./key-run.ts";

/** Called with each run that is passed over. */
export type PassOver = (file: RunFile, problem: string) => void;

export interface ChosenRuns {
  /** Oldest first; each begins after the row at which the one before ends. */
  readonly runs: readonly KeyRun[];
  /** The last row of the last of them, or 0. */
  readonly coveredRow: number;
  /** Where the next run begins that is sound, behind rows that none covers; null without one. */
  readonly nextFirstRow: number | null;
}

export interface RunsOf {
  readonly journalPath: string;
  readonly journalId: string;
  readonly journal: JournalReader;
  /** Runs that are open already are not opened again. */
  readonly open?: readonly KeyRun[];
}

/**
 * Of runs that begin at the same row the longest is used: after a merge those that it was made of
 * may still lie there. A run whose last row has another chain in the journal is of another past.
 */
export function chooseRuns(of: RunsOf, passOver: PassOver): ChosenRuns {
  const files = runFiles(of.journalPath)
    .filter(({ journalId }) => journalId === of.journalId)
    .sort((a, b) => a.firstRow - b.firstRow || b.lastRow - a.lastRow);
  const runs: KeyRun[] = [];
  let coveredRow = 0;
  for (const file of files) {
    if (file.firstRow <= coveredRow) continue;
    const run = soundRun(file, of, passOver);
    if (!run) continue;
    if (file.firstRow > coveredRow + 1) return { runs, coveredRow, nextFirstRow: file.firstRow };
    runs.push(run);
    coveredRow = file.lastRow;
  }
  return { runs, coveredRow, nextFirstRow: null };
}

function soundRun(file: RunFile, of: RunsOf, passOver: PassOver): KeyRun | null {
  try {
    const open = of.open?.find((run) => run.file.path === file.path);
    if (open && statSync(file.path, { throwIfNoEntry: false })?.ino === open.inode) return open;
    const run = new KeyRun(file);
    if (of.journal.chainAt(file.lastRow) === run.header.chain) return run;
    passOver(file, "it is of another past of this journal");
  } catch (error) {
    if (!(error instanceof RunDamaged)) throw error;
    passOver(file, error.message);
  }
  return null;
}
