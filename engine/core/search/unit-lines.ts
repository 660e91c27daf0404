/** Units left of a room type for a stay, read line by line. */

import { type Lanes, StayLines } from "../state/nights.ts";
import type { RoomColumns } from "./index/columns.ts";
import type { RealmIndex } from "./index/realm-index.ts";

export class UnitLines {
  readonly #columns: RoomColumns;
  readonly #capacity: StayLines;
  readonly #overbooking: StayLines;
  readonly #outOfOrder: StayLines;
  readonly #sold: StayLines;
  readonly #held: StayLines;
  readonly #left: Float64Array;

  constructor({ roomColumns, sheets }: RealmIndex, checkInDay: number, nights: number) {
    const lines = (lanes: Lanes) => new StayLines(lanes, checkInDay, nights);
    this.#columns = roomColumns;
    this.#capacity = lines(sheets.capacity);
    this.#overbooking = lines(sheets.overbooking);
    this.#outOfOrder = lines(sheets.outOfOrder);
    this.#sold = lines(sheets.sold);
    this.#held = lines(sheets.held);
    this.#left = new Float64Array(nights);
  }

  /** The least over the nights, without ceilings. */
  least(room: number): number {
    const { nights, inventory, overbookingLimit } = this.#columns;
    const number = nights[room]!;
    const left = this.#left;
    this.#capacity.read(number, inventory[room]!, left);
    this.#overbooking.addTo(left, number, 1, overbookingLimit[room]!);
    this.#outOfOrder.addTo(left, number, -1, 0);
    this.#sold.addTo(left, number, -1, 0);
    this.#held.addTo(left, number, -1, 0);
    let least = left[0]!;
    for (let i = 1; i < left.length; i += 1) if (left[i]! < least) least = left[i]!;
    return least;
  }
}
