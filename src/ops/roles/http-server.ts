/** The HTTP server as a service: open requests are answered while it stops. */

import type { createApp } from "../../app.ts";
import type { Service } from "../../lib/service.ts";

/** Time reserved for answers to long-lived calls, which end when the drain ends. */
const ANSWERS_MS = 900;

export interface HttpServerOptions {
  readonly app: ReturnType<typeof createApp>;
  /** 0 lets the system choose. Several processes share one port. */
  readonly port: number;
  readonly hostname: string;
}

export class HttpServer implements Service {
  readonly id = "http server";
  readonly #options: HttpServerOptions;
  #answered: Promise<void> | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
  }

  /** Throws when the port cannot be listened on. */
  start(): void {
    const { app, port, hostname } = this.#options;
    app.listen({ port, hostname, reusePort: true });
  }

  /** Accepts no new requests; open ones have until shortly before `untilMs`. */
  async drain(untilMs: number): Promise<void> {
    const leftMs = untilMs - performance.now() - ANSWERS_MS;
    await Promise.race([this.#close(), Bun.sleep(Math.max(0, leftMs))]);
  }

  /** Resolves after the last answer. */
  async stop(): Promise<void> {
    await this.#close();
  }

  #close(): Promise<void> {
    this.#answered ??= Promise.resolve(this.#options.app.server?.stop());
    return this.#answered;
  }
}
