/** Writes what a group changes beside its rows into the projections of a journal's database. */
import type { Database } from "bun:sqlite";
import type { Booking } from "../core/records.ts";
import type { Beside, RecordChanges } from "./beside.ts";
import { listFinding } from "./care/quarantine.ts";
import { DESK_COLUMNS, deskRowOf } from "./desk-index.ts";
import { appendErasures, eraseKeys } from "./erasures.ts";
import { KINDS, perKind, STORED_KINDS, type StoredKind } from "./stored-record.ts";
import { crcOf } from "./stored-row.ts";

/**
 * The columns that an update may change. SQLite moves the index entry of every column that a
 * statement sets, changed or not, and each entry is another page of the group's transaction.
 */
const CHANGING: readonly string[] = [
  ...["state", "doc", "crc", "wrapped_key", "email_hash", "name_hash", "expires_at"],
];

export class BesideWriter {
  readonly #db: Database;
  readonly #erasures: string | null;
  readonly #onErased: () => void;
  readonly #statements;

  /**
   * `erasures`: path of the list of erased guests, which is written before the transaction that
   * deletes their keys commits; null for none. `onErased` is called in that transaction.
   */
  constructor(db: Database, erasures: string | null = null, onErased: () => void = () => {}) {
    this.#db = db;
    this.#erasures = erasures;
    this.#onErased = onErased;
    const upsert = (table: string, names: readonly string[]) => {
      const marks = names.map(() => "?").join(", ");
      const changing = names.filter((name) => CHANGING.includes(name));
      const set = changing.map((name) => `${name} = excluded.${name}`);
      const isOther = changing.map((name) => `${name} IS NOT excluded.${name}`);
      return db.prepare(
        `INSERT INTO ${table}(${names.join(", ")}) VALUES (${marks})
         ON CONFLICT(${names[0]}) DO UPDATE SET ${set.join(", ")} WHERE ${isOther.join(" OR ")}`,
      );
    };
    this.#statements = {
      record: perKind((kind) => {
        const { table, columns } = KINDS[kind];
        return upsert(table, ["id", "doc", "crc", ...Object.keys(columns)]);
      }),
      subjectKey: upsert("subject_keys", ["booking_id", "wrapped_key", "email_hash", "name_hash"]),
      desk: upsert("desk", DESK_COLUMNS),
      movedRoom: db.prepare("UPDATE bookings SET room_type_id = ?1 WHERE id = ?2"),
      movedStay: db.prepare("UPDATE desk SET check_in = ?1, check_out = ?2 WHERE booking_id = ?3"),
    };
  }

  /** Call inside the transaction of the rows. */
  write({ records, subjectKeys, erased, findings }: Beside): void {
    for (const kind of STORED_KINDS) this.#writeKind(kind, records[kind]);
    for (const booking of records.booking.values()) {
      this.#statements.desk.run(...deskRowOf(booking));
      if (booking.earlier) this.#writeMoved(booking);
    }
    for (const { booking_id, wrapped_key, guest } of subjectKeys.values()) {
      const { email = null, name = null } = guest ?? {};
      this.#statements.subjectKey.run(booking_id, wrapped_key, email, name);
    }
    if (erased.size > 0) {
      const ids = [...erased];
      if (this.#erasures !== null) appendErasures(this.#erasures, ids);
      this.#onErased();
      eraseKeys(this.#db, ids);
    }
    for (const finding of findings) listFinding(this.#db, finding);
  }

  /** The columns of a changed stay, which no other change of a booking touches. */
  #writeMoved({ booking_id, quote: { room_type_id, stay } }: Booking): void {
    this.#statements.movedRoom.run(room_type_id, booking_id);
    this.#statements.movedStay.run(stay.check_in, stay.check_out, booking_id);
  }

  #writeKind<K extends StoredKind>(kind: K, changed: RecordChanges[K]): void {
    const columns = Object.values(KINDS[kind].columns);
    for (const [id, record] of changed) {
      const doc = JSON.stringify(record);
      const beside = columns.map((of) => of(record));
      this.#statements.record[kind].run(id, doc, crcOf(doc), ...beside);
    }
  }
}
