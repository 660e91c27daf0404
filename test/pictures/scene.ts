/**
 * A small hotel's autumn, as its pictures show it: six weeks in which three agents book and the
 * desk works, and one day with an incident and a dead letter. Dates and guests are always the same;
 * ids and secrets differ. The service is started anew for each day, on a clock that is set.
 */

import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { mintDelegation } from "../../src/ops/demo/mint-delegation.ts";
import { Random } from "../power/random.ts";
import { handedOver, pageOf } from "../support/checkout.ts";
import {
  type Booking,
  bookingBody,
  dateIn,
  type Hold,
  newHold,
  newKey,
  newQuote,
  type StayRequest,
} from "../support/client.ts";
import { newEndpoint } from "../support/endpoints.ts";
import { Receiver } from "../support/receivers.ts";
import { type Service, until } from "../support/service.ts";
import type { ShiftedClock } from "../support/shifted-clock.ts";
import { GUESTS, type PicturedHotel, picturedHotel, ratesOf } from "./hotel.ts";

const DAY_MS = 86_400_000;
const SEED = 7;
/** When the pictures are taken. */
const TODAY_MS = Date.parse("2026-11-24T08:14:00Z");
/** Days before the pictures on which agents book and the desk works. */
const WORKDAYS = [56, 49, 42, 36, 30, 24, 18, 12, 7, 4, 3, 2, 1, 0];
const BOOKINGS_A_DAY = 22;
const AHEAD_DAYS_MAX = 26;
/** So many days ahead nothing is sold yet. */
const FREE_DAYS = 45;
/** From the first day to the arrival of the booking that is shown: two days after the last. */
const SHOWN_DAYS = 58;
const NIGHTS = [1, 2, 2, 2, 3, 3, 4];
const ROOMS = [0, 0, 0, 1, 1, 2];
/** How often each agent is the one that books. */
const AGENT_NAMES = ["Tripmate", "Wayfarer", "Concierge One"];
const AGENT_SHARES = [0, 0, 0, 0, 1, 1, 2];
const CANCELLED_SHARE = 0.08;
/** Of the third agent, minor units: above it an operator is asked. */
const LIMIT = { amount: 100_000, currency: "EUR" };

/** What pictures are taken of. */
export interface Scene {
  readonly hotelId: string;
  readonly incidentId: string;
  readonly deliveryId: string;
  readonly bookingId: string;
  /** Path of a checkout page that waits. */
  readonly checkout: string;
  /** An address of this machine, and what stands for it. */
  readonly receiver: Receiver;
}

interface Arrived {
  readonly booking_id: string;
  readonly stay: { readonly check_out: string };
}

/** Lives through the weeks. The service has started on `clock`. */
export class Weeks {
  readonly #service: Service;
  readonly #clock: ShiftedClock;
  readonly #random = new Random(SEED);
  readonly #hotel: PicturedHotel = picturedHotel();
  #agents: readonly DemoAgent[] = [];
  #guests = 0;
  #inHouse: readonly Arrived[] = [];
  /** The booking that is shown: the first one. */
  #shown = "";

  constructor(service: Service, clock: ShiftedClock) {
    this.#service = service;
    this.#clock = clock;
  }

  async live(): Promise<Scene> {
    await this.#open();
    for (const daysAgo of WORKDAYS) {
      await this.#wakeAt(TODAY_MS - daysAgo * DAY_MS);
      await this.#sell();
      if (daysAgo > 0) await this.#desk();
    }
    return this.#today();
  }

  async #wakeAt(atMs: number): Promise<void> {
    await this.#service.end("SIGTERM");
    setTo(this.#clock, atMs);
    await this.#service.restart();
  }

  async #open(): Promise<void> {
    const { id } = this.#hotel;
    await this.#admin("POST", "/v1/admin/properties", this.#hotel);
    const rates = ratesOf(this.#hotel, dateIn(0), dateIn(200));
    await this.#admin("PUT", `/v1/admin/properties/${id}/ari`, { rates });
    await this.#admin("POST", `/v1/admin/properties/${id}/promote`);
    const terms = AGENT_NAMES.map((name, nth) => {
      return { name, ...(nth === 2 && { limits: { max_booking_amount: LIMIT } }) };
    });
    this.#agents = await this.#service.newAgents(terms);
    const shown = await this.#book(this.#agents[0]!, this.#stay(0, SHOWN_DAYS, 2));
    this.#shown = shown!.booking_id;
  }

