/**
 * Columns over slots. A slot is a small number of an open item, from 1 on, reused when it is free;
 * 0 means none. Values of a slot are in typed arrays, which garbage collection does not scan.
 */

const CELLS_MIN = 16;

/** A column with a cell at `index`: the same one, or a longer copy. */
export function reaching(cells: Uint32Array<ArrayBuffer>, index: number): Uint32Array<ArrayBuffer> {
  if (index < cells.length) return cells;
  const longer = new Uint32Array(Math.max(CELLS_MIN, 2 ** Math.ceil(Math.log2(index + 1))));
  longer.set(cells);
  return longer;
}

/** Allocates slots, the last freed first. */
export class Slots {
  readonly #free: number[] = [];
  #taken = 0;

  take(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    this.#taken += 1;
    return this.#taken;
  }

  giveBack(slot: number): void {
    this.#free.push(slot);
  }
}

/** Lists of slots by number, from 0 on; a slot is in one of them at most. */
export class SlotLists {
  /** By list. */
  #newest = new Uint32Array(CELLS_MIN);
  /** By slot: its neighbours and its list. */
  #older = new Uint32Array(CELLS_MIN);
  #newer = new Uint32Array(CELLS_MIN);
  #list = new Uint32Array(CELLS_MIN);

  /** Makes a slot without a list the newest of one. */
  add(list: number, slot: number): void {
    this.#newest = reaching(this.#newest, list);
    if (slot >= this.#list.length) {
      this.#older = reaching(this.#older, slot);
      this.#newer = reaching(this.#newer, slot);
      this.#list = reaching(this.#list, slot);
    }
    const older = this.#newest[list]!;
    this.#older[slot] = older;
    this.#newer[slot] = 0;
    this.#list[slot] = list;
    if (older !== 0) this.#newer[older] = slot;
    this.#newest[list] = slot;
  }

  /** Removes a slot from its list and returns the list's number. */
  remove(slot: number): number {
    const list = this.#list[slot]!;
    const older = this.#older[slot]!;
    const newer = this.#newer[slot]!;
    if (older !== 0) this.#newer[older] = newer;
    if (newer !== 0) this.#older[newer] = older;
    else this.#newest[list] = older;
    return list;
  }

  /** The newest of a list; 0 when empty. */
  newestOf(list: number): number {
    return this.#newest[list] ?? 0;
  }

  /** The next older slot of the same list; 0 after the last. */
  olderThan(slot: number): number {
    return this.#older[slot]!;
  }

  /** The slots of a list, oldest first. */
  oldestFirst(list: number): number[] {
    const slots: number[] = [];
    for (let slot = this.newestOf(list); slot !== 0; slot = this.olderThan(slot)) slots.push(slot);
    return slots.reverse();
  }
}
