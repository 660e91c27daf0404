/** What a journal takes on the disk, as it is written and as it will lie sealed. */

import { writeSegment } from "../engine/log/archive/archiving.ts";
import { journalIdOf } from "../engine/log/journal.ts";
import { SqliteJournalReader } from "../engine/log/journal-reader.ts";
import { openForReading } from "../engine/log/schema.ts";

export interface Disk {
  /** Pages of the journal's table; the projections in its file are what is searched, and stay. */
  readonly liveBytes: number;
  /** The same rows in segments, of which none is left behind. */
  readonly sealedBytes: number;
}

/** Reads the journal of an installation, which may run. */
export function diskOf(journalPath: string): Disk {
  using db = openForReading(journalPath);
  const journal = new SqliteJournalReader(db);
  const sql = "SELECT sum(pgsize) AS bytes FROM dbstat WHERE name = 'journal'";
  const { bytes: liveBytes } = db.query<{ bytes: number }, []>(sql).get()!;
  const through = journal.head().row;
  const base = { journalPath, journalId: journalIdOf(journalPath), journal, through };
  let sealedBytes = 0;
  for (let from = journal.archivedHead(); ; ) {
    const steps = writeSegment(base, from, true);
    let step = steps.next();
    while (!step.done) step = steps.next();
    if (step.value === null) return { liveBytes, sealedBytes };
    const { last } = step.value;
    sealedBytes += step.value.sealedBytes;
    from = { row: last, chain: journal.chainAt(last)! };
  }
}

/** `3.1 kB, 0.5 kB sealed`: what each of so many things added to a journal. */
export function shareOf(before: Disk, after: Disk, count: number): string {
  const kilobytes = (of: keyof Disk) => ((after[of] - before[of]) / count / 1000).toFixed(2);
  return `${kilobytes("liveBytes")} kB, ${kilobytes("sealedBytes")} kB sealed`;
}
