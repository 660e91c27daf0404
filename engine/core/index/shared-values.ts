/**
 * What many properties have in common, as one object: the terms, taxes and discounts of ten
 * thousand hotels are a few, and a search that reads the same few finds them at hand.
 */
export class SharedValues {
  /** What nobody has any more is not told from what many have: beyond these all begin anew. */
  static readonly KEPT_MAX = 4_096;
  readonly #byText = new Map<string, unknown>();

  /** The first value that was told by this text, which says all of it. */
  of<T>(value: T, text: string): T {
    const known = this.#byText.get(text);
    if (known !== undefined) return known as T;
    if (this.#byText.size >= SharedValues.KEPT_MAX) this.#byText.clear();
    this.#byText.set(text, value);
    return value;
  }
}
