/**
 * This machine as the home of api and worker: passes the changes of their files on to PostgreSQL,
 * each before it is answered (`src/lib/passing-on.ts`), and gives signs of life.
 */
import { Fenced } from "../log/care/damage.ts";
import type { SharedStores } from "./shared-stores.ts";
import type { PassedOnStores } from "./store-files.ts";

/** While there are changes, and when there were none the last time. */
const PASS_AGAIN_MS = 2;
const LOOK_EVERY_MS = 20;
const BEAT_EVERY_MS = 500;

export interface HomeOptions {
  readonly shared: SharedStores;
  readonly stores: PassedOnStores;
  readonly epoch: number;
  /** Whether api and worker have ended for good, and not this process alone. */
  readonly isEnding: () => boolean;
  /** Called when PostgreSQL has taken a sign of life. */
  readonly onAlive: () => void;
  /** Another machine is the home, or that is not known: the process must end. */
  readonly onFatal: (error: unknown) => void;
}

export class Home {
  readonly id = "home";
  readonly #options: HomeOptions;
  #isStopped = false;
  #passing: Promise<void> = Promise.resolve();
  #beatAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: HomeOptions) {
    this.#options = options;
  }

  /** Resolves when PostgreSQL has taken the first sign of life. */
  async start(): Promise<void> {
    await this.#passOnce();
    this.#passing = this.#pass().catch(this.#options.onFatal);
  }

  async #pass(): Promise<void> {
    while (!this.#isStopped) {
      const hasPassed = await this.#passOnce();
      await Bun.sleep(hasPassed ? PASS_AGAIN_MS : LOOK_EVERY_MS);
    }
  }

  /** True when there was something to pass on. */
  async #passOnce(): Promise<boolean> {
    const { shared, stores, epoch } = this.#options;
    const nowMs = performance.now();
    const before = stores.passedOn;
    let isHome = await stores.passOn();
    if (isHome && nowMs - this.#beatAtMs >= BEAT_EVERY_MS) {
      isHome = await shared.beat(epoch);
      this.#beatAtMs = nowMs;
      if (isHome) this.#options.onAlive();
    }
    if (!isHome) throw new Fenced(`home epoch ${epoch}, another machine is the home`);
    return stores.passedOn > before;
  }

  /** Passes the rest on, and lets another machine be the home if api and worker have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#passing;
    const { shared, stores, epoch, isEnding } = this.#options;
    if ((await stores.passOn()) && isEnding()) await shared.handOver(epoch);
    stores.close();
  }
}
