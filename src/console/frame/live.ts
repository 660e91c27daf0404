/**
 * `GET /console/live`: what happens in the tenant, so that open pages renew themselves. A message
 * names an event and nothing of its content: the page asks for that with its own rights.
 */
import type { Verbatim } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { callRoute, openRoute } from "../../http/in-process.ts";
import { page } from "./console-route.ts";
import { STREAM_ROUTE, type Visit } from "./visit.ts";

const AFTER = /^\d{1,15}$/;
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
} as const;

/** How often a quiet stream asks whether the engine answers. */
const LOOK_EVERY_MS = 5_000;

/** Follows the events of the API, with the rights of the visit as they are at each moment. */
async function live({ call }: Visit): Promise<Verbatim> {
  const last = call.request.headers.get("last-event-id") ?? call.query.get("after_seq") ?? "";
  const query: Record<string, string> = AFTER.test(last) ? { after_seq: last } : {};
  const headers = { accept: "text/event-stream" };
  const response = await openRoute(call, { id: "list_events", query, headers });
  // 204 tells a browser not to connect again (WHATWG HTML, server-sent events).
  if (response.status !== 200 || response.body === null) {
    return { ok: true, status: 204, headers: { "cache-control": "no-store" }, body: null };
  }
  const names = response.body.pipeThrough(new TransformStream(namesOnly()));
  const body = withEngine(names, () => engineState(call));
  return { ok: true, status: 200, headers: HEADERS, body };
}

type EngineState = "up" | "down";

/** As `/readyz` knows it. */
async function engineState(call: Call): Promise<EngineState> {
  const { body } = await callRoute(call, { id: "get_readiness" });
  const { data, error } = body as { data?: Ready; error?: { detail: Partial<Ready> } };
  const { dependencies } = data ?? error?.detail ?? {};
  return dependencies?.engine.state === "down" ? "down" : "up";
}

interface Ready {
  readonly dependencies: { readonly engine: { readonly state: string } };
}

/** Adds what became of the engine when nothing happens: a stream is open without it too. */
function withEngine(
  names: ReadableStream<Uint8Array>,
  look: () => Promise<EngineState>,
): ReadableStream<Uint8Array> {
  const reader = names.getReader();
  let reading: ReturnType<typeof reader.read> | null = null;
  let told: EngineState = "up";
  let waitMs = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        reading ??= reader.read();
        const found = await within(reading, waitMs);
        if (found !== null) {
          reading = null;
          return found.done ? controller.close() : controller.enqueue(found.value);
        }
        waitMs = LOOK_EVERY_MS;
        const state = await look();
        if (state === told) continue;
        told = state;
        return controller.enqueue(new TextEncoder().encode(`event: engine\ndata: ${state}\n\n`));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** What `work` comes to, or null after `ms`. */
function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: Timer | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Passes numbers and kinds of events, and what keeps the connection open. */
function namesOnly(): Transformer<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  return {
    transform(chunk, controller) {
      const frames = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
      rest = frames.pop()!;
      const text = frames.map(shortened).join("");
      if (text !== "") controller.enqueue(encoder.encode(text));
    },
  };
}

function shortened(frame: string): string {
  const [, seq] = /^id: (\d+)$/m.exec(frame) ?? [];
  const [, kind] = /^event: (\S+)$/m.exec(frame) ?? [];
  if (seq !== undefined && kind !== undefined) return `id: ${seq}\ndata: ${kind}\n\n`;
  return kind === undefined ? `${frame}\n\n` : "";
}

export const liveRoutes = [
  page({ id: STREAM_ROUTE, path: "/console/live", summary: "Follow what happens" }, live),
];
