/** Events are followed over streams that end, with chunks that split characters and frames. */
import { expect, test } from "bun:test";
import { ApiClient } from "./api-client.ts";
import { followEvents } from "./follow-events.ts";

/** A server whose streams bring two events each, cut in the middle of a character. */
function serve(journalId: string) {
  const asked: (string | null)[] = [];
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch(request) {
      const after = Number(new URL(request.url).searchParams.get("after_seq"));
      asked.push(request.headers.get("last-event-id"));
      const events = [after + 1, after + 2].map((seq) => {
        const data = { seq, prev_seq: seq - 1, name: "Hôtel" };
        return `id: ${seq}\nevent: hold.created\ndata: ${JSON.stringify(data)}\n\n`;
      });
      const head = `retry: 100\n\nevent: metadata\ndata: {"journal_id":"${journalId}"}\n\n: hi\n\n`;
      const bytes = new TextEncoder().encode(head + events.join(""));
      const cut = bytes.indexOf(0xc3) + 1;
      const parts = [bytes.subarray(0, cut), bytes.subarray(cut)];
      const pull = (stream: ReadableStreamDefaultController) => {
        const part = parts.shift();
        if (part === undefined) stream.close();
        else stream.enqueue(part);
      };
      return new Response(new ReadableStream({ pull }));
    },
  });
  return { server, asked };
}

function follow(port: number | undefined, signal: AbortSignal, onInterrupted: () => void) {
  const api = new ApiClient({ baseUrl: `http://127.0.0.1:${port}`, secret: "s" }, signal);
  return followEvents({ api, signal, filter: "", afterSeq: 0, journalId: "jrn_1", onInterrupted });
}

test("a stream that ends is resumed after the last event, and none is lost or repeated", async () => {
  const { server, asked } = serve("jrn_1");
  const ending = new AbortController();
  let interruptions = 0;
  const seqs: number[] = [];
  for await (const event of follow(server.port, ending.signal, () => interruptions++)) {
    seqs.push(event.seq);
    expect(event).toMatchObject({ name: "Hôtel" });
    if (event.seq === 4) ending.abort();
  }
  expect({ seqs, asked, interruptions }).toEqual({
    ...{ seqs: [1, 2, 3, 4], asked: ["0", "2"], interruptions: 1 },
  });
  await server.stop(true);
});

test("a different history ends the command", async () => {
  const { server } = serve("jrn_2");
  const { signal } = new AbortController();
  const first = follow(server.port, signal, () => {}).next();
  await expect(first).rejects.toThrow("another history (journal_id jrn_2)");
  await server.stop(true);
});
