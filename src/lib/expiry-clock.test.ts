/** Goal: what has expired stays expired, whatever is done to the wall clock. */
import { expect, test } from "bun:test";
import { expiryClock } from "../ops/roles/expiry-clock.ts";

const HOUR_MS = 3_600_000;

test("set back, it goes on from the latest instant that it has told", () => {
  let [wall, engine] = [10 * HOUR_MS, 10 * HOUR_MS - 2_000];
  const now = expiryClock(
    () => wall,
    () => engine,
  );
  expect(now()).toBe(wall);
  wall -= HOUR_MS;
  expect(now()).toBe(10 * HOUR_MS);
  engine += 5_000;
  expect(now()).toBe(engine);
});

test("a wall clock that ran far ahead is forgotten but for a minute once it is right", () => {
  let wall = 1_000 * HOUR_MS;
  const now = expiryClock(
    () => wall,
    () => HOUR_MS,
  );
  expect(now()).toBe(wall);
  wall = HOUR_MS;
  expect(now()).toBe(HOUR_MS + 60_000);
});
