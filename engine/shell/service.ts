/**
 * What everything that lives long has in common, from a timer to a whole process: it is started,
 * it finishes what it has in work, it is stopped. A process is a list of such parts, and there is
 * one way to start and to end a list, so no part needs to know the others.
 */

/** Tells an operator; fields are for machines and hold no secret. */
export type Log = (level: "info" | "warn" | "error", message: string, fields?: object) => void;

export interface Service {
  /** For logs. */
  readonly id: string;
  /** Begins to work. Rejects when it cannot; it is stopped all the same. */
  start?(): void | Promise<void>;
  /**
   * Takes no new work and finishes what is under way, as far as that is done before `untilMs`
   * (`performance.now()`), when the process ends; others still drain after it and need time too.
   * Whoever is left waiting is told so. Comes before `stop`, at most once.
   */
  drain?(untilMs: number): void | Promise<void>;
  /**
   * Ends everything and resolves when nothing of it runs and nothing is held. Comes at most once,
   * also without `drain`, and also for what was never started.
   */
  stop(): void | Promise<void>;
}

/** A service of several parts; nothing of it is done at once. */
export interface Role extends Service {
  start(): Promise<void>;
  drain(untilMs: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The parts as one service. They start in the order given, each when the one before has, and drain
 * and stop in the opposite order: whoever uses another part stands behind it. A part that fails to
 * drain or stop is logged and keeps nobody from it; one that fails to start has all of them
 * stopped, because even what was not started may hold a file or a connection.
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

/** Drains and stops the service; false when that took longer than `budgetMs` and goes on still. */
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
