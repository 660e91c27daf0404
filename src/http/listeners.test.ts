/**
 * Goal: open calls are limited per agent, per tenant and in total, wake only at events, and end
 * with the process.
 */
import { expect, test } from "bun:test";
import { Listeners } from "./listeners.ts";

const NEVER_MS = 1_000_000;
const UNHEARD = new AbortController().signal;

/** Listeners of a replica that has news when told. */
function listening() {
  const watchers = new Set<() => void>();
  const watch = (listener: () => void) => {
    watchers.add(listener);
    return () => void watchers.delete(listener);
  };
  const listeners = new Listeners({ watch });
  listeners.start();
  const hasNews = () => {
    for (const each of watchers) each();
  };
  return { listeners, hasNews, watchers };
}

function places() {
  const listeners = new Listeners({ watch: () => () => {} });
  /** Takes up to `count` places for as many agents of the tenant as asked; what gives them back. */
  const take = (tenant_id: string, agents: number, count: number) => {
    return Array.from({ length: count }, (_, i) => {
      return listeners.enter({ tenant_id, agent_id: `${tenant_id}-${i % agents}` });
    }).filter((leave) => typeof leave !== "number");
  };
  return { listeners, take };
}

test("an agent has sixteen slots, and each is released once", () => {
  const { listeners, take } = places();
  const left = take("t1", 1, 20);
  expect(left).toHaveLength(16);
  expect(listeners.enter({ tenant_id: "t1", agent_id: "t1-0" })).toBe(16);
  for (const leave of [left[0]!, left[0]!]) leave();
  expect(listeners.count).toBe(15);
  expect(take("t1", 1, 20)).toHaveLength(1);
});

test("a tenant with a hundred agents leaves slots to other tenants, up to the total", () => {
  const { listeners, take } = places();
  const left = take("t1", 100, 600);
  expect(left).toHaveLength(128);
  expect(listeners.enter({ tenant_id: "t1", agent_id: "t1-new" })).toBe(128);
  for (const tenant of ["t2", "t3"]) expect(take(tenant, 100, 600)).toHaveLength(128);
  expect(take("t4", 100, 600)).toHaveLength(128);
  expect(listeners.enter({ tenant_id: "t5", agent_id: "t5-0" })).toBe(512);
  left[0]!();
  expect(take("t5", 100, 600)).toHaveLength(1);
  expect(listeners.count).toBe(512);
});

test("a waiting call is checked at each event, and continues at its own", async () => {
  const { listeners, hasNews } = listening();
  let seq = 1;
  let looks = 0;
  let isOver = false;
  const isSo = () => {
    looks += 1;
    return seq >= 3;
  };
  const waiting = listeners.until(isSo, NEVER_MS, UNHEARD).then(() => {
    isOver = true;
  });
  for (; seq < 3; seq += 1) {
    hasNews();
    await Bun.sleep(0);
    expect(isOver).toBe(false);
  }
  hasNews();
  await waiting;
  expect(looks).toBe(4);
});

test("a wait ends with its timeout, its caller or the process", async () => {
  const { listeners, watchers } = listening();
  await listeners.until(() => false, 5, UNHEARD);
  const caller = new AbortController();
  const left = listeners.until(() => false, NEVER_MS, caller.signal);
  caller.abort();
  await left;
  await listeners.until(() => false, NEVER_MS, caller.signal);
  const waiting = listeners.until(() => false, NEVER_MS, UNHEARD);
  listeners.drain();
  await waiting;
  await listeners.until(() => false, NEVER_MS, UNHEARD);
  listeners.stop();
  expect([listeners.isEnding, watchers.size]).toEqual([true, 0]);
});
