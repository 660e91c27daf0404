/**
 * Open holds: held and confirming. Each has a slot while it is open; look-ups by quote, agent and
 * expiry are columns over slots. Slots are not part of the state: they depend on the order in which
 * other holds ended.
 *
 * Invariant: a held hold has an entry with its instant in `expiries`, by engine time, and in those
 * of its room type, by the time of its realm. Other entries are skipped, because the present hold
 * of their slot, if any, is not due at that instant or not of that room type. An old entry that
 * matches in both is as good as the hold's own.
 */
import { assert } from "../assert.ts";
import type { Hold } from "../records.ts";
import type { Realm } from "../supply.ts";
import { ExpiryHeap } from "./expiry-heap.ts";
import { HoldsByAgent } from "./holds-by-agent.ts";
import type { RoomState } from "./room-state.ts";
import { Slots } from "./slots.ts";
import { SlotsByText } from "./slots-by-text.ts";

const NONE: readonly Hold[] = [];
/** Entries of former instants that moved clocks may leave before all are noted again. */
const ENTRIES_PER_HOLD_MAX = 4;
const ENTRIES_MIN = 1_024;

/** Look-ups that only decisions use. */
class LookUps {
  readonly byQuote = new SlotsByText();
  readonly expiries = new ExpiryHeap();
}

interface OpenHoldsOptions {
  /** Only where decisions are made. */
  readonly tracksExpiry: boolean;
  /** Milliseconds that a realm is ahead of the engine. */
  readonly clockOffsetMs: (of: Realm) => number;
}

/** Only the fold and the snapshot codec may change it. */
export class OpenHolds {
  /** By id, in the order of creation. */
  readonly #slotById = new Map<string, number>();
  readonly #slots = new Slots();
  /** By slot; null where it is free. */
  readonly #holds: (Hold | null)[] = [null];
  readonly #rooms: (RoomState | null)[] = [null];
  readonly #byAgent = new HoldsByAgent();
  readonly #lookUps: LookUps | null;
  readonly #clockOffsetMs: (of: Realm) => number;

  constructor({ tracksExpiry, clockOffsetMs }: OpenHoldsOptions) {
    this.#lookUps = tracksExpiry ? new LookUps() : null;
    this.#clockOffsetMs = clockOffsetMs;
  }

  get size(): number {
    return this.#slotById.size;
  }

  /** Expiries of held holds by engine time; null where nothing is decided. */
  get expiries(): ExpiryHeap | null {
    return this.#lookUps?.expiries ?? null;
  }

  has(id: string): boolean {
    return this.#slotById.has(id);
  }

  get(id: string): Hold | undefined {
    const slot = this.#slotById.get(id);
    return slot === undefined ? undefined : this.#holds[slot]!;
  }

  /** The hold of a slot; null when it is free. */
  at(slot: number): Hold | null {
    return this.#holds[slot] ?? null;
  }

  *values(): Generator<Hold> {
    for (const slot of this.#slotById.values()) yield this.#holds[slot]!;
  }

  /** Those on a quote, newest first. Only where decisions are made. */
  onQuote(quoteId: string): Iterable<Hold> {
    const newest = this.#lookUps!.byQuote.newestOf(quoteId);
    return newest === 0 ? NONE : this.#onQuoteFrom(newest, quoteId);
  }

  *#onQuoteFrom(newest: number, quoteId: string): Generator<Hold> {
    const { byQuote } = this.#lookUps!;
    for (let slot = newest; slot !== 0; slot = byQuote.olderThan(slot)) {
      const hold = this.#holds[slot]!;
      if (hold.quote.quote_id === quoteId) yield hold;
    }
  }

  countOf(owner: Pick<Hold, "tenant_id" | "agent_id">): number {
    return this.#byAgent.countOf(owner);
  }

  /** Those of an agent, oldest first. */
  ofAgent(owner: Pick<Hold, "tenant_id" | "agent_id">): Hold[] {
    return this.#byAgent.of(owner).map((slot) => this.#holds[slot]!);
  }

  /** Held holds of a room type that may be due, each once, unordered. */
  *mayBeDue(room: RoomState, atMs: number): Generator<Hold> {
    const met = new Set<number>();
    for (const slot of room.expiries?.upTo(atMs) ?? []) {
      const hold = this.at(slot);
      if (!hold || this.#rooms[slot] !== room || met.has(slot)) continue;
      met.add(slot);
      yield hold;
    }
  }

  /** Adds an open hold with the cells of its units. */
  add(hold: Hold, room: RoomState): void {
    const slot = this.#slots.take();
    this.#slotById.set(hold.hold_id, slot);
    this.#holds[slot] = hold;
    this.#rooms[slot] = room;
    this.#lookUps?.byQuote.add(hold.quote.quote_id, slot);
    this.#byAgent.add(hold, slot);
    if (hold.state === "held") this.#noteExpiry(hold, slot);
  }

  /** Notes a hold's new expiry, or its old one after a move of its clock; nothing unless held. */
  noteExpiry(hold: Hold): void {
    if (hold.state === "held") this.#noteExpiry(hold, this.#slotOf(hold));
  }

  /** Notes the engine's instant of a hold's expiry after its clock was advanced. */
  noteClock(hold: Hold): void {
    if (hold.state !== "held" || !this.#lookUps) return;
    const { expiries } = this.#lookUps;
    if (expiries.size > ENTRIES_PER_HOLD_MAX * this.size + ENTRIES_MIN) this.#noteAll(expiries);
    else expiries.push(this.#engineExpiryOf(hold), this.#slotOf(hold));
  }

  /** Leaves out the entries of former instants. */
  #noteAll(expiries: ExpiryHeap): void {
    expiries.clear();
    for (const [slot, hold] of this.#holds.entries()) {
      if (hold?.state === "held") expiries.push(this.#engineExpiryOf(hold), slot);
    }
  }

  /** The instant of its expiry by engine time. */
  #engineExpiryOf(hold: Hold): number {
    return hold.expires_at - this.#clockOffsetMs(hold);
  }

  /**
   * Noted for the tick, which expires whatever is due, and for its room type, so that a command
   * there need not wait for other expiries.
   */
  #noteExpiry(hold: Hold, slot: number): void {
    if (!this.#lookUps) return;
    this.#lookUps.expiries.push(this.#engineExpiryOf(hold), slot);
    const room = this.#rooms[slot]!;
    room.expiries ??= new ExpiryHeap();
    room.expiries.push(hold.expires_at, slot);
  }

  /** Removes a hold that ended; returns the cells of its units. */
  remove(hold: Hold): RoomState {
    const slot = this.#slotOf(hold);
    const room = this.#rooms[slot]!;
    this.#slotById.delete(hold.hold_id);
    this.#holds[slot] = null;
    this.#rooms[slot] = null;
    this.#slots.giveBack(slot);
    this.#byAgent.remove(slot);
    if (!this.#lookUps) return room;
    this.#lookUps.byQuote.remove(slot);
    // The tick empties the main heap; a room type's would grow for ever without refusals there.
    room.expiries?.dropWhile((at, of) => {
      return this.#rooms[of] !== room || this.#holds[of]!.expires_at !== at;
    });
    return room;
  }

  #slotOf(hold: Hold): number {
    const slot = this.#slotById.get(hold.hold_id);
    assert(slot !== undefined, "an open hold has a slot");
    return slot;
  }
}
