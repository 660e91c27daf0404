/** Where a benchmark is, and how long it will still take. */
import type { Figures } from "./load.ts";
import { shown } from "./result.ts";

/** Which round it is, from 0, of how many. */
export interface Round {
  readonly round: number;
  readonly of: number;
}

/** A row of like steps, such as the runs of one part. */
export interface Stage {
  readonly name: string;
  readonly steps: number;
  /** A first estimate of one step. */
  readonly stepSeconds: number;
}

/** Where progress is written. */
export interface Screen {
  write(text: string): void;
  /** Columns of a terminal; null for a file or a pipe, which has no line that could change. */
  columns(): number | null;
}

const TICK_MS = 1_000;

/** `45 s`, `6 min 10 s` or `1 h 5 min`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** An estimate, no more precise than it can be. */
function roughly(seconds: number): string {
  if (seconds < 90) return duration(Math.max(5, Math.ceil(seconds / 5) * 5));
  return `${Math.round(seconds / 60)} min`.replace(/^60 min$/, "1 h");
}

/** On a terminal one line that changes, elsewhere a line for every step. */
export class Progress {
  readonly #plan: readonly Stage[];
  readonly #screen: Screen;
  readonly #nowMs: () => number;
  readonly #startMs: number;
  /** Seconds of the finished steps by stage; time between two steps belongs to the later one. */
  readonly #finished = new Map<string, readonly number[]>();
  readonly #notes: string[] = [];
  #current = { stage: "", what: "" };
  /** When the last step ended. */
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

  /** Does a step of a stage; `what` distinguishes it from the others. */
  async step<T>(stage: string, what: string, work: () => Promise<T>): Promise<T> {
    this.#begin(stage, what);
    // It has no figures to show in the end, and may be long: a log says that it has begun.
    this.#log(`${stage}: ${what}`);
    const result = await work();
    this.#finish();
    return result;
  }

  /** A step that is measured; null when it cannot be. */
  async run<T extends Figures | null>(
    stage: string,
    { what, round, of }: Round & { readonly what: string },
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

  /** Writes a sentence that stays, and keeps it for the remarks. */
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
   * The other steps of a stage are expected to take as long as its finished ones. Estimates of
   * stages without any are corrected by how wrong the estimates were so far.
   */
  get secondsLeft(): number {
    let [took, estimated] = [0, 0];
    for (const { name, stepSeconds } of this.#plan) {
      const finished = this.#finished.get(name) ?? [];
      took += sum(finished);
      estimated += finished.length * stepSeconds;
    }
    const correction = estimated > 0 ? took / estimated : 1;
    const inStep = (this.#nowMs() - this.#markMs) / 1000;
    const left = this.#plan.map(({ name, steps, stepSeconds }) => {
      const finished = this.#finished.get(name) ?? [];
      const count = finished.length;
      const each = count > 0 ? sum(finished) / count : stepSeconds * correction;
      const spent = name === this.#current.stage ? Math.min(inStep, each) : 0;
      return Math.max(0, Math.max(0, steps - count) * each - spent);
    });
    return sum(left);
  }

  #begin(stage: string, what: string): void {
    this.#current = { stage, what };
    if (this.#screen.columns() === null) return;
    this.#timer ??= setInterval(() => this.#draw(), TICK_MS);
    this.#draw();
  }

  #finish(): void {
    const now = this.#nowMs();
    const { stage } = this.#current;
    const took = (now - this.#markMs) / 1000;
    this.#finished.set(stage, [...(this.#finished.get(stage) ?? []), took]);
    this.#markMs = now;
    this.#draw();
  }

  #log(line: string): void {
    if (this.#screen.columns() !== null) return;
    this.#screen.write(`${line} (${this.#time()})\n`);
  }

  /** Elapsed time, and the estimate unless everything is done. */
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
    const elapsed = this.elapsedSeconds;
    const percent = Math.floor((100 * elapsed) / Math.max(1e-9, elapsed + this.secondsLeft));
    const line = [...`${percent} %  ${stage}: ${what} · ${this.#time()}`];
    const isLong = line.length > columns - 1;
    this.#clear();
    this.#screen.write(isLong ? `${line.slice(0, columns - 2).join("")}…` : line.join(""));
  }
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
