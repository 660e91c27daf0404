/** Which of the runs beside a journal are used: those that leave no row out, from the first on. */
import { statSync } from "node:fs";
import { Damage } from "./damage.ts";
import type { JournalReader } from "./journal-port.ts";
import { KeyRun, RunDamaged, type RunFile, runFiles } from "./key-run.ts";

/** Called with each run that is passed over. */
export type OnSkipped = (file: RunFile, problem: string) => void;

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
 * Where that row cannot be read, the next run proves it, which says the chain that it begins with:
 * damage of long ago must not cost all keys, nor a start.
 *
 * @throws Damage when the row cannot be read and no run that is proved goes on from there.
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

/** Whether a run is of this past; the damage that keeps the journal from telling. */
function proofOf(run: KeyRun, { open, journal }: RunsOf): boolean | Damage {
  if (open?.includes(run)) return true;
  try {
    return journal.chainAt(run.file.lastRow) === run.header.chain;
  } catch (error) {
    if (error instanceof Damage) return error;
    throw error;
  }
}
