/** Units that are left of a room type for a stay, read line by line like its amounts. */
import type { NightsColumn, RoomColumns } from "../index/columns.ts";
import { StayLines } from "../nights.ts";

export class UnitLines {
  readonly #capacity: StayLines;
  readonly #overbooking: StayLines;
  readonly #outOfOrder: StayLines;
  readonly #sold: StayLines;
  readonly #held: StayLines;
  readonly #values: Float64Array;
  readonly #left: Float64Array;

  constructor(checkInDay: number, nights: number) {
    this.#capacity = new StayLines(checkInDay, nights);
    this.#overbooking = new StayLines(checkInDay, nights);
    this.#outOfOrder = new StayLines(checkInDay, nights);
    this.#sold = new StayLines(checkInDay, nights);
    this.#held = new StayLines(checkInDay, nights);
    this.#values = new Float64Array(nights);
    this.#left = new Float64Array(nights);
  }

  /** The least over the nights, whatever ceilings there are. */
  least(columns: RoomColumns, room: number): number {
    const left = this.#left;
    columns.capacity.read(room, this.#capacity, left);
    this.#add(columns.overbooking, room, this.#overbooking, 1);
    this.#add(columns.outOfOrder, room, this.#outOfOrder, -1);
    this.#add(columns.sold, room, this.#sold, -1);
    this.#add(columns.held, room, this.#held, -1);
    let least = left[0]!;
    for (let i = 1; i < left.length; i += 1) if (left[i]! < least) least = left[i]!;
    return least;
  }

  #add(column: NightsColumn, room: number, lines: StayLines, sign: 1 | -1): void {
    // Most hotels overbook nothing, and have nothing out of order.
    if (column.base[room] === 0 && column.sheet[room]!.isEmpty) return;
    const values = this.#values;
    const left = this.#left;
    column.read(room, lines, values);
    for (let i = 0; i < left.length; i += 1) left[i]! += sign * values[i]!;
  }
}
