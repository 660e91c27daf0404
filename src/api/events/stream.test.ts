/**
 * Goal: the reader sets the pace of journal reads, and a stalled reader loses the stream. Method:
 * a real journal; the position it was read to is checked.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Replica } from "../../../engine/log/replica.ts";
import { commandMeta, REALM } from "../../../test/support/builders.ts";
import { LoneEngine } from "../../../test/support/lone-engine.ts";
import type { Call } from "../../http/call.ts";
import { Listeners } from "../../http/listeners.ts";
import { type StreamTerms, streamOf } from "./stream.ts";

const EVENTS = 1_000;
const NEVER_MS = 1_000_000;
const TERMS: StreamTerms = { heartbeatMs: NEVER_MS, lookEveryMs: NEVER_MS, stalledMs: NEVER_MS };

let lone: LoneEngine;
let replica: Replica;

beforeAll(() => {
  lone = new LoneEngine();
  const happens = (_: unknown, nth: number) => ({
    ...commandMeta(),
    ...({ type: "SetFxRates", base: "EUR", rates: { USD: `1.${nth}` } } as const),
  });
  lone.decide(Array.from({ length: EVENTS }, happens));
  replica = new Replica(lone.journalPath);
  while (!replica.catchUp(1_000));
});
afterAll(() => {
  replica.close();
  lone.close();
});

/** A stream of all events, of which the journal is read by page. */
function opened(afterSeq: number, terms: Partial<StreamTerms>) {
  let readUpTo = 0;
  const counting = new Proxy(replica, {
    get(of, name) {
      if (name !== "rowsBetween") return Reflect.get(of, name, of);
      return (...asked: Parameters<Replica["rowsBetween"]>) => {
        readUpTo = Math.max(readUpTo, asked[1]);
        return of.rowsBetween(...asked);
      };
    },
  });
  const listeners = new Listeners(replica);
  listeners.start();
  const hangUp = new AbortController();
  const call = {
    context: { replica: counting, historyId: "h", listeners, log: lone.logger },
    ...{ principal: { ...REALM, scopes: new Set(), property_ids: null }, query: new Map() },
    ...{ traceId: "t", request: { signal: hangUp.signal, headers: new Headers() } },
  } as unknown as Call;
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const filter = { kinds: null, subject: null, property_ids: null };
  const asked = { realm: REALM, afterSeq, filter, limit: 1 };
  const { body } = streamOf(call, asked, resolve, { ...TERMS, ...terms });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const next = async () => {
    const { value } = await reader.read();
    return value === undefined ? null : new TextDecoder().decode(value);
  };
  return { next, left, listeners, hangUp, readUpTo: () => readUpTo };
}

test("no page is read ahead beyond the one that waits to be consumed", async () => {
  const { next, readUpTo, hangUp } = opened(0, {});
  expect(await next()).toStartWith("retry: 2000\n\nevent: metadata\n");
  const seqs: number[] = [];
  for (let page = 1; page <= EVENTS / 100; page += 1) {
    const text = await next();
    const found = [...text!.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq));
    expect(found).toHaveLength(100);
    seqs.push(...found);
    // Time for more, were it read ahead: a page takes a few milliseconds.
    await Bun.sleep(15);
    expect(readUpTo()).toBeLessThan(100 * (page + 1) + 300);
  }
  expect(seqs).toEqual(Array.from({ length: EVENTS }, (_, i) => i + 1));
  hangUp.abort();
});

test("an idle stream sends a sign of life", async () => {
  const { next, hangUp, left } = opened(EVENTS, { heartbeatMs: 20 });
  await next();
  expect([await next(), await next()]).toEqual([":\n\n", ":\n\n"]);
  hangUp.abort();
  await left;
});

test("a reader that consumes nothing loses its stream, and its slot is freed", async () => {
  const { left } = opened(0, { lookEveryMs: 100, stalledMs: 20 });
  await left;
});

test("the stream ends when the process does, also while it waits", async () => {
  const { next, left, listeners } = opened(EVENTS, {});
  await next();
  const waiting = next();
  listeners.drain();
  expect(await waiting).toBeNull();
  await left;
});
