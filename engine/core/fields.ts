/**
 * Text of fields, for what is written and read far more often than it is looked into: `|` stands
 * between fields, `,` between the items of a list. In what a field says, these two, `~`, `"`, `\`,
 * control characters and halves of surrogate pairs are written as `~` and four hex digits, so that
 * the whole is one line, is UTF-8 like any other, and goes into JSON as it is.
 */

/** What ids, dates and hashes are made of, told without a look at what is rare. */
const PLAIN = /^[\w.:/@+-]*$/;
const ESCAPED = /[|,~"\\\p{Cc}\p{Cs}]/gu;
const ESCAPE = /~([0-9a-f]{4})/g;
const BAR = 0x7c;
const ZERO = 0x30;
/** Every number of so many digits is exact. */
const DIGITS_MAX = 15;

/** A text as a field, or as an item of one. */
export function toField(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(
    ESCAPED,
    (character) => `~${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What a field says. */
export function fromField(field: string): string {
  if (!field.includes("~")) return field;
  return field.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** A list of texts, none of them empty, as one field. */
export function toListField(texts: readonly string[]): string {
  return texts.length === 0 ? "" : texts.map(toField).join(",");
}

/** The texts of a list. */
export function fromListField(field: string): string[] {
  return field === "" ? [] : field.split(",").map(fromField);
}

/** Reads a text field by field. */
export class Fields {
  readonly #text: string;
  readonly #isPlain: boolean;
  #at: number;

  constructor(text: string, from = 0) {
    this.#text = text;
    this.#isPlain = !text.includes("~", from);
    this.#at = from;
  }

  /** The next field as it is written. */
  #next(): string {
    const from = this.#at;
    const end = this.#text.indexOf("|", from);
    if (end < 0) {
      if (from > this.#text.length) throw new Error("a field is missing");
      this.#at = this.#text.length + 1;
      return this.#text.slice(from);
    }
    this.#at = end + 1;
    return this.#text.slice(from, end);
  }

  text(): string {
    const field = this.#next();
    return this.#isPlain ? field : fromField(field);
  }

  list(): string[] {
    return fromListField(this.#next());
  }

  /** @throws Error when it is none. */
  number(): number {
    return this.#digits() ?? this.#anyNumber();
  }

  /** A number of digits alone, as nearly all are: it costs no text. */
  #digits(): number | null {
    const text = this.#text;
    let at = this.#at;
    let value = 0;
    for (; at < text.length; at += 1) {
      const digit = text.charCodeAt(at) - ZERO;
      if (digit < 0 || digit > 9) break;
      value = 10 * value + digit;
    }
    const digits = at - this.#at;
    const isWhole = at >= text.length || text.charCodeAt(at) === BAR;
    if (!isWhole || digits === 0 || digits > DIGITS_MAX) return null;
    this.#at = at + 1;
    return value;
  }

  #anyNumber(): number {
    const field = this.#next();
    const value = Number(field);
    if (field === "" || !Number.isFinite(value)) throw new Error(`"${field}" is no number`);
    return value;
  }

  /** The place of what has not been read. */
  get at(): number {
    return this.#at;
  }

  /** All that has not been read, in one. */
  rest(): string {
    return this.#text.slice(this.#at);
  }
}
