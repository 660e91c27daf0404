/**
 * The journal of a stopped service, folded from its first row: the final state and records,
 * with what each row did to the cells watched on the way.
 */

import type { Authorization } from "../../engine/core/authorization.ts";
import { dayOf } from "../../engine/core/calendar.ts";
import type { Row } from "../../engine/core/events/event.ts";
import { evolve } from "../../engine/core/evolve.ts";
import type { OversellIncident } from "../../engine/core/oversell-incident.ts";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import type { Booking, Hold, Payment, RecordSink, Refund } from "../../engine/core/records.ts";
import { effectiveCapacity } from "../../engine/core/state/room-state.ts";
import { State } from "../../engine/core/state/state.ts";
import { BEGINNING } from "../../engine/log/head.ts";
import { SqliteJournalReader } from "../../engine/log/journal-reader.ts";
import { JournalTail } from "../../engine/log/journal-tail.ts";
import { openForReading } from "../../engine/log/schema.ts";

/** Everything that the fold hands out, by id. */
export class FoldedRecords implements RecordSink {
  readonly holds = new Map<string, Hold>();
  readonly bookings = new Map<string, Booking>();
  readonly payments = new Map<string, Payment>();
  readonly refunds = new Map<string, Refund>();
  readonly authorizations = new Map<string, Authorization>();
  readonly incidents = new Map<string, OversellIncident>();

  booking(id: string): Booking | null {
    return this.bookings.get(id) ?? null;
  }
  payment(id: string): Payment | null {
    return this.payments.get(id) ?? null;
  }
  refund(id: string): Refund | null {
    return this.refunds.get(id) ?? null;
  }
  authorization(id: string): Authorization | null {
    return this.authorizations.get(id) ?? null;
  }
  incident(id: string): OversellIncident | null {
    return this.incidents.get(id) ?? null;
  }
  putHold(hold: Hold): void {
    this.holds.set(hold.hold_id, hold);
  }
  putBooking(booking: Booking): void {
    this.bookings.set(booking.booking_id, booking);
  }
  putPayment(payment: Payment): void {
    this.payments.set(payment.payment_id, payment);
  }
  putRefund(refund: Refund): void {
    this.refunds.set(refund.refund_id, refund);
  }
  putAuthorization(authorization: Authorization): void {
    this.authorizations.set(authorization.authorization_id, authorization);
  }
  eraseSubjectKey(): void {}
  putIncident(incident: OversellIncident): void {
    this.incidents.set(incident.incident_id, incident);
  }
}

export interface Folded {
  readonly state: State;
  readonly records: FoldedRecords;
  readonly rows: readonly Row[];
  /** Cells that were sold beyond their capacity, at whatever row. */
  readonly oversold: readonly string[];
}

/** Folds and checks every row. Throws Damage when the chain is broken anywhere. */
export function foldJournal(path: string): Folded {
  const db = openForReading(path);
  const state = new State({ tracksExpiry: false });
  const records = new FoldedRecords();
  const rows: Row[] = [];
  const oversold: string[] = [];
  const tail = new JournalTail(new SqliteJournalReader(db), BEGINNING);
  tail.readAll(({ row: number }, block) => {
    const row = block.rowAt(number);
    evolve(state, row, records);
    rows.push(row);
    for (const event of row.events) {
      if (event.type !== "hold.created") continue;
      oversold.push(...nightsOversold(state, event.data.quote, row.row));
    }
  });
  db.close();
  return { state, records, rows, oversold };
}

/** Days of a stay's nights; check-out is none of them. */
export function nightsOf({ stay }: Pick<FrozenQuote, "stay">): number[] {
  const first = dayOf(stay.check_in);
  return Array.from({ length: dayOf(stay.check_out) - first }, (_, i) => first + i);
}

function nightsOversold(state: State, quote: FrozenQuote, row: number): string[] {
  const { property_id, room_type_id } = quote;
  const property = state.property(quote, property_id)!;
  const room = property.rooms.get(room_type_id)!;
  const roomType = property.tree.room_types.find((each) => each.id === room_type_id)!;
  return nightsOf(quote)
    .filter((day) => {
      return room.sold.get(day) + room.held.get(day) > effectiveCapacity(roomType, room, day);
    })
    .map((day) => `row ${row}: ${room_type_id} day ${day} is oversold`);
}
