/**
 * Open holds: held and confirming. Each has a slot for as long as it is open, and what finds it by
 * quote, agent or expiry are columns over slots. Which slot a hold has is no part of the state:
 * it follows from the order in which others ended.
 *
 * Invariant: a held hold has an entry with its own instant in `expiries`, and in those of its room.
 * Any other entry is passed over, because the hold that its slot has now, if there is one, is not
 * due at that instant, or not of that room. One that was of the slot's last hold and agrees in both
 * is as good as the hold's own.
 */
import { assert } from "./assert.ts";
import { ExpiryHeap } from "./expiry-heap.ts";
import { HoldsByAgent } from "./holds-by-agent.ts";
import type { Hold } from "./records.ts";
import type { RoomState } from "./room-state.ts";
import { Slots } from "./slots.ts";
import { SlotsByText } from "./slots-by-text.ts";

const NONE: readonly Hold[] = [];

/** What only decisions ask for. */
class LookUps {
  readonly byQuote = new SlotsByText();
  readonly expiries = new ExpiryHeap();
}

/** Only the fold, and the codec that restores a snapshot, may change it. */
export class OpenHolds {
  /** By id, in the order in which they were placed. */
  readonly #slotById = new Map<string, number>();
  readonly #slots = new Slots();
  /** By slot; null where it is free. */
  readonly #holds: (Hold | null)[] = [null];
  readonly #rooms: (RoomState | null)[] = [null];
  readonly #byAgent = new HoldsByAgent();
  readonly #lookUps: LookUps | null;

  constructor({ tracksExpiry }: { readonly tracksExpiry: boolean }) {
    this.#lookUps = tracksExpiry ? new LookUps() : null;
  }

  get size(): number {
    return this.#slotById.size;
  }

  /** When held holds fall due; null where nothing is decided. */
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

  /** The hold that has a slot; null when it is free. */
  at(slot: number): Hold | null {
    return this.#holds[slot] ?? null;
  }

  /** All of them, oldest first. */
  *values(): Generator<Hold> {
    for (const slot of this.#slotById.values()) yield this.#holds[slot]!;
  }

  /** Those on a quote, newest first. Asked only where decisions are made. */
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

  /** How many an agent has. */
  countOf(owner: Pick<Hold, "tenant_id" | "agent_id">): number {
    return this.#byAgent.countOf(owner);
  }

  /** Those of an agent, oldest first. */
  ofAgent(owner: Pick<Hold, "tenant_id" | "agent_id">): Hold[] {
    return this.#byAgent.of(owner).map((slot) => this.#holds[slot]!);
  }

  /** Held holds of a room type that may be due, each once, in no order. */
  *mayBeDue(room: RoomState, atMs: number): Generator<Hold> {
    const met = new Set<number>();
    for (const slot of room.expiries?.upTo(atMs) ?? []) {
      const hold = this.at(slot);
      if (!hold || this.#rooms[slot] !== room || met.has(slot)) continue;
      met.add(slot);
      yield hold;
    }
  }

  /** One that is open from now on, with the cells that it takes units of. */
  add(hold: Hold, room: RoomState): void {
    const slot = this.#slots.take();
    this.#slotById.set(hold.hold_id, slot);
    this.#holds[slot] = hold;
    this.#rooms[slot] = room;
    this.#lookUps?.byQuote.add(hold.quote.quote_id, slot);
    this.#byAgent.add(hold, slot);
    if (hold.state === "held") this.#noteExpiry(hold, slot);
  }

  /** A held hold will fall due at its instant, which is a new one. */
  noteExpiry(hold: Hold): void {
    this.#noteExpiry(hold, this.#slotOf(hold));
  }

  /**
   * Found by the tick, which takes whatever is due, and by its room type, so that a command on it
   * need not wait for all that is due elsewhere.
   */
  #noteExpiry({ expires_at }: Hold, slot: number): void {
    if (!this.#lookUps) return;
    this.#lookUps.expiries.push(expires_at, slot);
    const room = this.#rooms[slot]!;
    room.expiries ??= new ExpiryHeap();
    room.expiries.push(expires_at, slot);
  }

  /** One that is open no more. Returns the cells that it took units of. */
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
    // The tick empties the one heap; a room's would grow for ever if nobody were refused there.
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
