/**
 * A receiver of webhooks that keeps what came as it came, and answers what it is told to. What it
 * is worth the public `standardwebhooks` library says, by whichever secret a test has in hand.
 */
import { Webhook } from "standardwebhooks";

/** An event as a receiver reads it. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly tenant_id: string;
  readonly mode: string;
  readonly seq: number | null;
  readonly prev_seq: number | null;
  readonly subject: { readonly type: string; readonly id: string };
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Received {
  /** Of the request. */
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export class RawReceiver {
  readonly #server: Bun.Server<undefined>;
  readonly received: Received[] = [];
  /** What every request is answered with. */
  answer: () => Response | Promise<Response> = () => new Response(null, { status: 204 });

  constructor() {
    this.#server = Bun.serve({
      ...{ hostname: "127.0.0.1", port: 0 },
      fetch: async (request) => {
        const headers = Object.fromEntries(request.headers);
        const { pathname: path } = new URL(request.url);
        this.received.push({ path, body: await request.text(), headers });
        return this.answer();
      },
    });
  }

  /** Plain http, which needs `WEBHOOKS_ALLOW_PRIVATE`. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/`;
  }

  get last(): Received {
    const last = this.received.at(-1);
    if (last === undefined) throw new Error("nothing was received");
    return last;
  }

  /** Ends it with whatever is open. */
  async stop(): Promise<void> {
    await this.#server.stop(true);
  }
}

/** The event, once its signature is right. @throws WebhookVerificationError when it is not. */
export function verified({ body, headers }: Received, secret: string): ReceivedEvent {
  return new Webhook(secret).verify(body, { ...headers }) as ReceivedEvent;
}
