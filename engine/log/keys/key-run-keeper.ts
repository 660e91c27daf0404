/**
 * Maintains the key runs of a journal (`key-run.ts`): writes runs of new rows, merges runs so that
 * few remain, and drops refusals after their time. Runs in the worker, never in the engine.
 *
 * A run is merged when it is less than four times as long as what follows it. So the number of runs
 * is about the logarithm of the number of keys to base four, and each key is written about as
 * often.
 */
import { readdirSync, rmSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Log } from "../../../src/lib/service.ts";
import { Block, KEY_BYTES, type StoredBlock } from "../block.ts";
import { BEGINNING } from "../head.ts";
import type { JournalReader } from "../journal-port.ts";
import { isForgettable, isRefusalOnly } from "./key-expiry.ts";
import { KeyIndex, SHARDS } from "./key-index.ts";
import {
  type KeyRun,
  RunDamaged,
  type RunFile,
  type RunHeader,
  runFiles,
  runPath,
} from "./key-run.ts";
import { mergedShard } from "./key-run-merge.ts";
import { KeyRunWriter, type RunDisk } from "./key-run-writer.ts";
import { type ChosenRuns, chooseRuns } from "./key-runs.ts";

/** With fewer new rows no run is written. */
const ROWS_LEAST = 10_000;
/** More rows are written as several runs; their keys stay in memory until then. */
const ROWS_MAX = 1_000_000;
const MERGE_BELOW = 4;
/** A run is rewritten when this share of its keys can be dropped. */
const FORGETTABLE_SHARE = 0.25;
const SLICE_MS = 10;

export interface KeyRunKeeperOptions {
  readonly journalPath: string;
  readonly journalId: string;
  readonly journal: JournalReader;
  /** How long refusals are kept. */
  readonly keptDays: number;
  /** Engine time. */
  readonly nowMs: () => number;
  readonly log: Log;
  readonly rowsLeast?: number;
  readonly disk?: RunDisk;
}

type Written = Pick<
  RunHeader,
  "first_row" | "last_row" | "chain_before" | "chain" | "refused_at_ms"
>;
type Writes = (writer: KeyRunWriter) => Promise<void>;

export class KeyRunKeeper {
  readonly #options: KeyRunKeeperOptions;
  readonly #disk: RunDisk;
  #sliceEndMs = 0;
  #isStopped = false;
  #open: readonly KeyRun[] = [];

  /** Removes half-written files of a killed process. */
  constructor(options: KeyRunKeeperOptions) {
    this.#options = options;
    this.#disk = options.disk ?? DISK;
    const folder = dirname(options.journalPath);
    const start = `${basename(options.journalPath, ".db")}.keys-`;
    for (const name of readdirSync(folder)) {
      if (name.startsWith(start) && name.endsWith(".tmp")) rmSync(join(folder, name));
    }
  }

  /** Ends work in progress at its next slice. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Writes the keys of the rows up to `throughRow`, if there are enough, and merges. */
  async cover(throughRow: number): Promise<void> {
    try {
      let chosen = await this.#choose();
      for (let to = this.#endOfNext(chosen, throughRow); to > 0; ) {
        await this.#writeNew(chosen.coveredRow, to);
        chosen = await this.#choose();
        to = this.#endOfNext(chosen, throughRow);
      }
      for (let from = this.#mergeFrom(chosen); from >= 0; from = this.#mergeFrom(chosen)) {
        await this.#merge(chosen.runs, from, chosen.runs.length);
        chosen = await this.#choose();
      }
      for (let at = this.#staleAt(chosen); at >= 0; at = this.#staleAt(chosen)) {
        await this.#merge(chosen.runs, at, at + 1);
        chosen = await this.#choose();
      }
      await this.#removeSuperseded(chosen);
    } catch (error) {
      if (error instanceof Stopped) return;
      if (error instanceof RunDamaged) await this.#disk.remove(error.path);
      throw error;
    }
  }