  /** Guests leave whose stay is over, and today's come. */
  async #desk(): Promise<void> {
    const step = (booking_id: string, name: string) =>
      this.#admin("POST", `/v1/admin/bookings/${booking_id}/${name}`);
    const today = dateIn(0);
    const leaving = this.#inHouse.filter(({ stay }) => stay.check_out <= today);
    for (const { booking_id } of leaving) await step(booking_id, "complete");
    const path = `/v1/admin/bookings?property_id=${this.#hotel.id}&state=confirmed&arrivals=${today}`;
    const { items } = await this.#admin<{ readonly items: readonly Arrived[] }>("GET", path);
    for (const { booking_id } of items) await step(booking_id, "check-in");
    this.#inHouse = [...this.#inHouse.filter((each) => !leaving.includes(each)), ...items];
  }

  async #sell(): Promise<void> {
    const random = this.#random;
    for (let n = 0; n < BOOKINGS_A_DAY; n += 1) {
      const agent = this.#agents[random.pick(AGENT_SHARES)]!;
      const inDays = Math.floor(random.unit() ** 1.5 * AHEAD_DAYS_MAX);
      const stay = this.#stay(random.pick(ROOMS), inDays, random.pick(NIGHTS), random.below(3));
      await this.#search(agent, stay, 1 + random.below(2));
      if (random.chance(0.4)) await this.#service.api("POST", "/v1/quotes", { agent, body: stay });
      const booking = await this.#book(agent, stay);
      if (booking && random.chance(CANCELLED_SHARE)) await this.#cancel(agent, booking);
    }
  }

  /** One of three is not refundable. */
  #stay(room: number, inDays: number, nights: number, plan = 0): StayRequest {
    const { id: room_type_id, rate_plans } = this.#hotel.room_types[room]!;
    return {
      ...{ hotel_id: this.#hotel.id, room_type_id, rate_plan_id: rate_plans[plan % 2]!.id },
      stay: { check_in: dateIn(inDays), check_out: dateIn(inDays + nights) },
      guests: { adults: 2 },
    };
  }

  async #search(agent: DemoAgent, { stay, guests }: StayRequest, times: number): Promise<void> {
    const destination = { type: "area", value: "Sevilla" };
    for (let n = 0; n < times; n += 1) {
      await this.#service.api("POST", "/v1/search", {
        ...{ agent, body: { destination, stay, guests } },
      });
    }
  }

  /** The booking; null when the room is sold. */
  async #book(agent: DemoAgent, body: StayRequest): Promise<Booking | null> {
    const { quote_id } = await newQuote(this.#service, body, { agent });
    const headers = { "idempotency-key": newKey() };
    const held = await this.#service.api("POST", "/v1/holds", {
      ...{ agent, headers, body: { quote_id } },
    });
    if (held.status !== 201) return null;
    const booked = await this.#pay(agent, held.ok<Hold>(201).data);
    return booked.status === 201 ? booked.ok<Booking>(201).data : null;
  }

  async #pay(agent: DemoAgent, hold: Hold) {
    const full_name = GUESTS[this.#guests++ % GUESTS.length]!;
    const email = `${full_name.split(" ")[0]!.toLowerCase()}@example.com`;
    const body = { ...bookingBody(hold), guest: { primary: { full_name, email } } };
    return this.#service.api("POST", "/v1/bookings", {
      ...{ agent, body, headers: await this.#consent() },
    });
  }

  async #consent() {
    const { delegation } = this.#service.demo;
    const token = await mintDelegation(delegation, { sub: "traveler-1", ttlS: 300 });
    return { "idempotency-key": newKey(), "x-delegated-user": token };
  }

  async #cancel(agent: DemoAgent, { booking_id }: Booking): Promise<void> {
    const headers = await this.#consent();
    const path = `/v1/bookings/${booking_id}/cancel`;
    (await this.#service.api("POST", path, { agent, headers })).ok();
  }

  async #admin<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = { "idempotency-key": newKey() };
    const { admin: agent } = this.#service.demo;
    const options = { agent, headers, ...(body !== undefined && { body }) };
    const answer = await this.#service.api(method, path, options);
    if (answer.status > 299) throw new Error(`${answer}`);
    return answer.ok<T>(answer.status).data;
  }

  /** What waits for an operator on the day of the pictures. */
  async #today(): Promise<Scene> {
    const [tripmate, , concierge] = this.#agents;
    const { id } = this.#hotel;
    const refund = { amount: 2_500, reason: "goodwill", note: "The lift was out of order." };
    await this.#admin("POST", `/v1/admin/bookings/${this.#shown}/refunds`, refund);
    await this.#book(concierge!, this.#stay(2, FREE_DAYS, 7));
    const receiver = Receiver.start("pms");
    const deliveryId = await this.#deadLetter(receiver);
    const night = dateIn(3);
    const inventory = [
      { room_type_id: this.#hotel.room_types[0]!.id, from: night, to: dateIn(4), out_of_order: 4 },
    ];
    const cut = await this.#admin<{ readonly incident_ids: readonly string[] }>(
      ...(["PUT", `/v1/admin/properties/${id}/ari`, { inventory }] as const),
    );
    const hold = await newHold(this.#service, this.#stay(1, FREE_DAYS, 3), { agent: tripmate! });
    const checkout = pageOf(await handedOver(this.#service, hold, tripmate!));
    return {
      ...{ hotelId: id, deliveryId, receiver, checkout },
      ...{ incidentId: cut.incident_ids[0]!, bookingId: this.#shown },
    };
  }

  async #deadLetter(receiver: Receiver): Promise<string> {
    await newEndpoint(this.#service, receiver, { events: ["booking.confirmed"] });
    await receiver.behave("failing");
    for (const room of [1, 0]) await this.#book(this.#agents[1]!, this.#stay(room, FREE_DAYS, 2));
    type Dead = { readonly items: readonly { readonly delivery_id: string }[] };
    let found: Dead["items"] = [];
    await until("the deliveries are dead", async () => {
      const path = "/v1/admin/webhook-deliveries?unhandled=true";
      found = (await this.#admin<Dead>("GET", path)).items;
      return found.length === 2;
    });
    return found[0]!.delivery_id;
  }
}

/** Sets the clock of the service, and that of this process with it. */
export function setTo(clock: ShiftedClock, atMs: number): void {
  clock.jump(Math.round((atMs - Date.now()) / 1_000) * 1_000);
}

/** The first day of the weeks. */
export const FIRST_DAY_MS = TODAY_MS - WORKDAYS[0]! * DAY_MS;
