/** What must be true of any stopped service, whatever happened to it before. */
import type { Hold } from "../../engine/core/records.ts";
import { recover } from "../../engine/log/recover.ts";
import { openForReading } from "../../engine/log/schema.ts";
import { stateHash } from "../../engine/log/snapshot.ts";
import { type Folded, nightsOf } from "./fold.ts";

/** Names every way in which journal, snapshots, projections and counters disagree. */
export function auditJournal(path: string, folded: Folded): string[] {
  return [
    ...folded.oversold,
    ...auditReplay(path, folded),
    ...auditProjections(path, folded),
    ...auditCounters(folded),
  ];
}

/** From a snapshot, from the journal alone and with records: the same state, bit for bit. */
function auditReplay(path: string, folded: Folded): string[] {
  const db = openForReading(path);
  const meta = db.query<{ value: string }, []>("SELECT value FROM meta WHERE name = 'journal_id'");
  const options = { path, journalId: meta.get()!.value, tracksExpiry: true };
  const fast = recover(db, options);
  const whole = recover(db, { ...options, ignoreSnapshots: true });
  db.close();
  const expected = stateHash(folded.state);
  const problems: string[] = [];
  if (fast.snapshotRow === 0) problems.push("no snapshot was used");
  if (stateHash(fast.state) !== expected) problems.push("the state behind a snapshot differs");
  if (stateHash(whole.state) !== expected) problems.push("the state from the journal differs");
  return problems;
}

function auditProjections(path: string, { records }: Folded): string[] {
  const db = openForReading(path);
  const problems = (["holds", "bookings", "payments", "refunds"] as const).flatMap((table) => {
    const query = `SELECT id, doc FROM ${table} ORDER BY id`;
    const stored = db.query<{ id: string; doc: string }, []>(query).all();
    const folded = records[table] as ReadonlyMap<string, unknown>;
    const differing = stored.filter(({ id, doc }) => {
      const expected = JSON.parse(JSON.stringify(folded.get(id) ?? null));
      return !Bun.deepEquals(JSON.parse(doc), expected);
    });
    const count =
      stored.length === folded.size ? [] : [`${table}: ${stored.length} of ${folded.size}`];
    return [...count, ...differing.map(({ id }) => `${table}: ${id} differs from the journal`)];
  });
  db.close();
  return problems;
}

/** Σ holds and bookings = the counters of every night. */
function auditCounters({ state, records }: Folded): string[] {
  const expected = new Map<string, number>();
  const count = (what: string, { quote }: Pick<Hold, "quote">) => {
    for (const day of nightsOf(quote)) {
      const cell = `${what} ${quote.room_type_id} ${day}`;
      expected.set(cell, (expected.get(cell) ?? 0) + 1);
    }
  };
  for (const hold of state.holds.values()) count("held", hold);
  for (const booking of records.bookings.values()) {
    if (booking.state === "confirmed") count("sold", booking);
  }
  const problems: string[] = [];
  for (const property of state.allProperties()) {
    for (const [id, room] of property.rooms) {
      for (let day = state.baseDay; day < state.baseDay + DAYS_COUNTED; day += 1) {
        for (const what of ["held", "sold"] as const) {
          const counted = room[what].get(day);
          const wanted = expected.get(`${what} ${id} ${day}`) ?? 0;
          if (counted !== wanted) problems.push(`${what} ${id} ${day}: ${counted}, not ${wanted}`);
        }
      }
    }
  }
  return problems;
}

/** The load stays within the demo's 400 nights. */
const DAYS_COUNTED = 400;
