/**
 * A property at an earlier row, by folding the journal up to it: for a process of its own. Rows
 * that cannot concern the property are passed over unparsed, which is most of the time of a fold.
 */
import type { Database } from "bun:sqlite";
import { HOLD_MARK } from "../core/codec/row-codec.ts";
import { evolve } from "../core/evolve.ts";
import { State } from "../core/state/state.ts";
import { BEGINNING, type Head } from "./head.ts";
import { SqliteJournalReader } from "./journal-reader.ts";
import { blocksAfter } from "./journal-tail.ts";
import { JOURNAL_ID, readMeta } from "./meta.ts";
import { loadSnapshot, snapshotFiles } from "./snapshot.ts";

/**
 * The state after `row` as far as it is the property's, from the newest snapshot up to it, else
 * from the beginning. `path` is the journal that `db` has open.
 *
 * @throws Damage when a row is damaged; Error when the journal ends before `row`.
 */
export function pastState(db: Database, path: string, row: number, propertyId: string): State {
  const journal = new SqliteJournalReader(db);
  const base = newestUpTo(path, readMeta(db, JOURNAL_ID) ?? "", row);
  const isOurs = base !== null && journal.chainAt(base.head.row) === base.head.chain;
  const state = isOurs ? base.state : new State({ tracksExpiry: false });
  const from = isOurs ? base.head : BEGINNING;
  if (from.row === row) return state;
  const named = Buffer.from(propertyId);
  for (const block of blocksAfter(journal, from)) {
    const last = Math.min(row, block.last);
    for (let each = Math.max(block.first, from.row + 1); each <= last; each += 1) {
      if (mayConcern(block.bytesOf(each), named, state)) evolve(state, block.foldRowAt(each), null);
      state.row = each;
    }
    if (last === row) return state;
  }
  throw new Error(`the journal ends before row ${row}`);
}

/** Ids of things that memory has while they are open. */
const OPEN_IDS = /\b(?:hld|pay|osi)_[0-9a-z]{28}/g;

/**
 * Whether a row may change the property: it names it, or something open of it, or is about no
 * property at all, such as the window or a clock. An open thing is known by the row that opened it,
 * which names the property.
 */
function mayConcern(bytes: Buffer, propertyId: Buffer, { holds, payments, incidents }: State) {
  if (bytes.includes(propertyId)) return true;
  if (bytes[0] === HOLD_MARK.charCodeAt(0)) return false;
  const line = bytes.toString();
  const ids = line.match(OPEN_IDS);
  if (ids) return ids.some((id) => holds.has(id) || payments.has(id) || incidents.has(id));
  return !line.includes('"property_id":');
}

function newestUpTo(
  path: string,
  journalId: string,
  row: number,
): { state: State; head: Head } | null {
  for (const file of snapshotFiles(path)) {
    if (file.row > row || file.journalId !== journalId) continue;
    const loaded = loadSnapshot(file.path, { journalId, tracksExpiry: false });
    if (loaded) return loaded;
  }
  return null;
}
