/**
 * A varied history: every command the engine knows, every phase of a key, expiries, refusals and
 * replays, from one seed. What to do next is read from the engine's own state and projections.
 */
import type { Command } from "../../engine/core/commands.ts";
import { RecordReaderOn } from "../../engine/log/record-reader.ts";
import { HOLD_TTL_MS, metaOf, OPERATOR, openHotel, PROPERTY_ID, placeHold } from "./commands.ts";
import { Random } from "./random.ts";
import { World } from "./world.ts";

const WORKER = { kind: "service", id: "payments" } as const;
const TRAVELER = { hash: "a".repeat(64), iss: "https://id.example" };
/** Keyed hashes, as they are to the engine. */
const GUESTS = ["a", "b", "c", "d", "e"].map((digit) => digit.repeat(32));
/** How many of its own commands a history may send again. */
const REMEMBERED = 20;

export class History {
  readonly #random: Random;
  readonly #world: World;
  readonly #records: RecordReaderOn;
  readonly #sent: Command[] = [];

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
    this.#records = new RecordReaderOn(world.journal.db);
  }

  /** Property, promotion, ceilings, exchange rates; `group` is called around every group. */
  begin(group = (act: () => void): void => act()): void {
    const random = this.#random;
    group(() => this.#world.tick());
    group(() => void this.#world.ask(...openHotel(random, 3)));
    group(() => {
      const fx = { ...metaOf(random, OPERATOR), base: "EUR", rates: { USD: "1.1" } };
      this.#world.ask(this.#ari(), { ...fx, type: "SetFxRates" });
    });
  }

  /** Steps until the journal has that many rows. */
  reach(row: number): void {
    while (this.#world.journal.head.row < row) this.step();
  }

  /** One group of one to six commands after some time has passed. */
  step(): void {
    const random = this.#random;
    this.#world.time.pass(random.chance(0.1) ? 400_000 : random.below(20_000));
    if (random.chance(0.3)) this.#world.engine.tick();
    const commands = Array.from({ length: 1 + random.below(6) }, () => this.#next());
    this.#sent.push(...commands);
    this.#sent.splice(0, Math.max(0, this.#sent.length - REMEMBERED));
    this.#world.ask(...commands);
  }

  #next(): Command {
    const roll = this.#random.unit();
    const now = this.#world.time.wallMs();
    if (roll < 0.05 && this.#sent.length > 0) return this.#random.pick(this.#sent);
    if (roll < 0.09) return this.#ari();
    if (roll < 0.3) return this.#payment() ?? placeHold(this.#random, now);
    if (roll < 0.38) return this.#refund() ?? placeHold(this.#random, now);
    if (roll < 0.44) return this.#cancel() ?? placeHold(this.#random, now);
    if (roll < 0.72) return this.#ofHold() ?? placeHold(this.#random, now);
    return placeHold(this.#random, now);
  }

  #ari(): Command {
    const random = this.#random;
    const from = new Date(this.#world.time.wallMs() + random.below(20) * 86_400_000);
    const day = from.toISOString().slice(0, 10);
    const range = { from: day, to: day, room_type_id: random.pick(["single", "double"]) };
    const scope = { rate_plan_id: `${range.room_type_id}-flex`, agent_id: null };
    return {
      ...metaOf(random, OPERATOR),
      type: "UpdateAri",
      property_id: PROPERTY_ID,
      ari: {
        inventory: [{ ...range, capacity: 3 + random.below(6) }],
        rates: [{ ...scope, from: day, to: day, amount: 9_000 + random.below(3_000) }],
        restrictions: [
          { ...range, cta: random.chance(0.2), min_los_arrival: null, los_pattern: "YYN" },
        ],
        ceilings: random.chance(0.5) ? [{ ...range, ...scope, ceiling: 4 }] : [],
      },
    };
  }

  #ofHold(): Command | null {
    const holds = [...this.#world.engine.state.holds.values()];
    if (holds.length === 0) return null;
    const hold = this.#random.pick(holds);
    const meta = metaOf(this.#random, { kind: "agent", id: hold.agent_id });
    const { hold_id } = hold;
    const roll = this.#random.unit();
    if (roll < 0.2) return { ...meta, type: "ExtendHold", hold_id, ttl_ms: HOLD_TTL_MS };
    if (roll < 0.4) return { ...meta, type: "ReleaseHold", hold_id };
    return {
      ...meta,
      type: "BeginBooking",
      hold_id,
      quote_id: hold.quote.quote_id,
      limits: { max_open_holds: null, max_booking_amount: null },
      consent: { claims: {} },
      traveler: TRAVELER,
      method: "card",
      encrypted: { name: this.#random.hex(24) },
      wrapped_key: this.#random.hex(32),
      guest: { email: this.#random.pick(GUESTS), name: this.#random.pick(GUESTS) },
    };
  }

  #payment(): Command | null {
    const payments = [...this.#world.engine.state.payments.values()];
    if (payments.length === 0) return null;
    const { payment_id } = this.#random.pick(payments);
    const { key: _key, body_hash: _hash, ...meta } = metaOf(this.#random, WORKER);
    if (this.#random.chance(0.2)) {
      const provider_ref = `ref_${this.#random.hex(6)}`;
      return { ...meta, type: "RecordPaymentReference", payment_id, provider_ref };
    }
    const captured = ["captured", "captured", "captured"] as const;
    const others = ["declined", "provider_error", "cancelled", "unknown"] as const;
    const result = this.#random.pick([...captured, ...others]);
    return { ...meta, type: "RecordPaymentResult", payment_id, result };
  }

  #refund(): Command | null {
    const refunds = this.#records.open("refund");
    if (refunds.length === 0) return null;
    const refund_id = this.#random.pick(refunds);
    const { key: _key, body_hash: _hash, ...meta } = metaOf(this.#random, WORKER);
    const result = this.#random.chance(0.8) ? "succeeded" : "failed";
    return { ...meta, type: "RecordRefundResult", refund_id, result };
  }

  #cancel(): Command | null {
    const confirmed = this.#world.journal.db
      .query<{ id: string }, []>("SELECT id FROM bookings WHERE state = 'confirmed' ORDER BY id")
      .all();
    if (confirmed.length === 0) return null;
    const booking = this.#records.booking(this.#random.pick(confirmed).id)!;
    const meta = metaOf(this.#random, { kind: "agent", id: booking.agent_id });
    const { booking_id, traveler } = booking;
    return { ...meta, type: "CancelBooking", booking_id, consent: { claims: {} }, traveler };
  }
}

/** A new world at `path` in which at least `rows` rows of history have happened. */
export function lived(path: string, rows: number, seed = rows) {
  const world = new World(path);
  const random = new Random(seed);
  const history = new History(world, random);
  history.begin();
  history.reach(rows);
  return { world, history, random };
}
