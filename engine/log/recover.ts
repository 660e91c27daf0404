/**
 * Recovery: a snapshot, then every later row, each checked. Of earlier rows it reads only those
 * whose keys are in no run; the scrubber (`scrubber.ts`) checks the others, so that the time of a
 * start does not grow with the journal. The chain at the snapshot ties them to the later rows.
 */
import type { Database } from "bun:sqlite";
import { Damage } from "../core/damage.ts";
import { evolve } from "../core/evolve.ts";
import type { RecordSink } from "../core/records.ts";
import { State } from "../core/state/state.ts";
import { readingJournal } from "./care/damage.ts";
import { BEGINNING, type Head, readHead } from "./head.ts";
import { headPath } from "./journal.ts";
import type { JournalReader } from "./journal-port.ts";
import { SqliteJournalReader } from "./journal-reader.ts";
import { JournalTail } from "./journal-tail.ts";
import type { Keys } from "./keys/keys.ts";
import { projectedHead } from "./meta.ts";
import { loadSnapshot, type SnapshotFile, snapshotFiles } from "./snapshot.ts";

const PROGRESS_ROWS = 256;

export interface Recovered {
  readonly state: State;
  readonly head: Head;
  /** Rows folded after the snapshot. */
  readonly replayed: number;
  readonly snapshotRow: number;
}

export interface RecoverOptions {
  readonly path: string;
  readonly journalId: string;
  readonly tracksExpiry: boolean;
  /** Receives aggregates when the projections are to be rebuilt; otherwise null. */
  readonly sink?: RecordSink | null;
  /** Called when a damaged snapshot is skipped. */
  readonly warn?: (message: string) => void;
  readonly ignoreSnapshots?: boolean;
  /** Called repeatedly during the fold. */
  readonly onProgress?: () => void;
  /**
   * Whether the database is a copy: the last rows of a copy may be lost with the power, and a
   * witness of them says nothing.
   */
  readonly isCopy?: boolean;
  /** Filled with every key that is in no run; only the writer passes it, see `Journal.keys`. */
  readonly keys?: Keys;
}

/**
 * Folds the journal to its head.
 *
 * @throws Damage when a row, the order, the chain or a witness disagrees, and when SQLite cannot
 * read the file.
 */
export function recover(db: Database, options: RecoverOptions): Recovered {
  return readingJournal(() => fold(db, options));
}

function fold(db: Database, options: RecoverOptions): Recovered {
  // Read before the rows: a running engine's witness may be ahead of rows read earlier.
  const witness = options.isCopy ? null : readHead(headPath(options.path));
  const projected = projectedHead(db);
  const snapshots = snapshotFiles(options.path);
  const journal = new SqliteJournalReader(db);
  options.keys?.openRuns(journal, (message) => options.warn?.(message));
  const usable = options.ignoreSnapshots ? null : newestSnapshot(snapshots, options);
  if (usable) checkReaches(journal, usable.head);
  const state = usable?.state ?? new State({ tracksExpiry: options.tracksExpiry });
  const { keys, sink = null, onProgress } = options;
  const tail = new JournalTail(journal, usable?.head ?? BEGINNING);
  keys?.read(journal, tail.head.row, onProgress);
  const snapshotRow = tail.head.row;
  tail.readAll((row, block) => {
    const isNew = row.row === block.last && block.last > (keys?.coveredRow ?? 0);
    if (isNew && block.keys) keys?.setBlock(block.keys, block.last);
    evolve(state, row, sink);
    if (row.row % PROGRESS_ROWS === 0) onProgress?.();
  });
  const { head } = tail;
  checkWitnesses(journal, options.journalId, head.row, { witness, projected, snapshots });
  if (keys) keys.isComplete = true;
  return { state, head, replayed: head.row - snapshotRow, snapshotRow };
}

function newestSnapshot(
  snapshots: readonly SnapshotFile[],
  options: RecoverOptions,
): { state: State; head: Head } | null {
  for (const file of snapshots) {
    if (file.journalId !== options.journalId) continue;
    const loaded = loadSnapshot(file.path, options);
    if (loaded?.head.row === file.row) return loaded;
    options.warn?.(`snapshot ${file.path} is damaged or of another format; not used`);
  }
  return null;
}

/** The journal must have the snapshot's row with the same chain. */
function checkReaches(journal: JournalReader, snapshot: Head): void {
  const { row } = journal.head();
  if (row < snapshot.row) {
    const message = `ends at row ${row}, a snapshot was taken at row ${snapshot.row}`;
    throw new Damage("journal_behind_witness", message);
  }
  checkChainAt(journal, snapshot, "the snapshot");
}

/** The chain of a witness must be the stored one. */
function checkChainAt(journal: JournalReader, witness: Head, name: string): void {
  if (witness.row === 0) return;
  if (journal.chainAt(witness.row) !== witness.chain) {
    throw new Damage("journal_chain_broken", `row ${witness.row} differs from ${name}`);
  }
}

interface Witnesses {
  readonly witness: ReturnType<typeof readHead>;
  readonly projected: ReturnType<typeof projectedHead>;
  readonly snapshots: readonly SnapshotFile[];
}

/**
 * The head file, the names of snapshots and the projections each show how far the journal once was.
 * Files of another journal count only against an empty one: a lost file must not look like a first
 * start. Projections of another journal are those from before an accepted loss.
 */
function checkWitnesses(
  journal: JournalReader,
  journalId: string,
  row: number,
  found: Witnesses,
): void {
  const { witness, snapshots } = found;
  const projected = found.projected?.journalId === journalId ? found.projected : null;
  const places = [...(witness ? [witness] : []), ...snapshots]
    .filter((place) => place.journalId === journalId || row === 0)
    .map((place) => place.row);
  const furthest = Math.max(0, projected?.row ?? 0, ...places);
  if (furthest > row) {
    const message = `ends at row ${row}, row ${furthest} was acknowledged`;
    throw new Damage("journal_behind_witness", message);
  }
  if (witness?.journalId === journalId) checkChainAt(journal, witness, "the head witness");
  if (projected) checkChainAt(journal, projected, "the records");
}
