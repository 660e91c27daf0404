/**
 * Idempotency keys alone, in runs as the worker writes them: what it costs to write so many, to
 * open them, and to find that a key is new. The journal behind them is made up as it is read, so
 * that years of keys take no longer than their runs do.
 */
import { randomFillSync } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { KEY_BYTES } from "../engine/log/block.ts";
import type { JournalReader } from "../engine/log/journal-port.ts";
import { KeyRunKeeper } from "../engine/log/keys/key-run-keeper.ts";
import { Keys } from "../engine/log/keys/keys.ts";
import { crcOfBlock } from "../engine/log/stored-row.ts";

const JOURNAL_ID = "a".repeat(32);
const BLOCK_ROWS = 128;
/** The worker writes a run before each snapshot: of so many rows at most. */
const RUN_ROWS = 1_000_064 - (1_000_064 % BLOCK_ROWS);
const LOOKS = 200_000;
/** Not a refusal: those leave after some days. */
const PAYLOAD = Buffer.from(Array(BLOCK_ROWS).fill('{"events":[{}]}').join("\n"));

/** A journal of random keys, of which only this much is ever asked. */
const endless: Pick<JournalReader, "pageAfter" | "chainAt"> = {
  pageAfter(row) {
    const keys = randomFillSync(Buffer.alloc(BLOCK_ROWS * KEY_BYTES));
    const crc = crcOfBlock(PAYLOAD, keys);
    const block = { row: row + BLOCK_ROWS, keys, payload: PAYLOAD, crc, chain: JOURNAL_ID };
    return { blocks: [block], isFull: true };
  },
  chainAt: () => JOURNAL_ID,
};

/** Times in microseconds for each key, but for `openMs`. */
export interface KeyRunFigures {
  readonly count: number;
  readonly writtenUs: number;
  readonly openMs: number;
  readonly newKeyUs: number;
}

/** Writes runs of about `count` keys into `directory`, which is gone afterwards. */
export async function measureKeyRuns(directory: string, count: number): Promise<KeyRunFigures> {
  mkdirSync(directory);
  const journalPath = join(directory, "0.db");
  const journal = endless as JournalReader;
  const of = { journalPath, journalId: JOURNAL_ID, journal, keptDays: 7, nowMs: Date.now };
  const keeper = new KeyRunKeeper({ ...of, log: () => {} });
  const startedMs = performance.now();
  for (let row = 0; row < count; ) {
    row = Math.min(row + RUN_ROWS, count - (count % BLOCK_ROWS) + BLOCK_ROWS);
    await keeper.cover(row);
  }
  const writtenMs = performance.now() - startedMs;
  const openedMs = performance.now();
  const keys = new Keys(journalPath, JOURNAL_ID);
  keys.openRuns(journal, (message) => {
    throw new Error(message);
  });
  const openMs = performance.now() - openedMs;
  const newKeyUs = newKeyCost(keys);
  rmSync(directory, { recursive: true });
  const covered = keys.coveredRow;
  return { count: covered, writtenUs: (writtenMs * 1_000) / covered, openMs, newKeyUs };
}

/** A look at a key that no run has, which is what nearly every command comes with. */
function newKeyCost(keys: Keys): number {
  const looked = randomFillSync(Buffer.alloc(LOOKS * KEY_BYTES));
  const startedMs = performance.now();
  for (let at = 0; at < looked.length; at += KEY_BYTES) {
    if (keys.find(looked.subarray(at, at + KEY_BYTES)) > 0) throw new Error("a key came twice");
  }
  return ((performance.now() - startedMs) * 1_000) / LOOKS;
}
