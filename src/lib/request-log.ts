/**
 * The request log: one JSON line for each refused or failed request, found by its trace id. It
 * holds ids, codes and names of fields; never values, secrets or personal data.
 *
 * Each api process keeps lines in memory and appends them once a second to the newest numbered file
 * in `DATA_DIR/requests`, shared by all. A full file is followed by the next number, and all but
 * the last two are removed. Files are never renamed, so processes need no lock. Requests never wait
 * for the disk: overflow is dropped and counted.
 */
import { readdirSync, readFileSync } from "node:fs";
import { appendFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { every, type Service } from "./service.ts";

/** One refused or failed request. */
export interface LoggedRequest {
  /** Time of the answer, RFC 3339. */
  readonly at: string;
  readonly method: string;
  /** Path pattern of the route; null without a route. */
  readonly route: string | null;
  readonly status: number;
  /** Null without a code: a missing page, a disconnected client. */
  readonly code: string | null;
  readonly trace_id: string;
  /** Null before authentication. */
  readonly tenant_id: string | null;
  readonly agent_id: string | null;
  readonly ms: number;
  /** Of a 400: the fields at fault. */
  readonly fields?: readonly string[];
  /** Of a 401 and a 403: `detail.reason`. */
  readonly reason?: string;
}

interface RequestLogOptions {
  readonly directory: string;
  /** Wall clock, epoch milliseconds. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** Default 8 MiB. */
  readonly fileBytesMax?: number;
}

const WRITE_EVERY_MS = 1_000;
const FILE_BYTES_MAX = 8 * 1024 * 1024;
/** Lines between two writes; about 300 KB. */
const WAITING_MAX = 1_000;
/** Limit for 429s, so that a flooding client does not displace others. */
const WAITING_429_MAX = 100;

/** Writes the request log of one process. */
export class RequestLog implements Service {
  readonly id = "request log";
  /** Requests not logged since the process began. */
  dropped = 0;
  readonly #options: RequestLogOptions;
  readonly #timer = every("request log timer", WRITE_EVERY_MS, () => void this.write());
  #waiting: LoggedRequest[] = [];
  #waiting429 = 0;
  /** Dropped requests that the log does not mention yet. */
  #untold = 0;
  #writing: Promise<void> | null = null;
  /** A failed write may have left half a line. */
  #isTorn = false;

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  /** Adds a request; drops and counts it when too many wait. */
  note(request: Omit<LoggedRequest, "at">): void {
    const is429 = request.status === 429;
    if (this.#waiting.length >= WAITING_MAX || (is429 && this.#waiting429 >= WAITING_429_MAX)) {
      this.#drop(1);
      return;
    }
    if (is429) this.#waiting429 += 1;
    this.#waiting.push({ at: new Date(this.#options.now()).toISOString(), ...request });
  }

  /**
   * Appends the waiting lines; one write at a time. Never rejects: failed lines are dropped and
   * counted.
   */
  write(): Promise<void> {
    if (this.#writing || this.#waiting.length + this.#untold === 0) {
      return this.#writing ?? Promise.resolve();
    }
    const requests = this.#waiting;
    const dropped = this.#untold;
    this.#waiting = [];
    this.#waiting429 = 0;
    this.#writing = this.#append(requests, dropped)
      .then(() => {
        this.#isTorn = false;
        this.#untold -= dropped;
      })
      .catch((error: unknown) => {
        this.#isTorn = true;
        this.#drop(requests.length);
        this.#options.onError(error);
      })
      .finally(() => {
        this.#writing = null;
      });
    return this.#writing;
  }

  start(): void {
    this.#timer.start();
  }

  async stop(): Promise<void> {
    this.#timer.stop();
    await this.#writing;
    await this.write();
  }

  #drop(count: number): void {
    this.dropped += count;
    this.#untold += count;
  }

  async #append(requests: readonly LoggedRequest[], dropped: number): Promise<void> {
    const { directory, now, fileBytesMax = FILE_BYTES_MAX } = this.#options;
    const lines: object[] = [...requests];
    if (dropped > 0) lines.push({ at: new Date(now()).toISOString(), dropped });
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const numbers = numbersIn(await readdir(directory));
    let newest = numbers.at(-1) ?? 1;
    if (numbers.length > 0 && (await stat(fileOf(directory, newest))).size >= fileBytesMax) {
      newest += 1;
      for (const old of numbers.slice(0, -1)) await rm(fileOf(directory, old), { force: true });
    }
    const path = fileOf(directory, newest);
    await appendFile(path, this.#isTorn ? `\n${text}` : text, { mode: 0o600 });
  }
}

/** Directory of an installation's request log. */
export function requestLogDirectory(dataDir: string): string {
  return join(dataDir, "requests");
}

function fileOf(directory: string, number: number): string {
  return join(directory, `${number}.jsonl`);
}

/** The numbers of the log's files, oldest first. */
function numbersIn(names: readonly string[]): number[] {
  const files = names.filter((name) => /^\d+\.jsonl$/.test(name));
  return files.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b);
}

/**
 * The log in `directory`, oldest request first, and the number of dropped ones. Incomplete lines
 * are skipped. Throws ENOENT without a log.
 */
export function readRequestLog(directory: string) {
  const requests: LoggedRequest[] = [];
  let dropped = 0;
  for (const number of numbersIn(readdirSync(directory))) {
    for (const text of linesOf(fileOf(directory, number))) {
      const line = lineOf(text);
      if (line && "dropped" in line) dropped += line.dropped;
      else if (line) requests.push(line);
    }
  }
  requests.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  return { requests, dropped };
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch (error) {
    // A running service has removed it meanwhile.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function lineOf(text: string): LoggedRequest | { readonly dropped: number } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
