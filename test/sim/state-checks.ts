/**
 * The invariants of the design's proof: cells after every group, and from time to time everything
 * that a restart, a replica or a rebuild would make of the journal.
 */

import type { Database } from "bun:sqlite";
import { isDeepStrictEqual } from "node:util";
import { Damage, type DamageName } from "../../engine/core/damage.ts";
import { publicEvents } from "../../engine/core/public-events.ts";
import { indexOf } from "../../engine/core/search/search-index.ts";
import { pageStart } from "../../engine/core/state/nights.ts";
import { BesideWriter } from "../../engine/log/beside-writer.ts";
import { KEY_BYTES, plainBlock, type StoredBlock } from "../../engine/log/block.ts";
import { scrubbingRows } from "../../engine/log/care/scrubbing.ts";
import type { Journal } from "../../engine/log/journal.ts";
import { SqliteJournalReader } from "../../engine/log/journal-reader.ts";
import { RecordStore } from "../../engine/log/record-store.ts";
import { recover } from "../../engine/log/recover.ts";
import type { Replica } from "../../engine/log/replica.ts";
import { openForWriting } from "../../engine/log/schema.ts";
import { stateHash } from "../../engine/log/snapshot.ts";
import { crcOfBlock } from "../../engine/log/stored-row.ts";
import { keptAndAnew } from "../support/index-facts.ts";
import { blockWith, storedBlocks } from "../support/stored-blocks.ts";
import { check, same } from "./check.ts";
import type { Model } from "./model.ts";
import { nightsOf } from "./model-supply.ts";
import type { Random } from "./random.ts";
import type { Shard } from "./shard.ts";

/** Cells are compared from nights that are over past every stay, and wherever a unit is taken. */
const NIGHTS_BACK = 4;
const NIGHTS = 24;

/**
 * Counters are the sums over holds and bookings, and never above what may be sold; the index knows
 * what is on sale, and of which nights a unit is left.
 */
export class CellChecks {
  /** `sold + held` of each cell after the last group. */
  #before = new Map<string, number>();

