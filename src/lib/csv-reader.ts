/**
 * Comma-separated values as spreadsheets write them (RFC 4180), read as they come: with or without
 * a byte order mark, lines that end in CR LF, LF or CR, and commas, semicolons or tabs between
 * cells, whichever the first line has, or what a line `sep=;` before it names. Whatever is sent, no
 * more than a line is kept.
 */

const LINE_CHARS_MAX = 512 * 1024;
const CELLS_MAX = 1_000;
const SEPARATORS = [",", ";", "\t"] as const;
/** What Excel is told by, and writes for itself: the line is no line of the table. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n\w])"?(?:\r\n?|\n|$)/i;
const GUARDED = /^'[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** The cells of a line; `line` is where it begins, because a cell may hold line ends. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** From here on nothing can be read; it is always the last. */
export interface CsvFault {
  readonly line: number;
  readonly message: string;
  readonly expected: string;
}

/** The lines that are not empty, or what ends the reading; a file without any is a fault. */
export async function* csvRows(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<CsvRow | CsvFault> {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const reader = new CsvReader();
  let isBegun = false;
  try {
    for await (const chunk of stream) {
      if (!isBegun && isUtf16(chunk)) {
        yield { line: 1, message: "is UTF-16", expected: AS_UTF8 };
        return;
      }
      isBegun ||= chunk.length > 0;
      // By line, so that what comes before a line of other bytes is read.
      for (const piece of piecesOf(chunk)) {
        yield* reader.read(utf8.decode(piece, { stream: true }));
        if (reader.isOver) return;
      }
    }
    yield* reader.read(utf8.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    yield { line: reader.line, message: "is not UTF-8", expected: AS_UTF8 };
    return;
  }
  yield* reader.end();
}

/** Cut after each line feed, which is never a part of another character. */
function* piecesOf(chunk: Uint8Array): Generator<Uint8Array> {
  let from = 0;
  for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
    yield chunk.subarray(from, end + 1);
    from = end + 1;
  }
  yield chunk.subarray(from);
}

const AS_UTF8 = 'UTF-8: in a spreadsheet, save as "CSV UTF-8"';

/** Whether text begins as spreadsheets write "Unicode text": its mark, or a NUL in a letter. */
function isUtf16([first, second]: Uint8Array): boolean {
  if (first === 0xff && second === 0xfe) return true;
  if (first === 0xfe && second === 0xff) return true;
  return second === 0 || (first === 0 && second !== undefined);
}

/** Where in a cell the reader is. */
type Place = "start" | "plain" | "quoted" | "after_quote";

class CsvReader {
  #separator: string | null = null;
  #place: Place = "start";
  #cells: string[] = [];
  #cell = "";
  #chars = 0;
  #isAfterCr = false;
  #hasRows = false;
  /** Line ends seen, and where the row that is read begins. */
  #ends = 0;
  #beganAt = 1;
  isOver = false;
  /** Characters of the first line, whose separator is not known before its end. */
  #head: string | null = "";

  get line(): number {
    return this.#beganAt;
  }

  *read(text: string): Generator<CsvRow | CsvFault> {
    let rest = text;
    if (this.#head !== null) {
      // A CR may be the first half of a line end.
      const hasEnd = /\n|\r./s.test(this.#head.slice(-1) + text);
      this.#head += text;
      const isWhole = hasEnd || this.#head.length > LINE_CHARS_MAX;
      if (!isWhole) return;
      rest = this.#begin(this.#head);
    }
    for (const char of rest) {
      const fault = this.#problem(char);
      if (fault) {
        this.isOver = true;
        yield fault;
        return;
      }
      if (this.#take(char)) yield* this.#row();
    }
  }

  *end(): Generator<CsvRow | CsvFault> {
    if (this.#head !== null) yield* this.read(this.#begin(this.#head));
    if (this.isOver) return;
    if (this.#place === "quoted") {
      yield this.#fault("has a quote that is never closed", 'a " at the end of the cell');
      return;
    }
    this.#endCell();
    yield* this.#row();
    if (this.#hasRows) return;
    this.#beganAt = 1;
    yield this.#fault("is empty", "a header line with the columns, then lines of cells");
  }

  /** Finds the separator; what is left is the table. */
  #begin(head: string): string {
    const [line = "", named] = SEPARATOR_LINE.exec(head) ?? [];
    this.#head = null;
    this.#separator = named ?? separatorOf(head);
    if (named === undefined) return head;
    this.#ends = 1;
    this.#beganAt = 2;
    return head.slice(line.length);
  }

  #fault(message: string, expected: string): CsvFault {
    return { line: this.#beganAt, message, expected };
  }

  #problem(char: string): CsvFault | null {
    this.#chars += 1;
    if (char === "\0") return this.#fault("has a NUL character", "text");
    if (this.#chars > LINE_CHARS_MAX) {
      const expected = `a line of ≤ ${LINE_CHARS_MAX} characters`;
      const isOpen = this.#place === "quoted" ? ", and every quote closed" : "";
      return this.#fault("is too long", `${expected}${isOpen}`);
    }
    if (this.#cells.length > CELLS_MAX) {
      return this.#fault("has too many cells", `≤ ${CELLS_MAX} cells in a line`);
    }
    const isEnd = char === this.#separator || char === "\n" || char === "\r" || char === '"';
    if (this.#place === "after_quote" && !isEnd) {
      return this.#fault("has text after a closing quote", 'a quote inside quotes as ""');
    }
    return null;
  }

  /** Takes a character in; true when the row is whole. */
  #take(char: string): boolean {
    const isSecondHalf = char === "\n" && this.#isAfterCr;
    this.#isAfterCr = char === "\r";
    const isEnd = (char === "\n" || char === "\r") && !isSecondHalf;
    if (isEnd) this.#ends += 1;
    if (this.#place === "quoted") {
      if (char === '"') this.#place = "after_quote";
      else this.#cell += char;
      return false;
    }
    if (char === '"' && this.#place !== "plain") {
      // A second one right after the first is a quote of the text.
      if (this.#place === "after_quote") this.#cell += char;
      this.#place = "quoted";
      return false;
    }
    if (char === this.#separator) {
      this.#endCell();
      return false;
    }
    if (isSecondHalf) return false;
    if (isEnd) {
      this.#endCell();
      return true;
    }
    this.#cell += char;
    this.#place = "plain";
    return false;
  }

  #endCell(): void {
    const text = this.#place === "plain" ? this.#cell.trim() : this.#cell;
    // What was guarded against being taken for a formula is as it was.
    this.#cells.push(GUARDED.test(text) ? text.slice(1) : text);
    this.#cell = "";
    this.#place = "start";
  }

  *#row(): Generator<CsvRow> {
    const row = { line: this.#beganAt, cells: this.#cells };
    this.#beganAt = this.#ends + 1;
    this.#cells = [];
    this.#chars = 0;
    if (row.cells.every((cell) => cell === "")) return;
    this.#hasRows = true;
    yield row;
  }
}

/** The separator that the first line has most of; what stands in quotes does not count. */
function separatorOf(text: string): string {
  const [head = ""] = text.replace(/"[^"]*"/g, "").split(/[\r\n]/, 1);
  const countOf = (separator: string) => head.split(separator).length;
  return SEPARATORS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
}
