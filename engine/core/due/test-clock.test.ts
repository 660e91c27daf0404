/**
 * Goal: a test clock is time itself for one realm and nothing for all others.
 * Method: the same life is led twice, once while the engine's time passes and once under a test
 * clock, and both must come to the same.
 */
import { expect, test } from "bun:test";
import { Random } from "../../../test/power/random.ts";
import { grantAuthorization } from "../../../test/support/authorizations.ts";
import {
  atDesk,
  beginBooking,
  cancelBooking,
  commandMeta,
  createProperty,
  extendHold,
  frozenQuote,
  NOON,
  OTHER_TENANT,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  REALM,
  refundResult,
  releaseHold,
  stayIn,
} from "../../../test/support/builders.ts";
import { dayIn, given, type Scenario } from "../../../test/support/given.ts";
import { decodeState, encodeState } from "../codec/state-codec.ts";
import type { AdvanceTestClock, Command } from "../commands.ts";
import { OFFSET_MAX_S } from "./test-clock.ts";

const TREE = propertyTree();
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1_000_000));
const LIVES = 50;
const DEEDS = 60;

function advanceTestClock(advance_s: number | null, over = {}): AdvanceTestClock {
  const meta = commandMeta({ actor: { kind: "operator", id: "agt_ops" }, mode: "test" });
  return { ...meta, type: "AdvanceTestClock", advance_s, ...over };
}

const inTest = <C extends Command>(command: C): C => ({ ...command, mode: "test" });

function hotel(): Scenario {
  return given(inTest(createProperty(TREE)), inTest(promoteProperty(TREE)));
}

/** All of the state, byte for byte. */
const bytesOf = (world: Scenario) => [...encodeState(world.state)].map(({ text }) => text).join();

function drain(world: Scenario): number {
  let count = 0;
  while (world.due()) count += 1;
  return count;
}

/** A life of random deeds; `pass` lets seconds pass. Returns what everything came to. */
function lived(seed: number, pass: (world: Scenario, seconds: number) => void): unknown[] {
  const world = hotel();
  const random = new Random(seed);
  const told: unknown[] = [];
  const holds: { readonly hold_id: string; readonly quote_id: string }[] = [];
  const bookings: string[] = [];
  let now = NOON;
  const ask = (command: Command) => {
    const ids = { random: random.hex(16), key: random.hex(16), trace_id: "" };
    const { outcome, decision } = world.when({ ...inTest(command), ...ids });
    told.push(outcome, decision.events);
    return outcome.ok ? (outcome.data as Readonly<Record<string, unknown>>) : null;
  };
  const deeds = [
    () => {
      const from = Math.floor(now / 1000 / DAY_S) - dayIn(0) + random.below(20);
      const stay = stayIn(from, 1 + random.below(3));
      const quote_id = `qt_${random.hex(16)}`;
      const quote = frozenQuote(TREE, { quote_id, stay, created_at: now, mode: "test" });
      const placed = ask(placeHold(quote));
      if (placed) holds.push({ hold_id: placed.hold_id as string, quote_id });
    },
    () => ask(extendHold(random.pick(holds).hold_id)),
    () => ask(releaseHold(random.pick(holds).hold_id)),
    () => {
      const begun = ask(beginBooking(random.pick(holds)));
      const result = random.chance(0.8) ? "captured" : "declined";
      // At once: payments have engine time.
      if (typeof begun?.payment_id !== "string") return;
      const done = ask(paymentResult(begun.payment_id, result));
      if (typeof done?.booking_id === "string") bookings.push(done.booking_id);
    },
    () => {
      const cancelled = ask(cancelBooking(random.pick(bookings)));
      const { refund_id } = (cancelled?.refund ?? {}) as { readonly refund_id?: string };
      if (refund_id !== undefined) ask(refundResult(refund_id, "succeeded"));
    },
    () => ask(atDesk("CheckInGuest", random.pick(bookings))),
    () => ask(atDesk("RecordNoShow", random.pick(bookings))),
    () => ask(atDesk("CompleteStay", random.pick(bookings))),
  ];
  for (let deed = 0; deed < DEEDS; deed += 1) {
    if (random.chance(0.3)) {
      const seconds = random.pick([60, 600, HOUR_S, 6 * HOUR_S, DAY_S]);
      now += 1000 * seconds;
      pass(world, seconds);
      drain(world);
      continue;
    }
    const needs = [null, holds, holds, holds, bookings, bookings, bookings, bookings];
    const can = deeds.filter((_, at) => needs[at] === null || needs[at]!.length > 0);
    random.pick(can)();
  }
  const nights = Array.from({ length: 25 }, (_, i) => {
    return world.cell(TREE.id, "room-double", Math.floor(now / 1000 / DAY_S) + i);
  });
  const ended = holds.map(({ hold_id }) => world.records.hold(hold_id));
  return [told, ended, bookings.map((id) => world.records.booking(id)), nights];
}

