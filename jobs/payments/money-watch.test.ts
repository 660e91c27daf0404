/** Goal: stuck money is counted by state and age, and alarms are raised at bounded intervals. */
import { expect, test } from "bun:test";
import { deriveId } from "../../engine/core/ids.ts";
import type { OpenMoney } from "../../engine/log/money-index.ts";
import { MoneyWatch } from "./money-watch.ts";

const NOW_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;

function idOf(kind: OpenMoney["kind"], ageMs: number): string {
  return deriveId(kind === "payment" ? "pay" : "rfd", NOW_MS - ageMs, "0".repeat(32));
}

function money(kind: OpenMoney["kind"], state: string, ...agesMs: readonly number[]): OpenMoney {
  return { kind, state, count: agesMs.length, oldest: agesMs.map((ageMs) => idOf(kind, ageMs)) };
}

/** A watch over what `open` holds, and what it has logged as `level message`. */
function watching(...open: OpenMoney[]) {
  const told: { level: string; message: string; fields: object | undefined }[] = [];
  const watch = new MoneyWatch({
    records: { openMoney: () => open },
    now: () => NOW_MS,
    log: (level, message, fields) => void told.push({ level, message, fields }),
  });
  const lines = () => told.splice(0).map(({ level, message }) => `${level} ${message}`);
  return { watch, open, told, lines };
}

test("counts and ages are those of the last check", () => {
  const { watch, lines } = watching(
    money("payment", "pending", 7_000, 3_000),
    money("payment", "unknown"),
  );
  watch.look();
  expect(watch.gauges).toEqual([
    { kind: "payment", state: "pending", count: 2, oldestS: 7 },
    { kind: "payment", state: "unknown", count: 0, oldestS: 0 },
  ]);
  expect(lines()).toEqual([]);
});

test("money stuck for five minutes is a warning, for an hour an error, each with its ids", () => {
  const unknown = money("payment", "unknown", 61 * MINUTE_MS, MINUTE_MS);
  const { watch, told } = watching(unknown, money("refund", "pending", 5 * MINUTE_MS));
  watch.look();
  expect(told).toEqual([
    {
      level: "error",
      message: "a payment is stuck",
      fields: { state: "unknown", count: 2, oldest: unknown.oldest, oldest_s: 3_660 },
    },
    expect.objectContaining({ level: "warn", message: "a refund is stuck" }),
  ]);
});

test("alarms come at most once a minute; the first after quiet comes at once", () => {
  const { watch, open, lines } = watching(money("payment", "pending", MINUTE_MS));
  for (let look = 0; look < 12; look += 1) watch.look();
  expect(lines()).toEqual([]);
  open[0] = money("payment", "pending", 6 * MINUTE_MS);
  watch.look();
  expect(lines()).toEqual(["warn a payment is stuck"]);
  for (let look = 0; look < 5; look += 1) watch.look();
  expect(lines()).toEqual([]);
  watch.look();
  expect(lines()).toEqual(["warn a payment is stuck"]);
});

test("a failed refund is reported once", () => {
  const { watch, open, lines } = watching(money("refund", "failed", 1_000));
  for (let look = 0; look < 20; look += 1) watch.look();
  expect(lines()).toEqual(["error refunds have failed: pay them back another way"]);
  open[0] = money("refund", "failed", 1_000, 500);
  watch.look();
  expect(lines()).toHaveLength(1);
});

test("unreadable records are reported and do not stop the check", () => {
  const told: { level: string; message: string }[] = [];
  const broken = new MoneyWatch({
    records: {
      openMoney: () => {
        throw new Error("no file");
      },
    },
    now: () => NOW_MS,
    log: (level, message) => void told.push({ level, message }),
  });
  broken.look();
  expect(told.map(({ level }) => level)).toEqual(["warn"]);
});