  /** @returns how many cells stand above their capacity after a cut. */
  check({ state }: Shard, model: Model, hadCut: boolean): number {
    const expected = expectedCells(model);
    const nights = Map.groupBy(expected.keys(), (cell) => cell.split("|")[0]!);
    const after = new Map<string, number>();
    const kept = pageStart(model.keptDay);
    const first = Math.max(model.baseDay - NIGHTS_BACK, kept);
    const near = Array.from({ length: NIGHTS }, (_, i) => first + i);
    let over = 0;
    for (const { tree, tenant, mode, state: life } of model.ledger.supply.properties.values()) {
      const realm = { tenant_id: tenant, mode };
      const property = state.property(realm, tree.id);
      const index = indexOf(state, realm);
      const isOnSale = index.ordinalOf(tree.id) !== undefined;
      same(isOnSale, life === "live", `${tree.id} in the index`);
      for (const roomType of tree.room_types) {
        const room = property?.rooms.get(roomType.id);
        check(room !== undefined, () => `room type ${roomType.id} is lost`);
        const taken = (nights.get(roomType.id) ?? []).map((cell) => Number(cell.split("|")[1]));
        for (const day of new Set([...near, ...taken.filter((day) => day >= kept)])) {
          const cell = `${roomType.id}|${day}`;
          const [held, sold] = expected.get(cell) ?? [0, 0];
          const isSame = room.held.get(day) === held && room.sold.get(day) === sold;
          check(
            isSame,
            () =>
              `${cell}: ${room.held.get(day)} held ${room.sold.get(day)} sold, not ${held} ${sold}`,
          );
          const units = held + sold;
          after.set(cell, units);
          const effective = model.ledger.supply.effective(roomType, day);
          if (isOnSale && day >= index.firstDay && day < index.endDay) {
            same(index.free.get(room.ordinal, day), units < effective, `the index of ${cell}`);
          }
          if (units <= effective) continue;
          over += 1;
          const isRaised = units > (this.#before.get(cell) ?? 0);
          check(!isRaised || hadCut, () => `cell ${cell} was raised above its capacity`);
        }
      }
    }
    this.#before = after;
    return over;
  }
}

function expectedCells({ ledger }: Model): Map<string, [held: number, sold: number]> {
  const cells = new Map<string, [number, number]>();
  const add = (quote: Parameters<typeof nightsOf>[0], at: 0 | 1) => {
    for (const day of nightsOf(quote)) {
      const cell = `${quote.room_type_id}|${day}`;
      const counts = cells.get(cell) ?? [0, 0];
      counts[at] += 1;
      cells.set(cell, counts);
    }
  };
  for (const hold of ledger.open) add(hold.quote, 0);
  for (const booking of ledger.bookings.values()) {
    if (booking.state !== "cancelled") add({ ...booking.quote, stay: booking.stay }, 1);
  }
  return cells;
}

/** Live state, its replay, its replica and its projections are the same, bit for bit. */
export function checkDeeply(shard: Shard, replica: Replica, model: Model, path: string): void {
  const { journal, state } = shard;
  const live = stateHash(state);
  for (const tenant_id of state.tenants.keys()) {
    for (const mode of ["live", "test"] as const) {
      const { kept, anew } = keptAndAnew(state, { tenant_id, mode });
      same(kept, anew, "the index of a realm");
    }
  }
  same([state.row, journal.head.row], [model.row, model.row], "row of the live state");
  const rebuilt = openForWriting(":memory:");
  try {
    const sink = new RecordStore(rebuilt, () => null);
    const base = { path, journalId: journal.id, tracksExpiry: false };
    const replayed = recover(journal.db, { ...base, sink, ignoreSnapshots: true });
    same(replayed.head, journal.head, "head of the replay");
    same(stateHash(replayed.state), live, "replay of the journal");
    const restored = recover(journal.db, base);
    same(stateHash(restored.state), live, "state from the last snapshot");
    new BesideWriter(rebuilt).write(sink.changes());
    for (const table of [
      "holds",
      "bookings",
      "payments",
      "refunds",
      "authorizations",
      "oversell_incidents",
    ]) {
      same(documents(journal.db, table), documents(rebuilt, table), `rebuilt ${table}`);
    }
  } finally {
    rebuilt.close();
  }
  const isCurrent = replica.catchUp(1_000);
  check(isCurrent && stateHash(replica.state) === live, "the replica differs from the live state");
  checkRecords(shard, model);
}

function documents(db: Database, table: string): unknown[] {
  return db.query<object, []>(`SELECT id, doc, crc FROM ${table} ORDER BY id`).all();
}

const EVENT_ROWS = 256;

/** Every public event names the person of its row, and no other. */
export function checkPeople(replica: Replica): void {
  const { row: last } = replica.head;
  for (let first = 1; first <= last; first += EVENT_ROWS) {
    for (const { row, chain } of replica.rowsFrom(first, EVENT_ROWS)) {
      for (const { event } of publicEvents(row, chain, replica.eventLookups)) {
        same(event.person_id, row.actor.person_id, `person of event ${event.seq}`);
      }
    }
  }
}

/** What a client was told exists and means the same; money adds up. */
function checkRecords({ engine, state }: Shard, { ledger }: Model): void {
  const { records } = engine;
  for (const hold of ledger.holds.values()) {
    const stored = state.holds.get(hold.id) ?? records.hold(hold.id);
    const facts = [stored?.state, stored?.expires_at, stored?.booking_id ?? null];
    same(facts, [hold.state, hold.expiresAt, hold.booking?.id ?? null], `hold ${hold.id}`);
  }
  for (const payment of ledger.payments.values()) {
    const stored = records.payment(payment.id);
    const facts = [stored?.state, stored?.amount, stored?.refunded, stored?.created_at];
    const expected = [payment.state, payment.amount, payment.refunded, payment.createdAt];
    same(facts, expected, `payment ${payment.id}`);
  }
  for (const booking of ledger.bookings.values()) {
    const stored = records.booking(booking.id);
    const facts = [stored?.state, stored?.confirmation_code, stored?.payment_id ?? null];
    const expected = [booking.state, booking.code, booking.payment?.id ?? null];
    same(stored?.version, booking.version, `version of booking ${booking.id}`);
    same(stored?.quote, booking.quote, `price and terms of booking ${booking.id}`);
    same(facts, expected, `booking ${booking.id}`);
    const by = [stored?.erased?.by ?? null, stored?.notes?.at(-1)?.by ?? null];
    const whom = [booking.erasedBy ?? null, booking.notedBy ?? null];
    check(isDeepStrictEqual(by, whom), () => `booking ${booking.id} names another actor`);
    check(records.isCodeTaken(booking.tenant_id, booking.code), "a confirmation code is free");
  }
  for (const refund of ledger.refunds.values()) {
    const stored = records.refund(refund.id);
    const facts = [stored?.state, stored?.amount, stored?.created_at];
    same(facts, [refund.state, refund.amount, refund.createdAt], `refund ${refund.id}`);
  }
  for (const each of ledger.authorizations.values()) {
    const stored = records.authorization(each.id);
    const facts = [stored?.state, stored?.max_amount, stored?.expires_at];
    const expected = [each.state, each.maxAmount, each.expiresAt];
    same(facts, expected, `authorization ${each.id}`);
    const paid = stored?.used?.payment_id ?? null;
    same(paid, each.usedBy?.id ?? null, `use of authorization ${each.id}`);
  }
}

/** What is stored, written anew with a CRC that is true of it. */
function rewrite(db: Database, row: number, change: (text: string[]) => string[]): void {
  const [stored] = new SqliteJournalReader(db).pageAfter(row - 1).blocks as [StoredBlock];
  const lines = change(plainBlock(stored).payload.toString().split("\n"));
  if (lines.length === 0) return void db.run("DELETE FROM journal WHERE row = ?", [stored.row]);
  const payload = lines.join("\n");
  const keys = stored.keys && Buffer.concat([stored.keys], lines.length * KEY_BYTES);
  const set = "UPDATE journal SET key = ?, payload = CAST(? AS BLOB), crc = ? WHERE row = ?";
  db.run(set, [keys, payload, crcOfBlock(Buffer.from(payload), keys), stored.row]);
}

/** Ways a journal can be damaged, and the name each must be refused by. */
const DAMAGES: readonly { name: DamageName; inflict: (db: Database, row: number) => void }[] = [
  {
    name: "journal_row_damaged",
    inflict: (db, row) =>
      db.run(`UPDATE journal SET payload = CAST(payload || ' ' AS BLOB) WHERE ${blockWith(row)}`),
  },
  {
    name: "journal_row_damaged",
    inflict: (db, row) =>
      db.run(`UPDATE journal SET key = ? WHERE ${blockWith(row)}`, [Buffer.alloc(16, row)]),
  },
  {
    name: "journal_row_damaged",
    // The keys of a block one row further than they belong.
    inflict: (db, row) =>
      db.run(
        `UPDATE journal
         SET key = CAST(coalesce(substr(key, 17) || randomblob(16), randomblob(16)) AS BLOB)
         WHERE ${blockWith(row)}`,
      ),
  },
  {
    name: "journal_chain_broken",
    inflict: (db, row) => rewrite(db, row, (lines) => [`${lines[0]} `, ...lines.slice(1)]),
  },
  {
    name: "journal_chain_broken",
    // Rows in each other's place; a lone one with something behind it.
    inflict: (db, row) =>
      rewrite(db, row, (lines) => (lines.length > 1 ? lines.toReversed() : [`${lines[0]}\t`])),
  },
  {
    name: "journal_chain_broken",
    // A block that begins a row too early.
    inflict: (db, row) => rewrite(db, row, (lines) => [...lines, "{}"]),
  },
  {
    name: "journal_gap",
    inflict: (db, row) => db.run(`DELETE FROM journal WHERE ${blockWith(row)}`),
  },
  {
    name: "journal_gap",
    // A block that begins a row too late, or is not there.
    inflict: (db, row) => rewrite(db, row, (lines) => lines.slice(1)),
  },
  {
    name: "journal_behind_witness",
    inflict: (db, row) => db.run("DELETE FROM journal WHERE row >= ?", [row]),
  },
];

/** Damages the journal inside a transaction that is rolled back; recovery must refuse by name. */
export function checkDamage({ journal }: Shard, path: string, random: Random): DamageName | null {
  // Not in the last block: without that one the journal is behind its witnesses.
  const last = storedBlocks(journal.db).at(-1)?.first ?? 1;
  if (last === 1) return null;
  const { name, inflict } = random.pick(DAMAGES);
  journal.db.run("BEGIN");
  try {
    inflict(journal.db, random.between(1, last - 1));
    const base = { path, journalId: journal.id, tracksExpiry: false };
    let refused: unknown = null;
    try {
      recover(journal.db, { ...base, ignoreSnapshots: true });
    } catch (error) {
      refused = error;
    }
    const isNamed = refused instanceof Damage && refused.damage === name;
    check(isNamed, () => `${name} was answered by ${refused}`);
    if (name !== "journal_behind_witness")
      same(scrubbed(journal, path), name, "what a scrub tells");
  } finally {
    journal.db.run("ROLLBACK");
  }
  return name;
}

/** What reading the journal through names, up to the row that it last had. */
function scrubbed({ db, id: journalId, head }: Journal, journalPath: string): DamageName | null {
  const of = { journalPath, journalId, journal: new SqliteJournalReader(db) };
  try {
    for (const _place of scrubbingRows(of, of.journal.archivedHead(), head.row));
    return null;
  } catch (error) {
    if (error instanceof Damage) return error.damage;
    throw error;
  }
}

/**
 * What the provider took, by payment, is what was confirmed to the cent, or it went back.
 *
 * @returns how many captures came too late.
 */
export function checkMoney({ ledger }: Model, captured: ReadonlyMap<string, number>): number {
  let late = 0;
  for (const [id, amount] of captured) {
    const payment = ledger.payments.get(id);
    const bookings = [...ledger.bookings.values()].filter((each) => each.payment === payment);
    const refunds = [...ledger.refunds.values()].filter(
      (each) => each.payment === payment && each.reason === "late_capture" && !each.isRetry,
    );
    same(bookings.length + refunds.length, 1, `what came of the captured payment ${id}`);
    const due = payment?.hold.quote.due_now;
    same(bookings[0] ? due : refunds[0]?.amount, amount, `captured by payment ${id}`);
    late += refunds.length;
  }
  for (const { id, payment, holdId } of ledger.bookings.values()) {
    const taken = payment ? captured.get(payment.id) : 0;
    same(taken, ledger.holds.get(holdId)!.quote.due_now, `captured for booking ${id}`);
  }
  return late;
}
