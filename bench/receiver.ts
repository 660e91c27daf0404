/** The receiver of webhooks: a process of its own, so that its cost is counted separately. */
import { join } from "node:path";
import type { Latencies } from "./load.ts";
import { onInterrupt } from "./teardown.ts";

/**
 * What came to the receivers that answer, since it was last forgotten; latencies are from the
 * instant of an event until it was there.
 */
export interface Received extends Latencies {
  readonly received: number;
  /** Of an event to a receiver however often it came. */
  readonly distinct: number;
  /** What the receiver itself has cost. */
  readonly cpuMicros: number;
}

export class Receiver {
  readonly #origin: string;
  readonly #mortalOrigin: string;
  readonly #child: Bun.Subprocess;
  readonly #isEnded: () => void;

  private constructor(child: Bun.Subprocess, [origin, mortalOrigin]: readonly string[]) {
    this.#child = child;
    this.#origin = origin!;
    this.#mortalOrigin = mortalOrigin!;
    this.#isEnded = onInterrupt(() => child.kill());
  }

  static async start(): Promise<Receiver> {
    const program = join(import.meta.dir, "receiver-worker.ts");
    const pipes = { stdin: "pipe", stdout: "pipe", stderr: "inherit" } as const;
    const child = Bun.spawn([process.execPath, program], pipes);
    let said = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += chunk;
      if (said.split("\n").length > 2) return new Receiver(child, said.split("\n"));
    }
    throw new Error("the receiver ended");
  }

  /** Address at which deliveries are answered as `behaviour` says. */
  url(behaviour: string, n: number): string {
    const origin = behaviour === "dead" ? this.#mortalOrigin : this.#origin;
    return `${origin}/${behaviour}/${n}`;
  }

  figures(): Promise<Received> {
    return this.#ask("/figures");
  }

  /** What has come until now counts no more; returns what it was. */
  forget(): Promise<Received> {
    return this.#ask("/forget");
  }

  /** Does something while nothing listens at the addresses of dead receivers. */
  async whileDead<T>(work: () => Promise<T>): Promise<T> {
    await this.#ask("/die");
    try {
      return await work();
    } finally {
      await this.#ask("/revive");
    }
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.#child.exited;
    this.#isEnded();
  }

  async #ask(path: string): Promise<Received> {
    return (await (await fetch(this.#origin + path)).json()) as Received;
  }
}
