/**
 * The interface of everything long-lived, from a timer to a whole process: start, drain, stop. A
 * process is a list of services, started and ended in one way, so that no service needs to know the
 * others.
 */

/** Logs for an operator; fields are for machines and hold no secret. */
export type Log = (level: "info" | "warn" | "error", message: string, fields?: object) => void;

export interface Service {
  /** For logs. */
  readonly id: string;
  /** Starts the work. Rejects on failure; it is stopped all the same. */
  start?(): void | Promise<void>;
  /**
   * Takes no new work and finishes the work in progress, as far as possible before `untilMs`
   * (`performance.now()`), when the process ends; other services still drain after it. Callers left
   * waiting get an answer. Called before `stop`, at most once.
   */
  drain?(untilMs: number): void | Promise<void>;
  /** Ends all work and releases all. Called at most once, also without `drain` or `start`. */
  stop(): void | Promise<void>;
}

/** A service of several parts, all asynchronous. */
export interface Role extends Service {
  start(): Promise<void>;
  drain(untilMs: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The parts as one service. They start in order, each after the one before, and drain and stop in
 * the opposite order: a part comes after those it uses. A failed drain or stop is logged and does
 * not prevent the others; after a failed start all parts are stopped, because even one that was not
 * started may hold a file or a connection.
 */
export function roleOf(id: string, parts: readonly Service[], log: Log): Role {
  const backwards = async (deed: "drain" | "stop", untilMs: number) => {
    for (const part of parts.toReversed()) {
      try {
        await part[deed]?.(untilMs);
      } catch (error) {
        log("error", `a part failed to ${deed}`, { part: part.id, error });
      }
    }
  };
  const stop = () => backwards("stop", 0);
  return {
    id,
    async start() {
      try {
        for (const part of parts) await part.start?.();
      } catch (error) {
        await stop();
        throw error;
      }
    },
    drain: (untilMs) => backwards("drain", untilMs),
    stop,
  };
}

/** A place among parts for a service that begins later, if at all. */
export class Later implements Service {
  readonly id: string;
  #service: Service | null = null;

  constructor(id: string) {
    this.id = id;
  }

  get hasBegun(): boolean {
    return this.#service !== null;
  }

  /** Starts the service; it drains and stops in this place. */
  async begin(service: Service): Promise<void> {
    this.#service = service;
    await service.start?.();
  }
  async drain(untilMs: number): Promise<void> {
    await this.#service?.drain?.(untilMs);
  }
  async stop(): Promise<void> {
    await this.#service?.stop();
  }
}

/** Drains and stops the service; false when that takes longer than `budgetMs` and goes on. */
export async function endWithin(service: Service, budgetMs: number): Promise<boolean> {
  const end = async () => {
    await service.drain?.(performance.now() + budgetMs);
    await service.stop();
    return true;
  };
  return await Promise.race([end(), Bun.sleep(budgetMs).then(() => false)]);
}

/** Calls `run`, which must not throw, at the start and then every `everyMs` until the stop. */
export function every(id: string, everyMs: number, run: () => void) {
  let timer: Timer | undefined;
  const stop = () => clearInterval(timer);
  return {
    id,
    start() {
      run();
      timer = setInterval(run, everyMs);
    },
    drain: stop,
    stop,
  };
}
