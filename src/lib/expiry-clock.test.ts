/** Goal: an expired object stays expired, whatever the wall clock does. */
import { expect, test } from "bun:test";
import { expiryClock } from "../ops/roles/expiry-clock.ts";

const HOUR_MS = 3_600_000;

test("a clock that is set back continues from its latest instant", () => {
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

test("after a wall clock far ahead is corrected, only a minute of the error remains", () => {
  let wall = 1_000 * HOUR_MS;
  const now = expiryClock(
    () => wall,
    () => HOUR_MS,
  );
  expect(now()).toBe(wall);
  wall = HOUR_MS;
  expect(now()).toBe(HOUR_MS + 60_000);
});