/**
 * Without the numbers of rows and events, because the two lives have different rows of time, and
 * without the time in ids of payments and refunds, which is the engine's.
 */
function comparable(told: unknown): unknown {
  const text = JSON.stringify(told, (name, value) => (/^(seq|rows?)$/.test(name) ? 0 : value));
  return JSON.parse(text.replaceAll(/(pay|rfd)_[0-9a-z]{10}/g, "$1_"));
}

test("a life under a test clock comes to the same as one while time passes", () => {
  console.log(`test clock: SEED=${SEED}`);
  for (let life = 0; life < LIVES; life += 1) {
    const real = lived(SEED + life, (world, seconds) => world.at(world.stamp + 1000 * seconds));
    const moved = lived(SEED + life, (world, seconds) => world.when(advanceTestClock(seconds)));
    expect(comparable(moved)).toEqual(comparable(real));
  }
});

test("an advance says what expired, and the tick expires that and nothing of live mode", () => {
  const world = hotel();
  world.when(createProperty(TREE));
  world.when(promoteProperty(TREE));
  const ofLive = world.when(placeHold(frozenQuote(TREE))).text("hold_id");
  const quote = frozenQuote(TREE, { mode: "test" });
  const ofTest = world.when(inTest(placeHold(quote))).text("hold_id");
  const { data } = world.when(advanceTestClock(HOUR_S));
  const now = new Date(NOON + 1000 * HOUR_S).toISOString();
  expect(data).toMatchObject({ now, offset_s: HOUR_S, expired: 1 });
  const expired = world.due()!;
  expect(expired.event("hold.expired").hold_id).toBe(ofTest);
  expect(world.rows.at(-1)).toMatchObject({ stamp: NOON, clock_offset_ms: 1000 * HOUR_S });
  expect(world.due()).toBeNull();
  expect(world.state.holds.get(ofLive)!.state).toBe("held");
  expect(world.records.hold(ofTest)).toMatchObject({ ended_at: NOON + 1000 * HOUR_S });
});

test("live mode and other tenants stay byte for byte as they are", () => {
  const others = ["live", "test"] as const;
  const world = hotel();
  for (const mode of others) {
    const of = { tenant_id: OTHER_TENANT, mode } as const;
    world.when({ ...createProperty(TREE), ...of });
    world.when({ ...promoteProperty(TREE), ...of });
    world.when({ ...placeHold(frozenQuote(TREE, of)), ...of });
  }
  const seen = () =>
    [...encodeState(world.state)]
      .filter(({ name }) => name.includes(OTHER_TENANT) || name.startsWith("holds"))
      .map(({ text }) => text);
  const before = seen();
  expect(before.length).toBe(3);
  for (const seconds of [DAY_S, 30 * DAY_S, null]) {
    world.when(advanceTestClock(seconds));
    expect(drain(world)).toBe(0);
  }
  expect(seen()).toEqual(before);
});

test("a reset keeps what has expired, and sets the rest back with its clock", () => {
  const world = hotel();
  const placed = (stay = stayIn(30, 2), created_at = NOON) => {
    const quote = frozenQuote(TREE, { mode: "test", stay, created_at });
    return { ...quote, hold_id: world.when(inTest(placeHold(quote))).text("hold_id") };
  };
  const early = placed();
  world.when(advanceTestClock(DAY_S));
  drain(world);
  const late = placed(stayIn(40, 2), NOON + 1000 * DAY_S);
  const paid = placed(stayIn(50, 2), NOON + 1000 * DAY_S);
  const begun = world.when(inTest(beginBooking(paid)));
  const payment_id = begun.text("payment_id");
  // The worker tries it by its age.
  expect(world.state.payments.get(payment_id)!.created_at).toBe(NOON);
  const { data } = world.when(advanceTestClock(null));
  expect(data).toMatchObject({ offset_s: 0, expired: 0, now: new Date(NOON).toISOString() });
  expect(world.records.hold(early.hold_id)!.state).toBe("expired");
  expect(world.state.holds.get(late.hold_id)!.expires_at).toBe(NOON + 900_000);
  expect(world.state.payments.get(payment_id)!.created_at).toBe(NOON);
  expect(world.at(NOON + 899_999).due()?.types ?? []).not.toContain("hold.expired");
  drain(world);
  expect(
    world
      .at(NOON + 900_000)
      .due()
      ?.event("hold.expired").hold_id,
  ).toBe(late.hold_id);
  expect(world.rows.at(-1)).not.toHaveProperty("clock_offset_ms");
});

