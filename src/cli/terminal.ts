/** Where a command line prints and asks. */
import { createInterface } from "node:readline/promises";

/** What would move the cursor, recolour the screen or turn the order of the text around. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of others on one line, with whatever a terminal would obey made visible. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (sign) => {
    if (sign === "\n") return "⏎";
    return `\\u{${sign.codePointAt(0)!.toString(16)}}`;
  });
}

export interface Terminal {
  /** True when a person looks at stderr. */
  readonly isWatched: boolean;
  /** True when somebody could answer a question. */
  readonly canAsk: boolean;
  /** What was asked for. */
  out(text: string): void;
  /** Progress, questions and what is wrong. */
  err(text: string): void;
  /** The line that is typed or piped in; null when there is none, or none any more. */
  ask(question: string, signal: AbortSignal): Promise<string | null>;
}

/** That of this process. */
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

/** True when the operator says yes; anything else, and nobody there to ask, is a no. */
export async function isAgreed(
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
  question: string,
): Promise<boolean> {
  const answer = await terminal.ask(`${question} [y/N] `, signal);
  return /^(?:y|yes)$/i.test(answer?.trim() ?? "");
}

const GAP = "  ";

/**
 * Rows under their headings, each column as wide as its widest cell; what only digits stand in is
 * set to the right.
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
const TELL_EVERY_MS = 500;

interface ProgressTerms {
  readonly now?: () => number;
  /** What is said before the percentage. */
  readonly words?: (done: number, of: number) => string;
}

/**
 * How far a task is, on stderr: a bar that fills up where a person looks at it, else a line now and
 * then, and always the last.
 */
export function progressBar(terminal: Terminal, { now, words }: ProgressTerms = {}) {
  const clock = now ?? (() => performance.now());
  const told = words ?? ((done: number, of: number) => `${done} of ${of}`);
  let toldAtMs = Number.NEGATIVE_INFINITY;
  // Of a longer text a shorter one would leave the end on the screen.
  let width = 0;
  return (done: number, of: number): void => {
    const isLast = done >= of;
    const nowMs = clock();
    const everyMs = terminal.isWatched ? TELL_EVERY_MS / 5 : TELL_EVERY_MS;
    if (!isLast && nowMs - toldAtMs < everyMs) return;
    toldAtMs = nowMs;
    const part = of === 0 ? 1 : done / of;
    const text = `${told(done, of)} (${Math.floor(100 * part)} %)`;
    if (!terminal.isWatched) return terminal.err(`${text}\n`);
    const filled = Math.floor(BAR_WIDTH * part);
    const bar = `${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}`;
    width = Math.max(width, text.length);
    terminal.err(`\r[${bar}] ${text.padEnd(width)}${isLast ? "\n" : ""}`);
  };
}
