/** Goal: figures of deliveries rest on a receiver that forgets nothing and on the right turns. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Run } from "./measure.ts";
import { Receiver } from "./receiver.ts";
import { webhookVerdicts } from "./webhooks.ts";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(() => receiver.stop());

async function deliver(url: string, id: string, seq: number | null = 1): Promise<number> {
  const body = JSON.stringify({ id, seq, timestamp: new Date().toISOString() });
  return (await fetch(url, { method: "POST", body })).status;
}

test("what came twice is told from what came once, and pings from events", async () => {
  const [one, other] = [receiver.url("ok", 0), receiver.url("ok", 1)];
  expect(await deliver(one, "evt_0", null)).toBe(204);
  for (const url of [one, one, other]) expect(await deliver(url, "evt_1")).toBe(204);
  expect(await receiver.forget()).toMatchObject({ received: 3, distinct: 2 });
  expect(await receiver.figures()).toMatchObject({ received: 0, distinct: 0 });
});

test("those in trouble answer pings, and events as they are meant to", async () => {
  for (const [behaviour, status] of [
    ["gone", 410],
    ["redirecting", 302],
    ["dead", 204],
  ] as const) {
    expect(await deliver(receiver.url(behaviour, 0), "evt_0", null)).toBe(204);
    const request = new Request(receiver.url(behaviour, 0), { method: "POST", redirect: "manual" });
    const body = JSON.stringify({ id: "evt_1", seq: 1, timestamp: new Date().toISOString() });
    expect((await fetch(request, { body })).status).toBe(status);
  }
  await receiver.whileDead(async () => {
    expect(deliver(receiver.url("dead", 0), "evt_1")).rejects.toThrow();
  });
  expect(await deliver(receiver.url("dead", 0), "evt_1")).toBe(204);
});

test("deliveries are judged by their medians, holds and arrivals by those of the quiet turns", () => {
  const series = (figure: "requestsPerSecond" | "p99Ms", ...values: number[]) => {
    return { name: "", runs: values.map((value) => ({ [figure]: value }) as unknown as Run) };
  };
  const verdicts = webhookVerdicts({
    drain: series("requestsPerSecond", 2_100, 2_500, 1_900),
    holds: {
      quiet: series("requestsPerSecond", 1_000, 1_000),
      draining: series("requestsPerSecond", 900),
    },
    arrivals: { alone: series("p99Ms", 100, 100), beside: series("p99Ms", 120) },
    workerRss: [150e6, 190e6, 160e6],
  });
  expect(verdicts.map(({ measured, target, bound }) => [measured, target, bound])).toEqual([
    [2_100, 2_000, "at least"],
    [160, 200, "at most"],
    [0.9, 0.8, "at least"],
    [1.2, 1.1, "at most"],
  ]);
});
