/** A reader of `text/event-stream`, by the letter of its specification as far as we send it. */
import type { PublicEvent } from "../../engine/core/public-events.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";

export interface Frame {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

export class EventStreamReader {
  readonly response: Response;
  readonly #abort: AbortController;
  readonly #frames: AsyncGenerator<Frame>;

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.#frames = framesOf(response);
  }

  /** Opens a stream; `lastEventId` as a reader sends it that comes again. */
  static async open(
    url: string,
    agent: DemoAgent,
    lastEventId: string | null = null,
  ): Promise<EventStreamReader> {
    const abort = new AbortController();
    const response = await fetch(url, {
      headers: {
        accept: "text/event-stream",
        authorization: `Bearer ${agent.secret}`,
        ...(lastEventId !== null && { "last-event-id": lastEventId }),
      },
      signal: abort.signal,
    });
    return new EventStreamReader(response, abort);
  }

  /** The next frame; null when the stream has ended. */
  async next(): Promise<Frame | null> {
    const { done, value } = await this.#frames.next();
    return done ? null : value;
  }

  /** The next event, past whatever else is sent. */
  async event(): Promise<PublicEvent | null> {
    for (;;) {
      const frame = await this.next();
      if (frame === null) return null;
      if (frame.event !== "metadata") return JSON.parse(frame.data);
    }
  }

  /** Resolves when the service has ended the stream. */
  async ended(): Promise<void> {
    while ((await this.next()) !== null);
  }

  hangUp(): void {
    this.#abort.abort();
  }
}

async function* framesOf(response: Response): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const fields = new Map(text.slice(0, end).split("\n").map(fieldOf));
      text = text.slice(end + 2);
      const data = fields.get("data");
      if (data === undefined) continue;
      yield { id: fields.get("id") ?? null, event: fields.get("event") ?? "message", data };
    }
  }
}

function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}