  /** The undamaged runs; removes the others, which are then written again. */
  async #choose(): Promise<ChosenRuns> {
    const unsound: RunFile[] = [];
    const chosen = chooseRuns({ ...this.#options, open: this.#open }, (file, problem) => {
      unsound.push(file);
      this.#options.log("warn", "key run removed, its keys are read from the journal", { problem });
    });
    for (const { path } of unsound) await this.#disk.remove(path);
    this.#open = chosen.runs;
    return chosen;
  }

  /** The last row of the next run; 0 when none is due. */
  #endOfNext({ coveredRow, nextFirstRow }: ChosenRuns, throughRow: number): number {
    const most = coveredRow + ROWS_MAX;
    // A gap is always filled: the runs behind it are not used until then.
    if (nextFirstRow !== null) return Math.min(nextFirstRow - 1, most);
    const isWorthIt = throughRow - coveredRow >= (this.#options.rowsLeast ?? ROWS_LEAST);
    return isWorthIt ? Math.min(throughRow, most) : 0;
  }

  async #writeNew(after: number, lastRow: number): Promise<void> {
    const { journal } = this.#options;
    const index = new KeyIndex();
    let refusedAtMs = 0;
    for (let row = after; row < lastRow; ) {
      const { blocks } = journal.pageAfter(row);
      if (blocks.length === 0) throw new Error(`the journal ends at row ${row}`);
      for (const stored of blocks) {
        if (row >= lastRow) break;
        refusedAtMs = Math.max(refusedAtMs, addBlock(index, stored, { after: row, lastRow }));
        row = Math.min(stored.row, lastRow);
        await this.#breathe();
      }
    }
    const chain_before = after === 0 ? BEGINNING.chain : chainAt(journal, after);
    const chain = chainAt(journal, lastRow);
    const rows = { first_row: after + 1, last_row: lastRow, chain_before, chain };
    await this.#write({ ...rows, refused_at_ms: refusedAtMs }, async (writer) => {
      for (let shard = 0; shard < SHARDS; shard += 1) {
        await writer.append(shard, index.sorted(shard));
        await this.#breathe();
      }
    });
  }

  /** The index of the first run to merge, or -1. */
  #mergeFrom({ runs }: ChosenRuns): number {
    let from = runs.length - 1;
    let count = runs[from]?.header.count ?? 0;
    while (from > 0 && runs[from - 1]!.header.count < MERGE_BELOW * count) {
      from -= 1;
      count += runs[from]!.header.count;
    }
    return from < runs.length - 1 ? from : -1;
  }

  async #merge(runs: readonly KeyRun[], from: number, to: number): Promise<void> {
    const sources = runs.slice(from, to).map((run) => {
      return { run, forgets: this.#mayForget(run), older: runs.slice(0, runs.indexOf(run)) };
    });
    const kept = sources.filter(({ forgets }) => !forgets).map(({ run }) => run.header);
    const refused_at_ms = Math.max(0, ...kept.map((header) => header.refused_at_ms));
    // Row numbers and chains come from the runs: the journal's own rows may be damaged by now.
    const { first_row, chain_before } = runs[from]!.header;
    const { last_row, chain } = runs[to - 1]!.header;
    const about = { first_row, last_row, chain_before, chain, refused_at_ms };
    await this.#write(about, async (writer) => {
      for (let shard = 0; shard < SHARDS; shard += 1) {
        await writer.append(shard, mergedShard(sources, shard));
        await this.#breathe();
      }
    });
  }

  #mayForget({ header }: KeyRun): boolean {
    const { keptDays, nowMs } = this.#options;
    return header.refused > 0 && isForgettable(header.refused_at_ms, nowMs(), keptDays);
  }

  /** The index of a run to rewrite without its old refusals, or -1. */
  #staleAt({ runs }: ChosenRuns): number {
    return runs.findIndex((run) => {
      const { refused, count } = run.header;
      return refused > count * FORGETTABLE_SHARE && this.#mayForget(run);
    });
  }

  async #write(about: Written, fill: Writes): Promise<void> {
    const { journalPath, journalId, log } = this.#options;
    const startedMs = performance.now();
    const { first_row, last_row } = about;
    const path = runPath(journalPath, { journalId, firstRow: first_row, lastRow: last_row });
    const file = await this.#disk.open(`${path}.tmp`);
    let keys: number;
    try {
      const writer = new KeyRunWriter(file);
      await fill(writer);
      keys = await writer.finish({ journal_id: journalId, ...about });
    } catch (error) {
      // On a full disk a half-written file would keep the disk full.
      await this.#disk.remove(`${path}.tmp`);
      throw error;
    } finally {
      await file.close();
    }
    await this.#disk.rename(`${path}.tmp`, path);
    await this.#disk.syncFolder(dirname(path));
    const ms = Math.round(performance.now() - startedMs);
    log("info", "keys written", { first_row, row: last_row, keys, ms });
  }

  /** Removes runs that others cover, and those of former journal ids. */
  async #removeSuperseded({ runs, coveredRow }: ChosenRuns): Promise<void> {
    const { journalPath, journalId } = this.#options;
    const used = new Set(runs.map(({ file }) => file.path));
    for (const file of runFiles(journalPath)) {
      const isOwn = file.journalId === journalId;
      if (used.has(file.path) || (isOwn && file.lastRow > coveredRow)) continue;
      await this.#disk.remove(file.path);
    }
  }

  /** Yields to other work after a slice. */
  async #breathe(): Promise<void> {
    if (performance.now() < this.#sliceEndMs) return;
    await nextTurn();
    if (this.#isStopped) throw new Stopped();
    this.#sliceEndMs = performance.now() + SLICE_MS;
  }
}

function chainAt(journal: JournalReader, row: number): string {
  const chain = journal.chainAt(row);
  if (chain === null) throw new Error(`the journal has no row ${row}`);
  return chain;
}

class Stopped extends Error {
  override readonly name = "Stopped";
}

/**
 * Adds the keys of the rows after `after` up to `lastRow`; returns the time of its last refusal, or
 * 0. Only lines without events can be refusals; the others are not decoded.
 */
function addBlock(
  index: KeyIndex,
  stored: StoredBlock,
  { after, lastRow }: { readonly after: number; readonly lastRow: number },
): number {
  const block = new Block(stored);
  if (!block.keys) return 0;
  let refusedAtMs = 0;
  const isRefused = (row: number): boolean => {
    if (!block.lineOf(row).includes('"events":[]')) return false;
    const found = block.rowAt(row);
    if (!isRefusalOnly(found)) return false;
    refusedAtMs = Math.max(refusedAtMs, found.stamp);
    return true;
  };
  const first = Math.max(block.first, after + 1);
  const last = Math.min(block.last, lastRow);
  const at = (row: number) => (row - block.first) * KEY_BYTES;
  index.setBlock(block.keys.subarray(at(first), at(last + 1)), last, isRefused);
  return refusedAtMs;
}

const DISK: RunDisk = {
  open: (path) => open(path, "w", 0o600),
  rename,
  remove: (path) => rm(path, { force: true }),
  syncFolder: async (path) => {
    const folder = await open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
};
