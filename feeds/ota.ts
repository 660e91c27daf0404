/**
 * The messages that tell a partner of changed cells, in the shape that Google documents for
 * OpenTravel's `OTA_Hotel…NotifRQ`. They say what holds now, whatever has changed: whoever sends an
 * old one again would undo what came after it.
 *
 * Maintained invariant: a message says everything that its kind can say of each of its cells, so
 * what a partner had of them before does not matter. A night whose price is not exact has no rate
 * that could be said, and is closed instead.
 */
import { restrictionOn } from "../engine/core/availability.ts";
import { dateOf } from "../engine/core/calendar.ts";
import { policyFor } from "../engine/core/policy.ts";
import { isExact, type PriceShares, priceShares } from "../engine/core/price.ts";
import { mayBeInexact } from "../engine/core/price-bounds.ts";
import { STAY_NIGHTS_MAX } from "../engine/core/quote.ts";
import { priceInputAt } from "../engine/core/quoting.ts";
import {
  type Ceiling,
  ceilingUsed,
  effectiveCapacity,
  type Restriction,
  type RoomState,
} from "../engine/core/room-state.ts";
import type { Offer } from "../engine/core/state.ts";
import type { RoomType } from "../engine/core/supply.ts";
import { decimalOf } from "./amounts.ts";
import type { Cell, OtaFormat, Told } from "./changed-cells.ts";
import { escapedAttribute } from "./xml.ts";

/** Of the message itself. */
export interface OtaHead {
  /** Letters, digits, `_` and `-`: the answer repeats it. */
  readonly echoToken: string;
  /** When its values were read, epoch milliseconds. */
  readonly atMs: number;
  /** How the partner knows the sender; null where the address says it. */
  readonly requestorId: string | null;
}

/** The message of these cells as they are now, on one line; null when there is nothing to tell. */
export function otaMessage(
  format: OtaFormat,
  cells: Iterable<Cell>,
  told: Told,
  head: OtaHead,
): string | null {
  const message = MESSAGES[format];
  const { container } = message;
  const items = message.items(daysIn(cells), told).join("");
  if (items === "") return null;
  const id = head.requestorId === null ? null : escapedAttribute(head.requestorId);
  const pos = id === null ? "" : `<POS><Source><RequestorID ID="${id}"/></Source></POS>`;
  const code = escapedAttribute(told.property.tree.id);
  return document(message, head, `${pos}<${container} HotelCode="${code}">${items}</${container}>`);
}

/** Asks a receiver whether it is there, and tells it nothing. */
export function otaPing(head: Omit<OtaHead, "requestorId">): string {
  return document({ root: "OTA_PingRQ" }, head, "<EchoData>innkeep</EchoData>");
}

function document(
  { root, attributes = "" }: Pick<Message, "root" | "attributes">,
  { echoToken, atMs }: Omit<OtaHead, "requestorId">,
  inner: string,
): string {
  const at = `${new Date(atMs).toISOString().slice(0, 19)}Z`;
  const about = `EchoToken="${echoToken}" TimeStamp="${at}" Version="3.0"${attributes}`;
  const opening = `<${root} xmlns="http://www.opentravel.org/OTA/2003/05" ${about}>`;
  return `<?xml version="1.0" encoding="UTF-8"?>${opening}${inner}</${root}>`;
}

/**
 * Whether an answer says that the message was taken. Receivers answer 200 whatever comes of it and
 * say the rest inside: `Success` alone, or `Errors`.
 */
export function isOtaSuccess(answer: string): boolean {
  const text = withoutComments(answer);
  return /<([\w.-]+:)?Success[\s/>]/.test(text) && !/<([\w.-]+:)?Errors[\s/>]/.test(text);
}

/** In one walk, because whoever answers may choose the text. */
function withoutComments(xml: string): string {
  const [before = "", ...comments] = xml.split("<!--");
  const after = comments.map((text) => text.split("-->").slice(1).join("-->"));
  return before + after.join("");
}

interface Message {
  readonly root: string;
  /** More of the root. */
  readonly attributes?: string;
  readonly container: string;
  /** What is said of the nights of each room type or plan. */
  items(days: DaysOf, told: Told): string[];
}

