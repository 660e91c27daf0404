/** The index bits of one stay, 32 room types at a time. */
import type { StayQuery } from "../../availability/availability.ts";
import type { RealmIndex } from "./realm-index.ts";

type Nights = Pick<StayQuery, "checkInDay" | "nights">;

export class StayBits {
  readonly #index: RealmIndex;
  readonly #stay: Nights;
  /** Nights beyond the window are not in the index: then the state is checked. */
  readonly #isKnown: boolean;
  #word = -1;
  #free = -1;
  #marked = -1;

  constructor(index: RealmIndex, stay: Nights) {
    this.#index = index;
    this.#stay = stay;
    const { checkInDay, nights } = stay;
    this.#isKnown = checkInDay >= index.firstDay && checkInDay + nights < index.endDay;
  }

  /** False when no unit is left on some night. */
  isFree(room: number): boolean {
    this.#turnTo(room >> 5);
    return ((this.#free >>> (room & 31)) & 1) === 1;
  }

  /** Whether free units alone do not decide. */
  isMarked(room: number): boolean {
    this.#turnTo(room >> 5);
    return ((this.#marked >>> (room & 31)) & 1) === 1;
  }

  #turnTo(word: number): void {
    if (word === this.#word) return;
    this.#word = word;
    if (!this.#isKnown) return;
    const { checkInDay, nights } = this.#stay;
    this.#free = this.#index.free.onAll(word, checkInDay, nights);
    // The day of departure may be closed to departure.
    this.#marked = this.#index.marked.onAny(word, checkInDay, nights + 1);
  }
}
