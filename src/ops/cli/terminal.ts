/** Output, questions, tables and progress on a terminal. */
import { createInterface } from "node:readline/promises";

/** Control and format characters, which could move the cursor or reorder the text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Untrusted text on one line, with control characters escaped. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (sign) => {
    if (sign === "\n") return "⏎";
    return `\\u{${sign.codePointAt(0)!.toString(16)}}`;
  });
}

export interface Terminal {
  /** True when stderr is a terminal. */
  readonly isWatched: boolean;
  /** True when stdin is a terminal. */
  readonly canAsk: boolean;
  /** Prints results on stdout. */
  out(text: string): void;
  /** Prints progress and errors on stderr. */
  err(text: string): void;
  /** The next line of stdin; null at its end. */
  ask(question: string, signal: AbortSignal): Promise<string | null>;
}

/** The terminal of this process. */
export const TERMINAL: Terminal = {
  isWatched: process.stderr.isTTY === true,
  canAsk: process.stdin.isTTY === true,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  async ask(question, signal) {
    process.stderr.write(question);
    const lines = createInterface({ input: process.stdin, terminal: false });
    signal.addEventListener("abort", () => lines.close(), { once: true });
    try {
      for await (const line of lines) return line;
      return null;
    } finally {
      lines.close();
    }
  },
};

/** True when the operator answers yes; any other answer, or none, is a no. */
export async function isAgreed(
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
  question: string,
): Promise<boolean> {
  const answer = await terminal.ask(`${question} [y/N] `, signal);
  return /^(?:y|yes)$/i.test(answer?.trim() ?? "");
}

/** JSON of a result on several lines. */
export const asJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const GAP = "  ";

/**
 * Rows under their headings. Each column is as wide as its widest cell; numbers are aligned right.
 */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((row) => row.map(printable));
  const widths = headings.map((_, i) => Math.max(...lines.map((row) => row[i]?.length ?? 0)));
  const isNumber = headings.map((_, i) => rows.every((row) => /^[\d.,%-]*$/.test(row[i] ?? "")));
  return lines
    .map((row) => {
      const cells = row.map((cell, i) => {
        return isNumber[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!);
      });
      return `${cells.join(GAP).trimEnd()}\n`;
    })
    .join("");
}

const BAR_WIDTH = 30;
const PRINT_EVERY_MS = 500;

/** Shows progress over rows of the journal. */
export function rowProgress(terminal: Terminal) {
  return progressBar(terminal, { words: (done, of) => `${done} of ${of} rows` });
}

interface ProgressOptions {
  readonly now?: () => number;
  /** The text before the percentage. */
  readonly words?: (done: number, of: number) => string;
}

/**
 * Shows progress on stderr: a bar on a terminal, else a line every half second and at the end.
 */
export function progressBar(terminal: Terminal, { now, words }: ProgressOptions = {}) {
  const clock = now ?? (() => performance.now());
  const textOf = words ?? ((done: number, of: number) => `${done} of ${of}`);
  let printedAtMs = Number.NEGATIVE_INFINITY;
  // The longest text so far: a shorter one must overwrite all of it.
  let width = 0;
  return (done: number, of: number): void => {
    const isLast = done >= of;
    const nowMs = clock();
    const everyMs = terminal.isWatched ? PRINT_EVERY_MS / 5 : PRINT_EVERY_MS;
    if (!isLast && nowMs - printedAtMs < everyMs) return;
    printedAtMs = nowMs;
    const part = of === 0 ? 1 : done / of;
    const text = `${textOf(done, of)} (${Math.floor(100 * part)} %)`;
    if (!terminal.isWatched) return terminal.err(`${text}\n`);
    const filled = Math.floor(BAR_WIDTH * part);
    const bar = `${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}`;
    width = Math.max(width, text.length);
    terminal.err(`\r[${bar}] ${text.padEnd(width)}${isLast ? "\n" : ""}`);
  };
}
