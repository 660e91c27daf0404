/**
 * Goal: after any change of the wall clock fresh quotes can be held, nothing is sold twice, and an
 * operator can correct a wrong clock. Method: the real processes on a clock that the test sets, by
 * seconds to years, both ways, at run time and at start.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { issueCredential } from "../../src/access/control/credentials.ts";
import {
  createHotel,
  dateIn,
  type Hold,
  type Hotel,
  newBooking,
  newHold,
  newQuote,
  type Quote,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { Service, until } from "../support/service.ts";
import { ShiftedClock } from "../support/shifted-clock.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
const YEARS_MS = 3 * 365 * DAY_MS;
const HOLD_TTL_S = 900;

const clock = new ShiftedClock();
let service: Service;
let hotel: Hotel;

beforeAll(async () => {
  service = await Service.start({ ...clock.env, HOLD_TTL_S: String(HOLD_TTL_S), LANES: "1" });
  hotel = await createHotel(service, { units: [200] });
});
afterAll(async () => {
  await service?.stop();
  clock.close();
});

/** Seconds until a hold expires, by the clock of the test, which is the right one. */
function leftS({ expires_at }: Pick<Hold, "expires_at">): number {
  return (Date.parse(expires_at) - Date.now()) / SECOND_MS;
}

async function expectOnTime(): Promise<void> {
  const hold = await newHold(service, stayRequest(hotel));
  expect(leftS(hold)).toBeWithin(HOLD_TTL_S - 20, HOLD_TTL_S + 20);
}

const isDegraded = async () =>
  (await service.api("GET", "/readyz", { agent: null })).text.includes('"degraded"');

test("an expired credential stays expired when the clock goes back an hour", async () => {
  const [agent] = await service.newAgents([{}]);
  const expiresMs = Date.now() + 1_000;
  const { secret } = service.control((store) => {
    return issueCredential(store, agent!.agent_id, expiresMs);
  });
  await until("its time has come", () => Date.now() > expiresMs);
  clock.jump(-HOUR_MS);
  const late = await service.api("GET", "/v1/properties", { agent: { ...agent!, secret } });
  clock.setRight();
  expect(late.refused("unauthenticated").detail).toEqual({ reason: "credential_expired" });
});

test("a clock change at run time loses no fresh quote and no hold", async () => {
  const early = await newHold(service, stayRequest(hotel));
  const jumps = [5 * SECOND_MS, HOUR_MS, DAY_MS, YEARS_MS].flatMap((ms) => [ms, -ms]);
  for (const byMs of [...jumps, ...jumps.map((ms) => -ms)]) {
    clock.jump(byMs);
    await expectOnTime();
    const { data } = (await service.api("GET", `/v1/holds/${early.hold_id}`)).ok();
    expect(data).toMatchObject({ state: "held", expires_at: early.expires_at });
  }
  clock.jump(-HOUR_MS);
  await until("the drift is told", isDegraded);
  const words = "the wall clock differs from engine time";
  await until("it is logged", () => service.log.includes(words));
  const { quote_id } = await newQuote(service, stayRequest(hotel));
  clock.setRight();
  (await sendHold(service, quote_id)).ok(201);
  await until("the clock is right", async () => !(await isDegraded()));
});

test("an engine that crashes after a clock change continues with its own time", async () => {
  for (const byMs of [-HOUR_MS, HOUR_MS, -YEARS_MS, YEARS_MS]) {
    clock.jump(byMs);
    const { engine } = service.pids;
    process.kill(engine!, "SIGKILL");
    await until("another engine sells", async () => {
      if (service.pids.engine === engine) return false;
      const quote = await service.api("POST", "/v1/quotes", { body: stayRequest(hotel) });
      if (quote.status !== 201) return false;
      const { quote_id } = quote.ok<Quote>(201).data;
      return (await sendHold(service, quote_id)).status === 201;
    });
    await expectOnTime();
    clock.setRight();
  }
});

/** A start that must be refused; what would accept it. */
async function refusedStart(name: string, env: Readonly<Record<string, string>> = {}) {
  const { message, exitCode } = await service.startSecond(env);
  expect({ message, exitCode }).toEqual({ message, exitCode: 78 });
  expect(message).toContain(`${name}: the wall clock is`);
  return /ACCEPT_CLOCK=([0-9a-f]{12}) accepts this once/.exec(message)![1]!;
}

test("a start with a wrong clock is refused by name, and an accepted one can be undone", async () => {
  const scarce = await createHotel(service, { units: [1] });
  await newBooking(service, stayRequest(scarce));
  await service.end("SIGTERM");
  for (const byMs of [-HOUR_MS, -3 * DAY_MS, -YEARS_MS]) {
    clock.jump(byMs);
    await refusedStart("clock_behind_journal");
    clock.setRight();
  }
  clock.jump(YEARS_MS);
  const ahead = await refusedStart("clock_ahead_of_journal");
  expect(await refusedStart("clock_ahead_of_journal", { ACCEPT_CLOCK: "1" })).toBe(ahead);

  await service.restart({ ACCEPT_CLOCK: ahead });
  const far = [30, 32].map((days) => dateIn(days, Date.now() + YEARS_MS));
  const stay = { check_in: far[0]!, check_out: far[1]! };
  const late = await newHold(service, { ...stayRequest(hotel), stay });
  expect(leftS(late)).toBeGreaterThan(YEARS_MS / SECOND_MS);
  await service.end("SIGTERM");

  clock.setRight();
  const back = await refusedStart("clock_behind_journal", { ACCEPT_CLOCK: ahead });
  expect(back).not.toBe(ahead);
  await service.restart({ ACCEPT_CLOCK: back });
  const { data } = (await service.api("GET", `/v1/holds/${late.hold_id}`)).ok();
  expect(data).toMatchObject({ state: "held" });
  expect(leftS({ expires_at: String(data.expires_at) })).toBeWithin(0, HOLD_TTL_S + 1);
  await expectOnTime();
  // The night that was sold before all this is sold still.
  const again = await newQuote(service, stayRequest(scarce));
  (await sendHold(service, again.quote_id)).refused("allocation_failed");
  expect(service.log).toContain("clock accepted by ACCEPT_CLOCK");

  // Left where it was set, the value means nothing any more.
  await service.restart();
  await expectOnTime();
});
