/**
 * Engine time as a straight line over the machine's steady clock: every process computes the same
 * time from it. The engine publishes its line in `<shard>.time` beside the journal before it stamps
 * anything by it.
 *
 * Maintained invariant: each line continues the one before, and none runs backwards. So after a
 * stamp was seen, the time computed from the file is not before it: no age is negative, and no
 * quote is from the engine's future.
 */
import { randomBytes } from "node:crypto";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import type { Service } from "../../src/lib/service.ts";
import { mappedFile } from "./files.ts";
import { bootId, SYSTEM_TIME, type TimeSource } from "./system-time.ts";

const LINE_BYTES = 192;
/** A correction is spread over this time. */
export const SLEW_SPAN_MS = 1_000;
/** A reader may meet a half-written line, which is complete a moment later. */
const READS_MAX = 100;
const WAIT_EVERY_MS = 20;
const WAIT_MS_MAX = 10_000;

export interface TimeLine {
  /** The steady clock at the start of the line. */
  readonly monotonicMs: number;
  /** Engine time at its start; epoch milliseconds with fraction. */
  readonly engineMs: number;
  /** Gained, or lost when negative, over the first second; then the line runs as time does. */
  readonly slewMs: number;
}

/** Engine time on a line, with fraction; constant before its start. */
export function timeOn({ monotonicMs, engineMs, slewMs }: TimeLine, atMs: number): number {
  const elapsedMs = Math.max(0, atMs - monotonicMs);
  return engineMs + elapsedMs + slewMs * Math.min(1, elapsedMs / SLEW_SPAN_MS);
}

/** The path of a journal's time line. */
export function timePath(journalPath: string): string {
  return journalPath.replace(/\.db$/, ".time");
}

/** A line with its boot and engine. */
interface Published extends TimeLine {
  /** `ENDED` after an orderly end. */
  readonly boot: string;
  readonly owner: string;
}

const ENDED = "ended";
const OWN_BOOT = bootId() ?? "unknown";

function textOf({ boot, owner, monotonicMs, engineMs, slewMs }: Published): string {
  const text = `${boot} ${owner} ${monotonicMs} ${engineMs} ${slewMs}`;
  const crc = Bun.hash.crc32(text).toString(16).padStart(8, "0");
  return `${`${text} ${crc}`.padEnd(LINE_BYTES - 1)}\n`;
}

/** Null when the text is torn or has another format. */
function publishedIn(text: string): Published | null {
  const [boot = "", owner = "", ...numbers] = text.trimEnd().split(" ");
  const [monotonicMs = 0, engineMs = 0, slewMs = 0] = numbers.map(Number);
  const published = { boot, owner, monotonicMs, engineMs, slewMs };
  return textOf(published) === text ? published : null;
}

/** The line in an open file; null when it is not complete. */
function readLine(fd: number): Published | null {
  const bytes = Buffer.alloc(LINE_BYTES);
  const count = readSync(fd, bytes, 0, LINE_BYTES, 0);
  return count === LINE_BYTES ? publishedIn(bytes.toString("latin1")) : null;
}

/** The engine's side. The last engine to open the file owns it; earlier ones stop writing. */
export class TimeLineFile implements Service {
  readonly id = "time line";
  readonly #fd: number;
  readonly #owner = randomBytes(8).toString("hex");
  #isTaken = false;
  /**
   * The line of a crashed engine of this boot, or null. Its time continues, so a wall clock that
   * was set since is ignored.
   */
  readonly former: TimeLine | null;

  constructor(journalPath: string) {
    const path = timePath(journalPath);
    closeSync(openSync(path, "a", 0o600));
    this.#fd = openSync(path, "r+");
    const found = readLine(this.#fd);
    const isOfThisBoot = found?.boot === OWN_BOOT && OWN_BOOT !== "unknown";
    this.former = isOfThisBoot ? found : null;
  }

  /** Replaces the line, unless a newer engine owns the file. */
  readonly publish = ({ monotonicMs, engineMs, slewMs }: TimeLine): void => {
    this.#write({ boot: OWN_BOOT, owner: this.#owner, monotonicMs, engineMs, slewMs });
  };

  /** An orderly end: the next start uses the wall clock again. */
  stop(): void {
    const nowhere = { monotonicMs: 0, engineMs: 0, slewMs: 0 };
    if (this.#isTaken) this.#write({ boot: ENDED, owner: this.#owner, ...nowhere });
    closeSync(this.#fd);
  }

  #write(published: Published): void {
    if (this.#isTaken && readLine(this.#fd)?.owner !== this.#owner) return;
    this.#isTaken = true;
    writeSync(this.#fd, textOf(published), 0, "latin1");
  }
}

/** Engine time in every other process. */
export class EngineTime implements Service {
  readonly id = "engine time";
  readonly #path: string;
  readonly #source: Pick<TimeSource, "monotonicMs">;
  #file: Uint8Array | null = null;
  #line: Published | null = null;
  /** The bytes of the parsed line: every request reads, few lines are new. */
  #known = Buffer.alloc(LINE_BYTES);

  constructor(journalPath: string, source: Pick<TimeSource, "monotonicMs"> = SYSTEM_TIME) {
    this.#path = timePath(journalPath);
    this.#source = source;
  }

  /**
   * Resolves when an engine has published its time.
   *
   * @throws Error when none does: no other clock may be used for promises.
   */
  async start(): Promise<void> {
    for (let waitedMs = 0; ; waitedMs += WAIT_EVERY_MS) {
      this.#read();
      if (this.#line) return;
      if (waitedMs >= WAIT_MS_MAX) throw new Error(`no engine has published its time yet`);
      await Bun.sleep(WAIT_EVERY_MS);
    }
  }

  /**
   * Epoch milliseconds, as the engine would stamp them now. Time goes on while no engine runs.
   *
   * @throws Error before `start`.
   */
  readonly now = (): number => {
    this.#read();
    if (!this.#line) throw new Error("engine time is not known yet");
    return Math.floor(timeOn(this.#line, this.#source.monotonicMs()));
  };

  stop(): void {
    this.#file = null;
  }

  /** The newest line, or the last known one. */
  #read(): void {
    this.#file ??= mappedFile(this.#path, LINE_BYTES);
    if (this.#file === null) return;
    for (let reads = 0; reads < READS_MAX; reads += 1) {
      if (this.#known.equals(this.#file)) return;
      const bytes = Buffer.from(this.#file);
      const found = publishedIn(bytes.toString("latin1"));
      if (!found) continue;
      this.#known = bytes;
      if (found.boot === OWN_BOOT) this.#line = found;
      return;
    }
  }
}
