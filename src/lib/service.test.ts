/** Goal: the parts of a process start and end in one order, even if one of them fails. */
import { expect, test } from "bun:test";
import { endWithin, every, type Log, roleOf, type Service } from "./service.ts";

/** A part that notes in `deeds` what happens to it, after a moment. */
function noted(id: string, deeds: string[], failsTo?: "start" | "drain" | "stop"): Service {
  const deed = (name: "start" | "drain" | "stop") => async () => {
    await Bun.sleep(1);
    deeds.push(`${name} ${id}`);
    if (name === failsTo) throw new Error(`${id} cannot ${name}`);
  };
  return { id, start: deed("start"), drain: deed("drain"), stop: deed("stop") };
}

function logTo(lines: string[]): Log {
  return (level, message, fields) => lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
}

test("parts start in order; then all drain and all stop in the opposite order", async () => {
  const deeds: string[] = [];
  const role = roleOf("role", [noted("a", deeds), noted("b", deeds)], logTo(deeds));
  await role.start();
  expect(deeds.splice(0)).toEqual(["start a", "start b"]);
  expect(await endWithin(role, 10_000)).toBe(true);
  expect(deeds).toEqual(["drain b", "drain a", "stop b", "stop a"]);
});

test("a part that fails to drain or stop is logged and does not stop the others", async () => {
  const deeds: string[] = [];
  const lines: string[] = [];
  const parts = [noted("a", deeds), noted("b", deeds, "stop"), noted("c", deeds, "drain")];
  expect(await endWithin(roleOf("role", parts, logTo(lines)), 10_000)).toBe(true);
  expect(deeds).toEqual(["drain c", "drain b", "drain a", "stop c", "stop b", "stop a"]);
  expect(lines).toEqual([
    'error a part failed to drain {"part":"c","error":{}}',
    'error a part failed to stop {"part":"b","error":{}}',
  ]);
});

test("a failing start stops all parts, starts no others and is reported", async () => {
  const deeds: string[] = [];
  const parts = [noted("a", deeds), noted("b", deeds, "start"), noted("c", deeds)];
  const role = roleOf("role", parts, logTo(deeds));
  expect(await role.start().catch(String)).toContain("b cannot start");
  expect(deeds).toEqual(["start a", "start b", "stop c", "stop b", "stop a"]);
});

test("a role is also a part: all of it drains before anything of it stops", async () => {
  const deeds: string[] = [];
  const log = logTo(deeds);
  const inner = roleOf("inner", [noted("b", deeds), noted("c", deeds)], log);
  const role = roleOf("role", [noted("a", deeds), inner, { id: "bare", stop() {} }], log);
  await role.start();
  expect(deeds.splice(0)).toEqual(["start a", "start b", "start c"]);
  await endWithin(role, 10_000);
  expect(deeds).toEqual(["drain c", "drain b", "drain a", "stop c", "stop b", "stop a"]);
});

test("parts are notified when the process ends, and are no longer waited for", async () => {
  const untils: number[] = [];
  const slow: Service = {
    id: "slow",
    drain(untilMs) {
      untils.push(untilMs);
      return new Promise(() => {});
    },
    stop: () => {},
  };
  const startMs = performance.now();
  expect(
    await endWithin(
      roleOf("role", [slow], () => {}),
      20,
    ),
  ).toBe(false);
  expect(performance.now() - startMs).toBeGreaterThan(19);
  expect(untils[0]).toBeWithin(startMs + 20, performance.now() + 20);
});

test("a repeated task runs at the start and again until it is drained or stopped", async () => {
  for (const deed of ["drain", "stop"] as const) {
    let count = 0;
    const again = Promise.withResolvers<void>();
    const part = every("counter", 1, () => {
      count += 1;
      if (count === 3) again.resolve();
    });
    part.start();
    expect(count).toBe(1);
    await again.promise;
    part[deed]();
    const counted = count;
    await Bun.sleep(10);
    expect(count).toBe(counted);
  }
});
