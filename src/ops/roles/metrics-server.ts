/**
 * Serves metrics on a separate, non-public address, because they contain totals of all tenants. The
 * worker, of which there is one, serves the reports of all processes from the board.
 */

import { type Board, THIS_HOST } from "../../../jobs/redis/board.ts";
import { exposition, type ProcessFamilies, type RoleReport } from "../../lib/metrics.ts";
import type { Log, Service } from "../../lib/service.ts";

/** Another process may use the port for a while. */
const LISTEN_AGAIN_MS = 5_000;

const TEXT = { "content-type": "text/plain; version=0.0.4", "cache-control": "no-store" };

export interface MetricsServerOptions {
  /** 0 disables the server. */
  readonly port: number;
  readonly hostname: string;
  readonly board: Pick<Board, "read">;
  /** Metrics of this process, for when the board cannot be read. */
  readonly own: () => ProcessFamilies;
  readonly log: Log;
}

export class MetricsServer implements Service {
  readonly id = "metrics server";
  readonly #options: MetricsServerOptions;
  #server: Bun.Server<undefined> | null = null;
  #again: Timer | undefined;

  constructor(options: MetricsServerOptions) {
    this.#options = options;
  }

  /** Listens now, or as soon as the port is free. */
  start(): void {
    const { port, hostname, log } = this.#options;
    if (port === 0) return;
    try {
      this.#server = Bun.serve({ port, hostname, fetch: (request) => this.#answer(request) });
    } catch (error) {
      // Logged once: another installation may keep the port.
      if (!this.#again) {
        const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
        const reason = isTaken ? "the port is taken: set METRICS_PORT" : (error as Error).message;
        log("error", "metrics cannot be served", { hostname, port, reason });
      }
      this.#again = setTimeout(() => this.start(), LISTEN_AGAIN_MS);
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#again);
    await this.#server?.stop(true);
  }

  async #answer({ method, url }: Request): Promise<Response> {
    if (new URL(url).pathname !== "/metrics")
      return new Response("GET /metrics\n", { status: 404 });
    if (method !== "GET" && method !== "HEAD") {
      return new Response("GET /metrics\n", { status: 405, headers: { allow: "GET, HEAD" } });
    }
    return new Response(exposition(await this.#read()), { headers: TEXT });
  }

  async #read(): Promise<ProcessFamilies[]> {
    const { board, own } = this.#options;
    try {
      const posts = await board.read();
      return posts.map(({ role, host, pid, report }) => {
        const where = host === THIS_HOST ? pid : `${host}:${pid}`;
        return { role, pid: where, families: (report as RoleReport).families };
      });
    } catch {
      return [own()];
    }
  }
}
