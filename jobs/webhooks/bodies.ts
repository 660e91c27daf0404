/**
 * What is sent of an event, made again from the journal at each attempt: it is the same text
 * however often, but for the guest of a booking, who may have been erased meanwhile.
 */
import type { Database, Statement } from "bun:sqlite";
import type { PublicEvent, ToldEvent } from "../../engine/core/public-events.ts";
import { RecordDamaged } from "../../engine/core/record-damage.ts";
import type { Replica } from "../../engine/shell/replica.ts";
import { type FoundRow, foundRow } from "../../engine/shell/stored-row.ts";
import type { Delivery } from "./delivery.ts";
import type { Endpoint } from "./endpoint.ts";
import type { SentBody } from "./send.ts";
import { tellRow } from "./telling.ts";

/** Endpoints of a tenant get the same events at about the same time. */
const KEPT_ROWS_MAX = 512;
/** Lets guest data through. */
export const GUEST_SCOPE = "bookings:read";

type Found = FoundRow & { readonly row: number; readonly chain: string };

/** The guest of a booking, null after an erasure. */
export type OpenGuest = (bookingId: string) => object | null;

export class Bodies {
  readonly #rows: Statement<Found, [string]>;
  readonly #replica: Pick<Replica, "eventLookups">;
  readonly #openGuest: OpenGuest;
  #kept = new Map<number, readonly ToldEvent[]>();
  /** Rows read last that cannot be told for now. */
  readonly #damaged = new Map<number, RecordDamaged>();

  /** `journal`: a connection of its readers. */
  constructor(journal: Database, replica: Pick<Replica, "eventLookups">, openGuest: OpenGuest) {
    this.#rows = journal.prepare(
      `SELECT row, key, payload, crc, chain FROM journal
       WHERE row IN (SELECT value FROM json_each(?))`,
    );
    this.#replica = replica;
    this.#openGuest = openGuest;
  }

  /** Reads the rows of these deliveries at once. Throws Damage where one is damaged. */
  read(deliveries: readonly Delivery[]): void {
    this.#damaged.clear();
    const wanted = new Set(deliveries.map(({ row }) => row));
    if (this.#kept.size + wanted.size > KEPT_ROWS_MAX) {
      this.#kept = new Map([...this.#kept].filter(([row]) => wanted.has(row)));
    }
    const missing = [...wanted].filter((row) => !this.#kept.has(row));
    if (missing.length === 0) return;
    const look = this.#replica.eventLookups;
    for (const { row, chain, ...stored } of this.#rows.all(JSON.stringify(missing))) {
      const told = tellRow({ row: foundRow(stored, { row }), chain }, look);
      if (told instanceof RecordDamaged) this.#damaged.set(row, told);
      else this.#kept.set(row, told);
    }
  }

  /**
   * What is sent of a delivery that was just read, as `sentOf` makes it. Throws RecordDamaged also
   * where the event itself cannot be told for now.
   */
  bodyOf(delivery: Delivery, endpoint: Endpoint): SentBody | null {
    const damage = this.#damaged.get(delivery.row);
    if (damage !== undefined) throw damage;
    return sentOf(this.#kept.get(delivery.row) ?? [], delivery, endpoint, this.#openGuest);
  }
}

/**
 * What is sent of a delivery, made of the events of its row; null when the journal no longer holds
 * its event. Throws RecordDamaged where a guest's data do not open.
 */
export function sentOf(
  events: readonly ToldEvent[],
  { webhook_id, prev_seq, after_dead_letter }: Delivery,
  { scopes }: Pick<Endpoint, "scopes">,
  openGuest: OpenGuest,
): SentBody | null {
  const told = events.find(({ event }) => event.id === webhook_id);
  if (told === undefined) return null;
  const { subject, data, ...head } = told.event;
  const { omitted: _omitted, ...whole } = data;
  const isGuests = subject.type === "booking" && scopes.includes(GUEST_SCOPE);
  const shown = isGuests ? { ...whole, guest: openGuest(subject.id) } : data;
  const event: PublicEvent = { ...head, prev_seq, subject, data: shown };
  return {
    ...{ id: webhook_id, body: JSON.stringify(event) },
    ...{ isConfidential: isGuests, afterDeadLetter: after_dead_letter },
  };
}
