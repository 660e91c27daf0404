/**
 * Text of fields, a fast format for data that is written and read as a whole: `|` separates fields,
 * `,` the items of a list. In a field these two, `~`, `"`, `\`, control characters and lone
 * surrogates are written as `~` and four hex digits, so that the text is one line of valid UTF-8
 * and needs no escaping in JSON.
 */

/** The characters of ids, dates and hashes; such text needs no escaping. */
const PLAIN = /^[\w.:/@+-]*$/;
const ESCAPED = /[|,~"\\\p{Cc}\p{Cs}]/gu;
const ESCAPE = /~([0-9a-f]{4})/g;
const BAR = 0x7c;
const ZERO = 0x30;
/** Every number with at most this many digits is exact. */
const DIGITS_MAX = 15;

/** A text as a field, or as an item of one. */
export function toField(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(
    ESCAPED,
    (character) => `~${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The text of a field. */
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

  /** The next field, not decoded. */
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

  /** @throws Error when it is not a number. */
  number(): number {
    return this.#digits() ?? this.#anyNumber();
  }

  /** A number of digits only, as most are: allocates no text. */
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
    if (field === "" || !Number.isFinite(value)) throw new Error(`"${field}" is not a number`);
    return value;
  }

  /** The offset of the first unread character. */
  get at(): number {
    return this.#at;
  }

  /** The unread rest. */
  rest(): string {
    return this.#text.slice(this.#at);
  }
}