/** The nights of a room type or plan that are told of, ascending. */
type DaysOf = (id: string) => readonly number[];

const MESSAGES: Readonly<Record<OtaFormat, Message>> = {
  ota_rates: {
    ...{ root: "OTA_HotelRateAmountNotifRQ", container: "RateAmountMessages" },
    attributes: ' NotifType="Overlay" NotifScopeType="ProductRate"',
    items: (days, told) =>
      offersOf(told).flatMap((offer) => {
        // What cannot be cancelled under any policy has no price.
        if (policyFor(told.property.tree, offer.plan) === null) return [];
        return itemsOf("RateAmountMessage", offer, days(offer.plan.id), rateOf(offer));
      }),
  },
  ota_availability: {
    ...{ root: "OTA_HotelAvailNotifRQ", container: "AvailStatusMessages" },
    items: (days, told) =>
      offersOf(told).flatMap((offer) => {
        const open = opennessOf(offer, told);
        const on = (day: number) => restrictionOn(offer, day) ?? NO_RESTRICTION;
        const sayings: readonly Saying[] = [
          (day) => lengths(on(day)) + status("Master", open(day) && on(day).stop_sell !== true),
          (day) => status("Arrival", on(day).cta !== true),
          (day) => status("Departure", on(day).ctd !== true),
        ];
        const ofPlan = days(offer.plan.id);
        return sayings.flatMap((saying) => itemsOf("AvailStatusMessage", offer, ofPlan, saying));
      }),
  },
  ota_inventory: {
    ...{ root: "OTA_HotelInvCountNotifRQ", container: "Inventories" },
    items: (days, told) =>
      told.property.tree.room_types.flatMap((roomType) => {
        const saying = countOf(roomType, told);
        return itemsOf("Inventory", { roomType }, days(roomType.id), saying);
      }),
  },
};

function daysIn(cells: Iterable<Cell>): DaysOf {
  const found = new Map<string, Set<number>>();
  for (const [id, day] of cells) {
    const days = found.get(id);
    if (days) days.add(day);
    else found.set(id, new Set([day]));
  }
  return (id) => [...(found.get(id) ?? [])].sort((a, b) => a - b);
}

/** Every plan with its room type, in the order of the tree. */
function offersOf({ property }: Told): Offer[] {
  return property.tree.room_types.flatMap((roomType) => {
    const room = property.rooms.get(roomType.id)!;
    return roomType.rate_plans.map((plan) => {
      return { property, roomType, plan, room, planState: room.plans.get(plan.id)! };
    });
  });
}

/** What an item says of a night, after what it is of; null for nothing. */
type Saying = (day: number) => string | null;

/** An item for each run of nights that the same is said of. */
function itemsOf(
  name: string,
  { roomType, plan }: Pick<Offer, "roomType"> & Partial<Pick<Offer, "plan">>,
  days: readonly number[],
  saying: Saying,
): string[] {
  const items: string[] = [];
  const product = plan === undefined ? "" : ` RatePlanCode="${escapedAttribute(plan.id)}"`;
  const codes = `InvTypeCode="${escapedAttribute(roomType.id)}"${product}`;
  const add = (first: number, last: number, said: string) => {
    const dates = `Start="${dateOf(first)}" End="${dateOf(last)}"`;
    items.push(`<${name}><StatusApplicationControl ${dates} ${codes}/>${said}</${name}>`);
  };
  let run: { readonly first: number; last: number; readonly said: string } | null = null;
  for (const day of days) {
    const said = saying(day);
    if (run !== null && day === run.last + 1 && said === run.said) {
      run.last = day;
      continue;
    }
    if (run !== null) add(run.first, run.last, run.said);
    run = said === null ? null : { first: day, last: day, said };
  }
  if (run !== null) add(run.first, run.last, run.said);
  return items;
}

/** Two, or one where there is no place for two (rules §10). */
function adultsOf({ roomType }: Offer): number {
  return roomType.max_occupancy === 1 ? 1 : 2;
}

