/**
 * A number per day, stored as the days on which it changes: a season with one number is one step.
 * Days are those of `calendar.ts`.
 */

/** From `day` on the number is `value`, until the next step. */
export type Step = readonly [day: number, value: number];

export class Steps {
  /** The number before the first step. */
  readonly #base: number;
  #steps: Step[];

  /** `steps` ascend by day and differ from their neighbours, as in `toJSON`. */
  constructor(base: number, steps: readonly Step[] = []) {
    this.#base = base;
    this.#steps = [...steps];
  }

  at(day: number): number {
    const index = this.#firstAfter(day) - 1;
    return index < 0 ? this.#base : this.#steps[index]![1];
  }

  /** Sets the days from `from` to before `end`, which may be `Infinity`. */
  set(from: number, end: number, value: number): void {
    if (end <= from) return;
    const left = this.#steps.slice(0, this.#firstAfter(from - 1));
    const right = this.#steps.slice(this.#firstAfter(end - 1));
    const set: Step[] = [[from, value]];
    if (end !== Number.POSITIVE_INFINITY && right[0]?.[0] !== end) set.push([end, this.at(end)]);
    this.#steps = this.#joined([...left, ...set, ...right]);
  }

  /** The days after `from` and before `end` on which the number changes. */
  *changesBetween(from: number, end: number): Generator<number> {
    for (let index = this.#firstAfter(from); index < this.#steps.length; index += 1) {
      const [day] = this.#steps[index]!;
      if (day >= end) return;
      yield day;
    }
  }

  /** Sets the days before `day` to the base, so that the size stays bounded. */
  forgetBefore(day: number): void {
    const first = this.#steps[0];
    if (first !== undefined && first[0] < day) this.set(first[0], day, this.#base);
  }

  toJSON(): readonly Step[] {
    return this.#steps;
  }

  /** Index of the first step after `day`. */
  #firstAfter(day: number): number {
    let low = 0;
    let high = this.#steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#steps[middle]![0] <= day) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #joined(steps: readonly Step[]): Step[] {
    let value = this.#base;
    return steps.filter(([, next]) => {
      const isChange = next !== value;
      value = next;
      return isChange;
    });
  }
}
