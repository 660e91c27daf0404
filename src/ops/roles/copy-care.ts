/**
 * Snapshots of a machine that stands by, from the state that its mirror keeps, so that its next
 * start folds seconds of rows instead of all. On the home the worker writes them, and a leader must
 * not: its clients would wait.
 */
import { SqliteJournalReader } from "../../../engine/log/journal-reader.ts";
import { Snapshotter, type SnapshotterOptions } from "../../../engine/log/snapshotter.ts";
import type { Copy } from "../../../engine/postgres/copy.ts";
import type { Service } from "../../lib/service.ts";

type CopyCareOptions = Omit<SnapshotterOptions, "replica"> & { readonly journalId: string };

/** Begins once at most, and never after a stop. */
export class CopyCare implements Service {
  readonly id = "care of the copy";
  readonly #copy: Pick<Copy, "journal" | "state">;
  readonly #options: CopyCareOptions;
  #snapshotter: Snapshotter | null = null;
  #isStopped = false;

  constructor(copy: Pick<Copy, "journal" | "state">, options: CopyCareOptions) {
    this.#copy = copy;
    this.#options = options;
  }

  /** Call when no other process writes snapshots here: half-written ones are removed. */
  start(): void {
    if (this.#isStopped) return;
    const { journal, state } = this.#copy;
    const { journalId } = this.#options;
    const replica = {
      ...{ journalId, state, journal: new SqliteJournalReader(journal.db) },
      // The mirror applies rows and their state in one turn.
      catchUp: () => true,
      get head() {
        return journal.head;
      },
    };
    this.#snapshotter = new Snapshotter({ ...this.#options, replica });
    this.#snapshotter.start();
  }

  /** Writes a last snapshot if it saves time and time is left. */
  drain(untilMs: number): void {
    this.#isStopped = true;
    this.#snapshotter?.drain(untilMs);
  }

  /** A later drain writes none either: the files are another process's then. */
  stop(): void {
    this.#isStopped = true;
    this.#snapshotter?.stop();
    this.#snapshotter = null;
  }
}
