/** Chooses the key runs of a journal to use: an unbroken sequence from the first row on. */
import { statSync } from "node:fs";
import { Damage } from "../../core/damage.ts";
import type { JournalReader } from "../journal-port.ts";
import { KeyRun, RunDamaged, type RunFile, runFiles } from "./key-run.ts";

/** Called with each run that is skipped. */
export type OnSkipped = (file: RunFile, problem: string) => void;

export interface ChosenRuns {
  /** Oldest first; each continues the one before. */
  readonly runs: readonly KeyRun[];
  /** The last row of the last run, or 0. */
  readonly coveredRow: number;
  /** First row of the next undamaged run, behind a gap; null without one. */
  readonly nextFirstRow: number | null;
}

export interface RunsOf {
  readonly journalPath: string;
  readonly journalId: string;
  readonly journal: JournalReader;
  /** Open runs, which are not opened again. */
  readonly open?: readonly KeyRun[];
}

/**
 * Of runs that begin at the same row the longest is used: after a merge its sources may remain. A
 * run whose last row has another chain in the journal is of another history. Where that row cannot
 * be read, the next run proves it by the chain that it begins with: damage in archived rows must
 * not cost all keys or prevent a start.
 *
 * @throws Damage when the row cannot be read and no proved run follows.
 */
export function chooseRuns(of: RunsOf, passOver: OnSkipped): ChosenRuns {
  const files = runFiles(of.journalPath)
    .filter(({ journalId }) => journalId === of.journalId)
    .sort((a, b) => a.firstRow - b.firstRow || b.lastRow - a.lastRow);
  const runs: KeyRun[] = [];
  let coveredRow = 0;
  let nextFirstRow: number | null = null;
  let unproved: Damage | null = null;
  for (const file of files) {
    if (file.firstRow <= coveredRow) continue;
    const run = wholeRun(file, of, passOver);
    if (!run) continue;
    if (file.firstRow > coveredRow + 1) {
      nextFirstRow = file.firstRow;
      break;
    }
    const proof = proofOf(run, of);
    const goesOn = unproved === null || run.header.chain_before === runs.at(-1)?.header.chain;
    if (proof === false || !goesOn) {
      passOver(file, "it is of another past of this journal");
      continue;
    }
    unproved = proof === true ? null : (unproved ?? proof);
    runs.push(run);
    coveredRow = file.lastRow;
  }
  if (unproved) throw unproved;
  return { runs, coveredRow, nextFirstRow };
}

function wholeRun(file: RunFile, { open }: RunsOf, passOver: OnSkipped): KeyRun | null {
  try {
    return openOne(file, open) ?? new KeyRun(file);
  } catch (error) {
    if (!(error instanceof RunDamaged)) throw error;
    passOver(file, error.message);
    return null;
  }
}

function openOne({ path }: RunFile, open: readonly KeyRun[] = []): KeyRun | undefined {
  const run = open.find(({ file }) => file.path === path);
  return run && statSync(path, { throwIfNoEntry: false })?.ino === run.inode ? run : undefined;
}

/** Whether a run belongs to this journal; the damage when the journal cannot be read there. */
function proofOf(run: KeyRun, { open, journal }: RunsOf): boolean | Damage {
  if (open?.includes(run)) return true;
  try {
    return journal.chainAt(run.file.lastRow) === run.header.chain;
  } catch (error) {
    if (error instanceof Damage) return error;
    throw error;
  }
}
