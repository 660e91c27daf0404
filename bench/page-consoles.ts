/** Open consoles that follow what happens as their script does, beside which holds are measured. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Disturbance } from "./holds.ts";
import type { Installation } from "./installation.ts";
import { newOperator, nextAddress, signIn } from "./page-visits.ts";
import { shown } from "./result.ts";

export const CONSOLES = 20;
/** As `console.js`: a page asks once a second at most. */
const RENEW_MS = 1_000;
const PATHS = ["/console", "/console/bookings", "/console/calendar", "/console/events"];

/** A console: a stream, and its page again when something that it shows has happened. */
class LiveConsole {
  readonly #copy: Installation;
  readonly #path: string;
  readonly #headers: Record<string, string>;
  readonly #ending = new AbortController();
  renewals = 0;
  /** Resolved by what happens after the page was asked for. */
  #stale = Promise.withResolvers<void>();
  #running: Promise<unknown> = Promise.resolve();
  #kinds: readonly string[] = [];

  constructor(copy: Installation, path: string, headers: Record<string, string>) {
    this.#copy = copy;
    this.#path = path;
    this.#headers = headers;
  }

  async open(): Promise<void> {
    const html = await this.#page();
    const parts = [...html.matchAll(/data-live="([^"]*)"/g)];
    this.#kinds = parts.flatMap(([, kinds]) => kinds!.split(" "));
    const seq = /data-seq="(\d+)"/.exec(html)?.[1] ?? "0";
    const response = await fetch(`${this.#copy.baseUrl}/console/live?after_seq=${seq}`, {
      headers: this.#headers,
      signal: this.#ending.signal,
    });
    // 204 ends the stream of a session without rights to events, or with too many streams.
    if (response.status !== 200 || !response.body) {
      throw new Error(`a stream was answered ${response.status}`);
    }
    const running = Promise.all([this.#follow(response.body), this.#renew()]);
    // `close` throws a failure; until then nothing waits for it.
    running.catch(() => {});
    this.#running = running;
  }

  async #follow(body: ReadableStream<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of body.pipeThrough(new TextDecoderStream() as never)) {
        const kinds = [...String(chunk).matchAll(/^data: (\S+)$/gm)].map(([, kind]) => kind!);
        if (kinds.some((kind) => this.#isShown(kind))) this.#stale.resolve();
      }
    } catch (error) {
      if (!this.#ending.signal.aborted) throw error;
    }
  }

  #isShown(kind: string): boolean {
    return this.#kinds.some((start) => start === "*" || kind.startsWith(start));
  }

  /** One renewal after the other. */
  async #renew(): Promise<void> {
    const { signal } = this.#ending;
    for (;;) {
      await this.#stale.promise;
      await sleep(RENEW_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      this.#stale = Promise.withResolvers();
      await this.#page();
      this.renewals += 1;
    }
  }

  async #page(): Promise<string> {
    const headers = { ...this.#headers, accept: "text/html", "innkeep-renewal": "1" };
    const response = await fetch(this.#copy.baseUrl + this.#path, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${this.#path} was answered ${response.status}`);
    return text;
  }

  /** Throws what the stream or a renewal met. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#stale.resolve();
    await this.#running;
  }
}

/** Opens the consoles, each with a session of its own; all or, when it throws, none. */
export async function openConsoles(copy: Installation): Promise<Disturbance> {
  const consoles: LiveConsole[] = [];
  const close = () => Promise.all(consoles.map((each) => each.close()));
  const secrets = [copy.demo.admin.secret, await newOperator(copy)];
  try {
    for (let i = 0; i < CONSOLES; i += 1) {
      const path = PATHS[i % PATHS.length]!;
      const secret = secrets[i % secrets.length]!;
      const headers = { cookie: await signIn(copy, secret), "x-forwarded-for": nextAddress() };
      const each = new LiveConsole(copy, path, headers);
      consoles.push(each);
      await each.open();
    }
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
  return {
    async stop() {
      await close();
      const renewals = consoles.reduce((sum, each) => sum + each.renewals, 0);
      return `${CONSOLES} consoles renewed their pages ${shown(renewals, 0)} times`;
    },
  };
}
