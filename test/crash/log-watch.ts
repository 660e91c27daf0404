/** The log of running processes as events: a test waits for a line instead of for time to pass. */

/** A line of structured log; text that is no JSON has only `msg`. */
export interface LogLine {
  readonly msg: string;
  readonly role?: string;
  readonly pid?: number;
  readonly [field: string]: unknown;
}

const TAIL_LINES = 60;

export class LogWatch {
  readonly #lines: LogLine[] = [];
  readonly #looks = new Set<(line: LogLine) => void>();

  /** Reads a stream to its end, line by line. */
  async follow(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of stream) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#add(lineOf(line));
    }
  }

  /**
   * The next line that matches.
   *
   * @throws Error naming `what` when none comes within `limitMs`.
   */
  next(what: string, matches: (line: LogLine) => boolean, limitMs: number): Promise<LogLine> {
    return new Promise((resolve, reject) => {
      const look = (line: LogLine) => {
        if (!matches(line)) return;
        clearTimeout(timer);
        this.#looks.delete(look);
        resolve(line);
      };
      const timer = setTimeout(() => {
        this.#looks.delete(look);
        reject(new Error(`${what} was not logged within ${limitMs} ms; last:\n${this.tail()}`));
      }, limitMs);
      this.#looks.add(look);
    });
  }

  /** Lines so far that match. */
  all(matches: (line: LogLine) => boolean): LogLine[] {
    return this.#lines.filter(matches);
  }

  /** The last lines, for a failure's message. */
  tail(): string {
    return this.#lines
      .slice(-TAIL_LINES)
      .map((line) => JSON.stringify(line))
      .join("\n");
  }

  #add(line: LogLine): void {
    this.#lines.push(line);
    for (const look of [...this.#looks]) look(line);
  }
}

function lineOf(text: string): LogLine {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return { msg: text };
  }
}
