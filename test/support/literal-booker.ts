/**
 * An agent that takes every answer at its word: from one search it goes on by next actions alone,
 * each sent exactly as it stands, to a booking and its cancellation. On the way it keeps account of
 * what it was told: which actions change its trip, what the stay costs, what cancelling costs.
 */
import { expect } from "bun:test";
import type { CancellationCost, NextAction } from "../../src/actions/next-action.ts";

export interface Party {
  readonly adults: number;
  readonly children?: readonly { readonly age: number }[];
}

/** A search: the body of `POST /v1/search`. */
export interface Wish {
  readonly destination?: Readonly<Record<string, string>>;
  readonly stay: { readonly check_in: string; readonly check_out: string };
  readonly guests: Party;
  readonly constraints?: Readonly<Record<string, unknown>>;
}

/** A next action, with what callers of tools need besides. */
export interface Offer extends NextAction {
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

interface Data {
  readonly state?: string;
  readonly fee?: { readonly amount: number; readonly currency: string };
  readonly refund?: { readonly amount: number } | null;
  readonly price_breakdown?: { readonly total: number; readonly due_now: number };
  readonly payment?: { readonly amount: number };
  readonly results?: readonly { readonly best_offer: { readonly total: number } }[];
}

export interface Envelope {
  readonly data?: Data;
  readonly next_actions?: readonly Offer[];
  readonly error?: { readonly code: string; readonly next_actions: readonly Offer[] };
}

/** One way to reach the service. */
export interface Protocol {
  readonly name: string;
  search(wish: Wish): Promise<Envelope>;
  /** Makes the call of an action as it stands, with the blanks of `fill_in` filled in. */
  follow(action: Offer): Promise<Envelope>;
}

/** How a search ended; amounts in minor units. */
export interface End {
  readonly isBooked: boolean;
  /** The answers that it took. */
  readonly steps: number;
  /** A search on the way found nothing. */
  readonly wasEmpty: boolean;
  readonly paid: number;
  readonly fee: number;
  readonly refund: number;
}

const STEPS_MAX = 14;
const ONWARD: ReadonlySet<string> = new Set([
  ...["search", "quote", "requote", "create_hold", "confirm"],
]);

/**
 * Searches, books and cancels.
 *
 * @throws where an action repeats a call, leads to a refusal that offers nothing, changes the trip
 *   without saying so, or where money differs from what was told.
 */
export async function bookLiterally(protocol: Protocol, wish: Wish): Promise<End> {
  const sent = new Set<string>();
  const trail: string[] = [];
  let asked: Wish = wish;
  let total: number | null = null;
  let wasEmpty = false;
  let envelope = await protocol.search(wish);
  for (let steps = 1; steps <= STEPS_MAX; steps += 1) {
    const { data, error } = envelope;
    if (data?.state === "confirmed") {
      expect({ trail, total: data.price_breakdown?.total }).toEqual({ trail, total: total! });
      return { isBooked: true, steps, wasEmpty, ...(await cancelled(protocol, envelope)) };
    }
    if (data?.results?.length === 0) wasEmpty = true;
    const actions = error?.next_actions ?? envelope.next_actions ?? [];
    const next = actions.find(({ rel }) => ONWARD.has(rel));
    trail.push(error?.code ?? next?.rel ?? "end");
    if (next === undefined) {
      // A search that finds nothing may end with what there is to read; nothing else may.
      expect({ trail, data, error }).toMatchObject({ data: { results: [] } });
      return { isBooked: false, steps, wasEmpty, paid: 0, fee: 0, refund: 0 };
    }
    asked = changed(asked, next);
    const call = `${next.method} ${next.href} ${JSON.stringify(next.body_hint)}`;
    if (sent.has(call))
      throw new Error(`${protocol.name} goes round: ${trail.join(" → ")} ${call}`);
    sent.add(call);
    total = data?.results?.[0]?.best_offer.total ?? total;
    envelope = await protocol.follow(next);
    const price = envelope.data?.price_breakdown?.total;
    if (next.rel === "quote" && data?.results && price !== undefined)
      expect({ trail, price }).toEqual({ trail, price: total! });
    total = price ?? total;
  }
  throw new Error(`${protocol.name} still goes on after ${STEPS_MAX} steps: ${trail.join(" → ")}`);
}

/** The trip as an action has it, whose `changes` name all that is different. */
function changed(asked: Wish, { rel, body_hint, changes = [] }: Offer): Wish {
  if (!["search", "quote", "requote"].includes(rel)) return asked;
  const { stay, guests } = body_hint as unknown as Wish;
  const differs = [
    ...(stay.check_in === asked.stay.check_in ? [] : ["/stay/check_in"]),
    ...(stay.check_out === asked.stay.check_out ? [] : ["/stay/check_out"]),
    ...(partyOf(guests) === partyOf(asked.guests) ? [] : ["/guests"]),
  ];
  const untold = differs.filter((path) => !changes.includes(path));
  expect({ asked, body_hint, untold }).toEqual({ asked, body_hint, untold: [] });
  return { ...asked, stay, guests };
}

function partyOf({ adults, children = [] }: Party): string {
  return JSON.stringify([adults, children.map(({ age }) => age)]);
}

/** Cancels what was booked, by the preview where one is offered; the money is what was told. */
async function cancelled(protocol: Protocol, booked: Envelope) {
  const paid = booked.data?.payment?.amount ?? 0;
  expect(paid).toBe(booked.data!.price_breakdown!.due_now);
  const preview = booked.next_actions?.find(({ href }) => href.endsWith("/cancellation-quote"));
  const previewed = preview && (await protocol.follow(preview));
  const cancel = cancelOf(previewed ?? booked);
  const { fee, refund, until } = cancel.cost as CancellationCost;
  if (previewed) expect(previewed.data).toMatchObject({ fee, refund });
  // What costs money is shown before.
  expect({ isShown: previewed !== undefined, fee }).toEqual({ isShown: fee.amount > 0, fee });
  const { data } = await protocol.follow(cancel);
  const isStillSo = until === null || Date.now() < Date.parse(until);
  const got = { fee: data?.fee, refund: data?.refund?.amount ?? 0 };
  if (isStillSo)
    expect({ cost: cancel.cost, ...got }).toMatchObject({ fee, refund: refund.amount });
  expect(got.refund + data!.fee!.amount).toBe(paid);
  return { paid, fee: data!.fee!.amount, refund: got.refund };
}

function cancelOf({ next_actions = [] }: Envelope): Offer {
  const cancel = next_actions.find(({ rel }) => rel === "cancel");
  if (cancel?.cost === undefined) throw new Error(`no cancel with its cost: ${cancel?.href}`);
  return cancel;
}
