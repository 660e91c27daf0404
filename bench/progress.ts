/** Where a benchmark is, and how long it will still take. */
import type { Figures } from "./load.ts";
import { shown } from "./result.ts";

/** A row of like steps, such as the runs of one part. */
export interface Stage {
  readonly name: string;
  readonly steps: number;
  /** What one step is declared to take: it is believed until one of them has ended. */
  readonly stepSeconds: number;
}

/** Where progress is told. */
export interface Screen {
  write(text: string): void;
  /** Columns of a terminal; null for a file or a pipe, which has no line that could change. */
  columns(): number | null;
}

const TICK_MS = 1_000;
const BAR_CELLS = 20;
const BAR_CELLS_MIN = 5;

interface Counted {
  finished: number;
  /** Of the finished steps, with what was done between them. */
  seconds: number;
}

/** `45 s`, `6 min 10 s` or `1 h 5 min`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** An estimate, as roughly as it is known. */
function roughly(seconds: number): string {
  if (seconds < 90) return duration(Math.max(5, Math.ceil(seconds / 5) * 5));
  return `${Math.round(seconds / 60)} min`.replace(/^60 min$/, "1 h");
}

function barOf(share: number, cells: number): string {
  const filled = Math.round(share * cells);
  return "█".repeat(filled) + "░".repeat(cells - filled);
}

function clipped(text: string, columns: number): string {
  const characters = [...text];
  return characters.length <= columns ? text : `${characters.slice(0, columns - 1).join("")}…`;
}

/** Tells on a terminal in one line that changes, elsewhere in a line for every step. */
export class Progress {
  readonly #plan: readonly Stage[];
  readonly #screen: Screen;
  readonly #nowMs: () => number;
  readonly #startMs: number;
  readonly #counted = new Map<string, Counted>();
  readonly #notes: string[] = [];
  #current = { stage: "", what: "" };
  /** When the last step ended: what lies between two steps is the later one's. */
  #markMs: number;
  #timer: Timer | null = null;

  constructor(
    plan: readonly Stage[],
    screen: Screen,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#plan = plan;
    this.#screen = screen;
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
    this.#markMs = this.#startMs;
  }

  /** Does a step of a stage; `what` tells it from the others. */
  async step<T>(stage: string, what: string, work: () => Promise<T>): Promise<T> {
    this.#begin(stage, what);
    // It has no figures to tell in the end, and may be long: a log says that it has begun.
    this.#log(`${stage}: ${what}`);
    const result = await work();
    this.#finish();
    return result;
  }

  /** A step that is measured: run `round` (from 0) of `of`; null when it came to nothing. */
  async run<T extends Figures | null>(
    stage: string,
    { what, round, of }: { what: string; round: number; of: number },
    work: () => Promise<T>,
  ): Promise<T> {
    const name = `${what}, run ${round + 1} of ${of}`;
    this.#begin(stage, name);
    const result = await work();
    this.#finish();
    if (result === null) return result;
    const { requestsPerSecond, p99Ms } = result;
    const speed = shown(requestsPerSecond, requestsPerSecond < 100 ? 1 : 0);
    this.#log(`${stage}: ${name}: ${speed}/s, p99 ${shown(p99Ms, 1)} ms`);
    return result;
  }

  /** Says a sentence that stays, and keeps it for whoever asks for the remarks. */
  note(sentence: string): void {
    this.#notes.push(sentence);
    this.#clear();
    this.#screen.write(`${sentence}\n`);
    this.#draw();
  }

  /** The sentences since the last call. */
  takeNotes(): string[] {
    return this.#notes.splice(0);
  }

  /** Leaves the screen to others. */
  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#clear();
    this.#current = { stage: "", what: "" };
  }

  get elapsedSeconds(): number {
    return (this.#nowMs() - this.#startMs) / 1000;
  }

  /**
   * Finished steps tell what the others of their stage take; the declared length of a stage without
   * any is corrected by how wrong the declarations were so far.
   */
  get secondsLeft(): number {
    const done = this.#plan.map((stage) => ({ stage, ...this.#countOf(stage.name) }));
    const took = done.reduce((sum, { seconds }) => sum + seconds, 0);
    const declared = done.reduce((sum, { stage, finished }) => {
      return sum + finished * stage.stepSeconds;
    }, 0);
    const correction = declared > 0 ? took / declared : 1;
    const inStep = (this.#nowMs() - this.#markMs) / 1000;
    return done.reduce((sum, { stage, finished, seconds }) => {
      const each = finished > 0 ? seconds / finished : stage.stepSeconds * correction;
      const left = Math.max(0, stage.steps - finished) * each;
      const spent = stage.name === this.#current.stage ? Math.min(inStep, each) : 0;
      return sum + Math.max(0, left - spent);
    }, 0);
  }

  #countOf(stage: string): Counted {
    return this.#counted.get(stage) ?? { finished: 0, seconds: 0 };
  }

  #begin(stage: string, what: string): void {
    this.#current = { stage, what };
    if (this.#screen.columns() === null) return;
    this.#timer ??= setInterval(() => this.#draw(), TICK_MS);
    this.#draw();
  }

  #finish(): void {
    const now = this.#nowMs();
    const { finished, seconds } = this.#countOf(this.#current.stage);
    const took = (now - this.#markMs) / 1000;
    this.#counted.set(this.#current.stage, { finished: finished + 1, seconds: seconds + took });
    this.#markMs = now;
    this.#draw();
  }

  #log(line: string): void {
    if (this.#screen.columns() !== null) return;
    this.#screen.write(`${line} (${this.#time()})\n`);
  }

  /** What has passed, and about what is left if anything is. */
  #time(): string {
    const left = this.secondsLeft;
    return duration(this.elapsedSeconds) + (left > 0 ? `, about ${roughly(left)} left` : "");
  }

  #clear(): void {
    if (this.#screen.columns() !== null) this.#screen.write("\r\x1b[2K");
  }

  #draw(): void {
    const columns = this.#screen.columns();
    const { stage, what } = this.#current;
    if (columns === null || stage === "") return;
    const left = this.secondsLeft;
    const share = this.elapsedSeconds / Math.max(1e-9, this.elapsedSeconds + left);
    const words = `${Math.floor(share * 100)} %  ${stage}: ${what} · ${this.#time()}`;
    // The bar gives way to the words, which say more.
    const room = Math.min(BAR_CELLS, columns - 3 - [...words].length);
    const line = room < BAR_CELLS_MIN ? words : `${barOf(share, room)}  ${words}`;
    this.#clear();
    this.#screen.write(clipped(line, columns - 1));
  }
}