test("a quote ends with a reset, even if it would still have time", () => {
  const world = hotel();
  const early = frozenQuote(TREE, { mode: "test" });
  world.when(advanceTestClock(HOUR_S));
  world.when(inTest(placeHold(early))).refused("quote_expired");
  const ahead = frozenQuote(TREE, { mode: "test", created_at: NOON + 1000 * HOUR_S });
  world.at(NOON + 1).when(advanceTestClock(null));
  for (const quote of [early, ahead]) {
    world.when(inTest(placeHold(quote))).refused("quote_expired");
  }
  const fresh = frozenQuote(TREE, { mode: "test", created_at: NOON + 1 });
  expect(world.when(inTest(placeHold(fresh))).outcome.ok).toBe(true);
});

test("authorizations that expired under a clock stay expired, and one given back is set back", () => {
  const world = hotel();
  const ttl_s = HOUR_S;
  const granted = (over = {}) =>
    world.when(inTest(grantAuthorization(TREE, { ttl_s, ...over }))).text("authorization_id");
  const expired = granted();
  world.when(advanceTestClock(30 * DAY_S));
  const created_at = NOON + 1000 * 30 * DAY_S;
  const quote = frozenQuote(TREE, { mode: "test", created_at, stay: stayIn(40, 2) });
  const { property_id, room_type_id, rate_plan_id, stay, guests } = quote;
  const request = { hotel_id: property_id, room_type_id, rate_plan_id, stay, guests };
  const used = granted({ request });
  const hold_id = world.when(inTest(placeHold(quote))).text("hold_id");
  const hold = { hold_id, quote_id: quote.quote_id };
  const begun = world.when(inTest(beginBooking(hold, { authorization_id: used })));
  world.when(advanceTestClock(null));
  const declined = world.when(inTest(paymentResult(begun.text("payment_id"), "declined")));
  expect(declined.types).toContain("authorization.returned");
  const leftMs = (id: string) => world.records.authorization(id)!.expires_at - NOON;
  expect(leftMs(expired)).toBeLessThanOrEqual(0);
  expect(leftMs(used)).toBe(1000 * ttl_s);
});

test("a clock that moves often leaves few entries behind", () => {
  const world = hotel();
  for (const inDays of [30, 31, 32]) {
    world.when(inTest(placeHold(frozenQuote(TREE, { mode: "test", stay: stayIn(inDays, 1) }))));
  }
  for (let i = 0; i < 800; i += 1) world.when(advanceTestClock(1));
  expect(world.state.holds.expiries!.size).toBeLessThan(1_100);
  world.when(advanceTestClock(100));
  expect(drain(world)).toBe(3);
});

test("a snapshot keeps the clock, and its holds expire by it", () => {
  const world = hotel();
  world.when(advanceTestClock(HOUR_S));
  const quote = frozenQuote(TREE, { mode: "test", created_at: NOON + 1000 * HOUR_S });
  const hold_id = world.when(inTest(placeHold(quote))).text("hold_id");
  const before = bytesOf(world);
  world.state = decodeState(encodeState(world.state), { tracksExpiry: true });
  expect(bytesOf(world)).toBe(before);
  expect(world.at(NOON + 899_999).due()).toBeNull();
  expect(
    world
      .at(NOON + 900_000)
      .due()
      ?.event("hold.expired").hold_id,
  ).toBe(hold_id);
});

test("a clock goes ten years ahead and not further", () => {
  const world = hotel();
  const year = 31_536_000;
  const advances = Math.floor(OFFSET_MAX_S / year);
  for (let i = 0; i < advances; i += 1) world.when(advanceTestClock(year));
  const left = OFFSET_MAX_S - advances * year;
  const refused = world.when(advanceTestClock(year));
  const error = { path: "/advance_s", expected: `at most ${left} seconds` };
  expect(refused.outcome).toMatchObject({
    ...{ ok: false, code: "validation_failed", detail: { field_errors: [error] } },
  });
  world.when(advanceTestClock(left)).recorded("test_clock.set");
  expect(() => world.when(advanceTestClock(1, REALM))).toThrow("live mode has no test clock");
});
