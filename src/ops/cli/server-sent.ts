/** A reader of `text/event-stream` (WHATWG HTML), limited to what the service sends. */

export interface Frame {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Far more than the largest event. */
const FRAME_CHARS_MAX = 1_000_000;

/**
 * The frames of a stream without comments. `onData` is called for every chunk, heartbeats included.
 */
export async function* framesOf(
  body: ReadableStream<Uint8Array>,
  onData: () => void,
): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    onData();
    text += decoder.decode(chunk, { stream: true });
    const parts = text.split("\n\n");
    text = parts.pop()!;
    if (text.length > FRAME_CHARS_MAX) throw new Error("an event is too large");
    for (const part of parts) {
      const frame = frameOf(part);
      if (frame) yield frame;
    }
  }
}

/** Null for comments and `retry` fields. */
function frameOf(text: string): Frame | null {
  const fields = new Map(text.split("\n").map(fieldOf));
  const data = fields.get("data");
  if (data === undefined) return null;
  return { id: fields.get("id") ?? null, event: fields.get("event") ?? "message", data };
}

function fieldOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}