/** What one night costs them; null when that is no exact amount. */
function nightPrice(offer: Offer, day: number): PriceShares | null {
  const party = { adults: adultsOf(offer), children: [] };
  const shares = priceShares(priceInputAt(offer, { checkInDay: day, nights: 1, party }));
  return isExact(shares.base + shares.tax + shares.fees) ? shares : null;
}

function rateOf(offer: Offer): Saying {
  const adults = adultsOf(offer);
  const { currency } = offer.plan;
  return (day) => {
    const price = nightPrice(offer, day);
    if (price === null) return null;
    const { base, tax, fees } = price;
    const amounts = [
      `AmountBeforeTax="${decimalOf(base, currency)}"`,
      `AmountAfterTax="${decimalOf(base + tax + fees, currency)}"`,
      `CurrencyCode="${currency}" NumberOfGuests="${adults}"`,
    ];
    const rate = `<BaseByGuestAmts><BaseByGuestAmt ${amounts.join(" ")}/></BaseByGuestAmts>`;
    return `<Rates><Rate>${rate}</Rate></Rates>`;
  };
}

/** Whether a ceiling holds for the partner, and for all of the room type or for one plan of it. */
function ceilingsOf(room: RoomState, ratePlanId: string | null, agentId: string): Ceiling[] {
  return room.ceilings.filter(({ rate_plan_id, agent_id }) => {
    return rate_plan_id === ratePlanId && (agent_id === null || agent_id === agentId);
  });
}

/** The units of a room type that are left for the partner. */
function countOf(roomType: RoomType, { property, agentId }: Told): Saying {
  const room = property.rooms.get(roomType.id)!;
  const ceilings = ceilingsOf(room, null, agentId);
  return (day) => {
    const taken = room.sold.get(day) + room.held.get(day);
    const left = ceilings.map((each) => each.limit.get(day) - ceilingUsed(each, room, day));
    const units = Math.min(effectiveCapacity(roomType, room, day) - taken, ...left);
    const count = property.state === "live" ? Math.max(0, units) : 0;
    return `<InvCounts><InvCount Count="${count}" CountType="2"/></InvCounts>`;
  };
}

/** Whether a plan may be sold at all on a night: what no count of the room type can say. */
function opennessOf(offer: Offer, { agentId }: Told) {
  const { property, plan, room } = offer;
  const ceilings = ceilingsOf(room, plan.id, agentId);
  const isOffered = property.state === "live" && policyFor(property.tree, plan) !== null;
  const isPriced = mayBeInexact(property.tree)
    ? (day: number) => nightPrice(offer, day) !== null
    : () => true;
  return (day: number) =>
    isOffered &&
    ceilings.every((each) => ceilingUsed(each, room, day) < each.limit.get(day)) &&
    isPriced(day);
}

function status(restriction: "Master" | "Arrival" | "Departure", isOpen: boolean): string {
  const word = isOpen ? "Open" : "Close";
  return `<RestrictionStatus Status="${word}" Restriction="${restriction}"/>`;
}

/** A limit that is not set is said as one that no stay can break: what was set before must go. */
function lengths(on: Restriction): string {
  return on === NO_RESTRICTION ? NO_LENGTHS : lengthsOf(on);
}

/** Of most nights. */
const NO_RESTRICTION: Restriction = {};
const NO_LENGTHS = lengthsOf(NO_RESTRICTION);

function lengthsOf(on: Restriction): string {
  const limits = [
    ["SetMinLOS", on.min_los_arrival ?? 1],
    ["SetMaxLOS", on.max_los_arrival ?? STAY_NIGHTS_MAX],
    ["SetForwardMinStay", on.min_stay_through ?? 1],
    ["SetForwardMaxStay", on.max_stay_through ?? STAY_NIGHTS_MAX],
  ] as const;
  const each = limits.map(([type, nights]) => {
    return `<LengthOfStay Time="${nights}" TimeUnit="Day" MinMaxMessageType="${type}"/>`;
  });
  return `<LengthsOfStay>${each.join("")}</LengthsOfStay>`;
}
