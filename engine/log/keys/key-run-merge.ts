/** Merges sorted entries of several runs: the last row of a key wins, "had events" stays set. */
import {
  compareEntries,
  ENTRY,
  isRefusedAt,
  type KeyWords,
  markEffect,
  wordsAt,
} from "./key-index.ts";
import type { KeyRun } from "./key-run.ts";

export interface MergeSource {
  readonly run: KeyRun;
  /** Its old refusals can be dropped. */
  readonly forgets: boolean;
  /** The runs before it, merged or not. */
  readonly older: readonly KeyRun[];
}

/** The entries of a shard of all sources, given oldest first. */
export function mergedShard(sources: readonly MergeSource[], shard: number): Uint32Array {
  let merged: Uint32Array = new Uint32Array(0);
  for (const { run, forgets, older } of sources) {
    const entries = run.sorted(shard);
    const kept = forgets ? withoutRefusals(entries, shard, older) : entries;
    merged = merged.length === 0 ? kept : mergeEntries(merged, kept);
  }
  return merged;
}

/**
 * Drops a refusal only if no older run has its key: otherwise the older row would reappear as the
 * last one. A refusal that stays for this reason stays for good.
 */
function withoutRefusals(
  entries: Uint32Array,
  shard: number,
  older: readonly KeyRun[],
): Uint32Array {
  const key: KeyWords = { shard, a: 0, b: 0, c: 0 };
  let to = 0;
  for (let at = 0; at < entries.length; at += ENTRY) {
    wordsAt(entries, at, key);
    const isRefused = isRefusedAt(entries, at);
    if (isRefused && !older.some((run) => run.find(key) !== 0)) continue;
    entries.copyWithin(to, at, at + ENTRY);
    if (isRefused) markEffect(entries, to);
    to += ENTRY;
  }
  return entries.slice(0, to);
}

function mergeEntries(older: Uint32Array, newer: Uint32Array): Uint32Array {
  const merged = new Uint32Array(older.length + newer.length);
  let [x, y, to] = [0, 0, 0];
  while (x < older.length || y < newer.length) {
    const order = orderOf(older, x, newer, y);
    const [from, at] = order < 0 ? [older, x] : [newer, y];
    for (let i = 0; i < ENTRY; i += 1) merged[to + i] = from[at + i]!;
    if (order === 0 && !isRefusedAt(older, x)) markEffect(merged, to);
    if (order <= 0) x += ENTRY;
    if (order >= 0) y += ENTRY;
    to += ENTRY;
  }
  return merged.slice(0, to);
}

function orderOf(older: Uint32Array, x: number, newer: Uint32Array, y: number): number {
  if (x === older.length) return 1;
  return y === newer.length ? -1 : compareEntries(older, x, newer, y);
}
