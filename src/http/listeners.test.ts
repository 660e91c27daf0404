/** Goal: calls that stay open are bounded, woken by news alone, and all end with the process. */
import { expect, test } from "bun:test";
import { Listeners, OPEN_CALLS_MAX } from "./listeners.ts";

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

test("nobody has more places than its own, and all together not more than there are", () => {
  const { listeners } = listening();
  const own = Array.from({ length: OPEN_CALLS_MAX }, () => listeners.enter("agt_1"));
  expect(own).not.toContain(null);
  expect(listeners.enter("agt_1")).toBeNull();
  let agents = 1;
  while (listeners.enter(`agt_${agents + 1}`) !== null) agents += 1;
  expect([listeners.count, agents]).toEqual([512, 512 - OPEN_CALLS_MAX + 1]);
  // A place is given back once, however often it is said.
  for (let twice = 0; twice < 2; twice += 1) own[0]!();
  expect(listeners.count).toBe(511);
  expect(listeners.enter("agt_1")).not.toBeNull();
  expect(listeners.enter("agt_1")).toBeNull();
});

test("who waits is looked after at each news, and goes on when it is its own", async () => {
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

test("a wait ends with its time, with the caller and with the process", async () => {
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
