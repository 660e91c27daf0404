/**
 * Bodies of deliveries, made from the events at each attempt. The body of an event stays the same,
 * except that a guest may have been erased. Messages to partners have current values.
 */
import { GenerationalCache } from "../../../engine/core/generational-cache.ts";
import type { PublicEvent, UnlistedEvent } from "../../../engine/core/public-events.ts";
import { RecordDamaged } from "../../../engine/core/record-damage.ts";
import type { JournalReader } from "../../../engine/log/journal-port.ts";
import type { Replica } from "../../../engine/log/replica.ts";
import { publicEventsOf } from "../derive/journal-rows.ts";
import type { Endpoint } from "../endpoint.ts";
import type { Delivery } from "../store/delivery.ts";
import { type Addressee, type Message, messageOf, type Unsendable } from "./ota.ts";
import type { SentBody } from "./send.ts";

/** A tenant's endpoints get the same events at about the same time. */
const KEPT_ROWS = 256;
/** Adds guest data to events. */
export const GUEST_SCOPE = "bookings:read";

/** The state that bodies are made from. */
export type Source = Pick<Replica, "eventLookups" | "state" | "row">;

/** The guest of a booking; null after an erasure. */
export type OpenGuest = (bookingId: string) => object | null;

export class Bodies {
  readonly #journal: Pick<JournalReader, "rows">;
  readonly #replica: Source;
  readonly #openGuest: OpenGuest;
  readonly #now: () => number;
  /** Events of rows that were derived or read lately. */
  readonly #kept = new GenerationalCache<number, readonly UnlistedEvent[]>(KEPT_ROWS);
  /** The rows of the last reading: their events, or the damaged record that prevents them. */
  #reading = new Map<number, readonly UnlistedEvent[] | RecordDamaged>();

  /** `now`: engine time, epoch milliseconds. */
  constructor(
    journal: Pick<JournalReader, "rows">,
    replica: Source,
    openGuest: OpenGuest,
    now: () => number,
  ) {
    this.#journal = journal;
    this.#replica = replica;
    this.#openGuest = openGuest;
    this.#now = now;
  }

  /** Keeps the events of a row whose deliveries are about to be sent. */
  keep(row: number, events: readonly UnlistedEvent[]): void {
    this.#kept.set(row, events);
  }

  /** Reads the rows of these deliveries together. Throws Damage when a row is damaged. */
  read(deliveries: readonly Delivery[]): void {
    this.#reading = new Map();
    const missing: number[] = [];
    for (const row of new Set(deliveries.map((delivery) => delivery.row))) {
      const events = this.#kept.get(row);
      if (events === undefined) missing.push(row);
      else this.#reading.set(row, events);
    }
    if (missing.length === 0) return;
    for (const chained of this.#journal.rows(missing)) {
      const { row } = chained.row;
      const events = publicEventsOf(chained, this.#replica.eventLookups);
      this.#reading.set(row, events);
      if (!(events instanceof RecordDamaged)) this.keep(row, events);
    }
  }

  /**
   * The body of a delivery that `read` was called with. Throws RecordDamaged when its event or
   * guest needs a damaged record.
   */
  bodyOf(delivery: Delivery, endpoint: Endpoint): SentBody | Unsendable {
    const events = this.#reading.get(delivery.row) ?? [];
    if (events instanceof RecordDamaged) throw events;
    const inputs = { source: this.#replica, openGuest: this.#openGuest, nowMs: this.#now() };
    return sentOf(events, delivery, endpoint, inputs);
  }

  /**
   * The message of a delivery, which also covers waiting ones unless a record of theirs is damaged.
   * Throws as `read` and `bodyOf`.
   */
  messageOf(
    delivery: Delivery,
    waiting: readonly Delivery[],
    endpoint: Addressee,
  ): Message | Unsendable {
    this.read([delivery, ...waiting]);
    const damage = this.#reading.get(delivery.row);
    if (damage instanceof RecordDamaged) throw damage;
    const withEvent = (each: Delivery) => {
      const events = this.#reading.get(each.row) ?? [];
      if (events instanceof RecordDamaged) return [];
      const unlisted = events.find(({ event }) => event.id === each.webhook_id);
      return unlisted ? [{ delivery: each, unlisted }] : [];
    };
    const [first] = withEvent(delivery);
    if (first === undefined) return "event_lost";
    const others = waiting.flatMap(withEvent);
    return messageOf(first, others, endpoint, this.#replica, this.#now());
  }
}

/** Inputs of a body besides the events. */
export interface BodyInputs {
  readonly source: Pick<Source, "state" | "row">;
  readonly openGuest: OpenGuest;
  /** Engine time, epoch milliseconds. */
  readonly nowMs: number;
}

/**
 * The body of a delivery in the format of its endpoint, made from the events of its row. Throws
 * RecordDamaged when guest data cannot be decrypted.
 */
export function sentOf(
  events: readonly UnlistedEvent[],
  delivery: Delivery,
  endpoint: Pick<Endpoint, "scopes" | "format" | "ota">,
  { source, openGuest, nowMs }: BodyInputs,
): SentBody | Unsendable {
  const { webhook_id, prev_seq, after_dead_letter } = delivery;
  const unlisted = events.find(({ event }) => event.id === webhook_id);
  if (unlisted === undefined) return "event_lost";
  const { format, scopes } = endpoint;
  if (format !== "json") {
    const addressee = { ota: endpoint.ota, format };
    const message = messageOf({ delivery, unlisted }, [], addressee, source, nowMs);
    return typeof message === "string" ? message : message.sent;
  }
  const { subject, data, person_id, ...head } = unlisted.event;
  const { omitted: _omitted, ...whole } = data;
  const isGuests = subject.type === "booking" && scopes.includes(GUEST_SCOPE);
  const shown = isGuests ? { ...whole, guest: openGuest(subject.id) } : data;
  const who = person_id === undefined ? {} : { person_id };
  const event: PublicEvent = { ...head, prev_seq, ...who, subject, data: shown };
  return {
    ...{ id: webhook_id, body: JSON.stringify(event) },
    ...{ isConfidential: isGuests, afterDeadLetter: after_dead_letter },
  };
}
