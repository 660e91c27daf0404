/** Reads `text/event-stream` (WHATWG HTML), as far as the service sends it. */

export interface Frame {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** No event is larger by far. */
const FRAME_CHARS_MAX = 1_000_000;

/**
 * The frames of a stream up to its end; comments are passed over. `heard` is called whenever
 * something comes, signs of life too.
 */
export async function* framesOf(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    heard();
    text += decoder.decode(chunk, { stream: true });
    const parts = text.split("\n\n");
    text = parts.pop()!;
    if (text.length > FRAME_CHARS_MAX) throw new Error("an event has no end");
    for (const part of parts) {
      const frame = frameOf(part);
      if (frame) yield frame;
    }
  }
}

/** Null for comments and for what only sets the time of a retry. */
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
