/** Goal: the figures of deliveries come from a receiver that counts every delivery. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Receiver } from "./receiver.ts";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(() => receiver.stop());

async function deliver(url: string, id: string, seq: number | null = 1): Promise<number> {
  const body = JSON.stringify({ id, seq, timestamp: new Date().toISOString() });
  return (await fetch(url, { method: "POST", body })).status;
}

test("repeated deliveries are counted apart from first ones, and pings apart from events", async () => {
  const [one, other] = [receiver.url("ok", 0), receiver.url("ok", 1)];
  expect(await deliver(one, "evt_0", null)).toBe(204);
  for (const url of [one, one, other]) expect(await deliver(url, "evt_1")).toBe(204);
  expect(await receiver.forget()).toMatchObject({ received: 3, distinct: 2 });
  expect(await receiver.figures()).toMatchObject({ received: 0, distinct: 0 });
});

test("failing endpoints answer pings normally and events as configured", async () => {
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
