/**
 * The conservation check: after a load the journal has every acknowledged hold, and the cells have
 * exactly the units of the open holds and the confirmed bookings.
 */
import type { Database } from "bun:sqlite";
import { dayOf } from "../engine/core/calendar.ts";
import type { Event, Row } from "../engine/core/events/event.ts";
import { evolve } from "../engine/core/evolve.ts";
import type { Stay } from "../engine/core/price/quote.ts";
import { pageStart, windowEnd } from "../engine/core/state/nights.ts";
import { effectiveCapacity } from "../engine/core/state/room-state.ts";
import { type PropertyEntry, State } from "../engine/core/state/state.ts";
import { SqliteJournalReader } from "../engine/log/journal-reader.ts";
import { JournalTail } from "../engine/log/journal-tail.ts";
import { openForReading } from "../engine/log/schema.ts";
import { GENESIS_CHAIN } from "../engine/log/stored-row.ts";

/** A violation; the benchmark fails with it. */
export class NotConserved extends Error {
  override readonly name = "NotConserved";
}

function nightsOf({ check_in, check_out }: Stay): number {
  return dayOf(check_out) - dayOf(check_in);
}

export class Ledger {
  readonly #db: Database;
  readonly #state = new State({ tracksExpiry: false });
  /** Keys of the commands that created a hold. */
  readonly #holdKeys = new Set<string>();
  readonly #tail: JournalTail;
  #soldNights = 0;

  /** Opens a journal that may still be written to; `read` folds it. */
  constructor(journalPath: string) {
    this.#db = openForReading(journalPath);
    this.#tail = new JournalTail(new SqliteJournalReader(this.#db), {
      row: 0,
      chain: GENESIS_CHAIN,
    });
  }

  /**
   * Folds everything new.
   *
   * @throws Damage when a row does not match its CRC or does not continue the chain.
   */
  read(): void {
    this.#tail.readAll((row) => {
      for (const event of row.events) this.#note(event, row);
      evolve(this.#state, row, null);
    });
  }

  /**
   * Checks the cells: units of every night within capacity and none negative, and their sums those
   * of the open holds and the confirmed bookings.
   *
   * @throws NotConserved
   */
  checkCells(): void {
    let held = 0;
    let sold = 0;
    for (const property of this.#state.allProperties()) {
      const units = this.#unitsOf(property);
      held += units.held;
      sold += units.sold;
    }
    let holdNights = 0;
    for (const { quote } of this.#state.holds.values()) holdNights += nightsOf(quote.stay);
    if (held !== holdNights) {
      throw new NotConserved(`${held} nights are taken by holds of ${holdNights} nights`);
    }
    if (sold !== this.#soldNights) {
      throw new NotConserved(`${sold} nights are sold in bookings of ${this.#soldNights} nights`);
    }
  }

  /**
   * Checks that every acknowledged hold is in the journal under its key.
   *
   * @throws NotConserved
   */
  checkHolds(keys: Iterable<string>): void {
    for (const key of keys) {
      if (!this.#holdKeys.has(key)) throw new NotConserved(`acknowledged hold ${key} is missing`);
    }
  }

  close(): void {
    this.#db.close();
  }

  #note(event: Event, row: Row): void {
    if (event.type === "hold.created" && row.key) this.#holdKeys.add(row.key.key);
    if (event.type === "booking.confirmed") this.#soldNights += nightsOf(event.data.stay);
    if (event.type === "booking.cancelled") this.#soldNights -= nightsOf(event.data.stay);
  }

  #unitsOf({ tree, rooms }: PropertyEntry): { held: number; sold: number } {
    const { baseDay } = this.#state;
    const total = { held: 0, sold: 0 };
    for (const roomType of tree.room_types) {
      const room = rooms.get(roomType.id)!;
      for (let day = pageStart(baseDay); day < windowEnd(baseDay); day += 1) {
        const held = room.held.get(day);
        const sold = room.sold.get(day);
        // A negative count would show as 65,535 and more, the cells being unsigned.
        const taken = held + sold;
        if (taken > 0 && taken > effectiveCapacity(roomType, room, day)) {
          throw new NotConserved(`${roomType.code} has ${held} + ${sold} units on day ${day}`);
        }
        total.held += held;
        total.sold += sold;
      }
    }
    return total;
  }
}
