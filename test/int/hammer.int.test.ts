/**
 * Goal: simultaneous clients never oversell. Method: 50 clients hold stays of one to three nights
 * of one room type with five units a night for five seconds; then the journal is counted. Each
 * refusal must have its reason per night and name an alternative.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { dateOf, dayOf } from "../../engine/core/calendar.ts";
import { Replica } from "../../engine/log/replica.ts";
import { Random } from "../../src/ops/demo/random.ts";
import type { Refusal } from "../support/answer.ts";
import {
  createHotel,
  dateIn,
  type Hold,
  newQuote,
  type Quote,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { follow } from "../support/follow.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const SEED = process.env.SEED ?? crypto.randomUUID();
const CLIENTS = 50;
const NIGHTS = 12;
const UNITS = 5;
const HAMMER_MS = 5_000;
const FIRST_DAY = 30;

const service = await serviceOfFile();
const hotel = await createHotel(service, { units: [UNITS, 1_000] });

/** Quotes of every stay of one to three of the nights. */
async function stays(): Promise<string[]> {
  const quotes: Promise<Quote>[] = [];
  for (let nights = 1; nights <= 3; nights += 1) {
    for (let at = 0; at + nights <= NIGHTS; at += 1) {
      const inDays = FIRST_DAY + at;
      quotes.push(newQuote(service, stayRequest(hotel, { inDays, nights })));
    }
  }
  return (await Promise.all(quotes)).map(({ quote_id }) => quote_id);
}

interface Tally {
  readonly holds: string[];
  readonly refusals: Refusal[];
}

/** One client: holds at random until the time is up, sometimes giving a hold back. */
async function client(quoteIds: readonly string[], random: Random, endMs: number): Promise<Tally> {
  const holds: string[] = [];
  const refusals: Refusal[] = [];
  while (performance.now() < endMs) {
    const answer = await sendHold(service, random.pick(quoteIds));
    if (answer.status !== 201) refusals.push(answer.refused("allocation_failed"));
    else if (random.chance(0.5)) holds.push(answer.ok<Hold>(201).data.hold_id);
    else {
      const { hold_id } = answer.ok<Hold>(201).data;
      (await service.api("POST", `/v1/holds/${hold_id}/release`)).ok();
    }
  }
  return { holds, refusals };
}

/** Units held per night of the room type, and the ids that hold them, as journaled. */
function journaled() {
  const replica = new Replica(join(service.dataDir, "engine", "0.db"));
  const perNight = new Map<string, number>();
  const ids: string[] = [];
  for (const { hold_id, quote } of replica.state.holds.values()) {
    if (quote.room_type_id !== hotel.rooms[0]!.id) continue;
    ids.push(hold_id);
    for (let day = dayOf(quote.stay.check_in); day < dayOf(quote.stay.check_out); day += 1) {
      perNight.set(dateOf(day), (perNight.get(dateOf(day)) ?? 0) + 1);
    }
  }
  replica.close();
  return { perNight, ids };
}

function expectExplained({ detail }: Refusal): void {
  expect(detail).toMatchObject({ reason: "no_units", property_id: hotel.id });
  const blocking = detail.blocking as readonly { date: string; capacity: number; held: number }[];
  expect(blocking).not.toBeEmpty();
  for (const { date, ...night } of blocking) {
    expect(date >= dateIn(FIRST_DAY) && date < dateIn(FIRST_DAY + NIGHTS)).toBeTrue();
    expect(night).toMatchObject({ reason: "no_vacancy", capacity: UNITS, sold: 0, held: UNITS });
  }
  expect(detail.alternatives).not.toBeEmpty();
}

test("50 clients on five rooms hold exactly five a night, and the rest get the reason", async () => {
  console.log(`SEED=${SEED}`);
  const quoteIds = await stays();
  const endMs = performance.now() + HAMMER_MS;
  const tallies = await Promise.all(
    Array.from({ length: CLIENTS }, (_, i) => client(quoteIds, new Random(`${SEED} ${i}`), endMs)),
  );
  // Whoever comes after the hammering takes what was given back last.
  for (const quoteId of quoteIds.slice(0, NIGHTS)) {
    let answer = await sendHold(service, quoteId);
    for (; answer.status === 201; answer = await sendHold(service, quoteId)) {
      tallies[0]!.holds.push(answer.ok<Hold>(201).data.hold_id);
    }
    expectExplained(answer.refused("allocation_failed"));
  }
  const { perNight, ids } = journaled();
  const nights = Array.from({ length: NIGHTS }, (_, i) => dateIn(FIRST_DAY + i));
  expect(Object.fromEntries(perNight)).toEqual(
    Object.fromEntries(nights.map((night) => [night, UNITS])),
  );
  expect(ids.sort()).toEqual(tallies.flatMap(({ holds }) => holds).sort());
  const refusals = tallies.flatMap((tally) => tally.refusals);
  expect(refusals.length).toBeGreaterThan(1_000);
  for (const refusal of refusals) expectExplained(refusal);
  await expectAlternatives(quoteIds);
});

/**
 * When all is full, what a refusal offers can be quoted and held: other dates and another room. The
 * two dates it offers may share nights, so only the first of them is taken.
 */
async function expectAlternatives(quoteIds: readonly string[]): Promise<void> {
  for (const quoteId of quoteIds) {
    const { next_actions } = (await sendHold(service, quoteId)).refused("allocation_failed");
    const requotes = next_actions.filter(({ rel }) => rel === "requote");
    for (const requote of [requotes.at(0)!, requotes.at(-1)!]) {
      const quote = (await follow(service, requote)).ok<Quote>(201).data;
      (await sendHold(service, quote.quote_id)).ok(201);
    }
  }
}
