/**
 * Messages to partners about changed cells, in Google's form of OpenTravel's `OTA_Hotel…NotifRQ`.
 * They contain current values, so a repeated message never reverts later changes.
 *
 * Invariant: a message has all values of each of its cells, so the partner's earlier values do not
 * matter. A night without an exact price has no rate and is closed instead.
 */
import { restrictionOn } from "../engine/core/availability/availability.ts";
import { HORIZON_DAYS } from "../engine/core/availability/horizon.ts";
import { priceInputAt } from "../engine/core/availability/quoting.ts";
import { dateOf } from "../engine/core/calendar.ts";
import { policyFor } from "../engine/core/price/policy.ts";
import { isExact, type PriceShares, priceShares } from "../engine/core/price/price.ts";
import { mayBeInexact } from "../engine/core/price/price-bounds.ts";
import { STAY_NIGHTS_MAX } from "../engine/core/price/quote.ts";
import {
  type Edge,
  type NameOf,
  type Restriction,
  RULES,
  RULES_AT,
  type Rule,
} from "../engine/core/rules.ts";
import {
  type Ceiling,
  ceilingLeft,
  effectiveCapacity,
  type RoomState,
} from "../engine/core/state/room-state.ts";
import type { Offer } from "../engine/core/state/state.ts";
import type { RoomType } from "../engine/core/supply.ts";
import { decimalOf } from "./amounts.ts";
import type { Cell, MessageScope, OtaFormat } from "./changed-cells.ts";
import { escapedAttribute } from "./xml.ts";

/** Members of the message itself. */
export interface OtaHead {
  /** Letters, digits, `_` and `-`; repeated in the answer. */
  readonly echoToken: string;
  /** When the values were read, epoch milliseconds. */
  readonly atMs: number;
  /** The partner's id of the sender; null where the address identifies it. */
  readonly requestorId: string | null;
}

/** The message of these cells with current values, on one line; null when it would be empty. */
export function otaMessage(
  format: OtaFormat,
  cells: Iterable<Cell>,
  scope: MessageScope,
  head: OtaHead,
): string | null {
  const message = MESSAGES[format];
  const { container } = message;
  const items = message.items(daysIn(cells), scope).join("");
  if (items === "") return null;
  const id = head.requestorId === null ? null : escapedAttribute(head.requestorId);
  const pos = id === null ? "" : `<POS><Source><RequestorID ID="${id}"/></Source></POS>`;
  const code = escapedAttribute(scope.property.tree.id);
  return document(message, head, `${pos}<${container} HotelCode="${code}">${items}</${container}>`);
}

/** A connection test without data. */
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
 * Whether an answer confirms the message. Receivers always answer 200 and put `Success` or `Errors`
 * into the body.
 */
export function isOtaSuccess(answer: string): boolean {
  const text = withoutComments(answer);
  return /<([\w.-]+:)?Success[\s/>]/.test(text) && !/<([\w.-]+:)?Errors[\s/>]/.test(text);
}

/** One pass, because the receiver controls the text. */
function withoutComments(xml: string): string {
  const [before = "", ...comments] = xml.split("<!--");
  const after = comments.map((text) => text.split("-->").slice(1).join("-->"));
  return before + after.join("");
}

interface Message {
  readonly root: string;
  /** More attributes of the root. */
  readonly attributes?: string;
  readonly container: string;
  /** The items for the nights of each room type or plan. */
  items(days: DaysOf, scope: MessageScope): string[];
}

/** The included nights of a room type or plan, ascending. */
type DaysOf = (id: string) => readonly number[];

const MESSAGES: Readonly<Record<OtaFormat, Message>> = {
  ota_rates: {
    ...{ root: "OTA_HotelRateAmountNotifRQ", container: "RateAmountMessages" },
    attributes: ' NotifType="Overlay" NotifScopeType="ProductRate"',
    items: (days, scope) =>
      offersOf(scope).flatMap((offer) => {
        // An offer without a usable policy has no price.
        if (policyFor(scope.property.tree, offer.plan) === null) return [];
        return itemsOf("RateAmountMessage", offer, days(offer.plan.id), rateOf(offer));
      }),
  },
  ota_availability: {
    ...{ root: "OTA_HotelAvailNotifRQ", container: "AvailStatusMessages" },
    items: (days, scope) =>
      offersOf(scope).flatMap((offer) => {
        const open = opennessOf(offer, scope);
        const on = (day: number) => restrictionOn(offer, day) ?? NO_RESTRICTION;
        const sayings: readonly CellContent[] = [
          (day) => lengths(on(day)) + status("through", on(day), open(day)),
          (day) => status("arrival", on(day), true, advance(on(day))),
          (day) => status("departure", on(day)),
        ];
        const ofPlan = days(offer.plan.id);
        return sayings.flatMap((saying) => itemsOf("AvailStatusMessage", offer, ofPlan, saying));
      }),
  },
  ota_inventory: {
    ...{ root: "OTA_HotelInvCountNotifRQ", container: "Inventories" },
    items: (days, scope) =>
      scope.property.tree.room_types.flatMap((roomType) => {
        const saying = countOf(roomType, scope);
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

/** Every plan with its room type, in tree order. */
function offersOf({ property }: MessageScope): Offer[] {
  return property.tree.room_types.flatMap((roomType) => {
    const room = property.rooms.get(roomType.id)!;
    return roomType.rate_plans.map((plan) => {
      return { property, roomType, plan, room, planState: room.plans.get(plan.id)! };
    });
  });
}

/** The content of an item for a night; null for none. */
type CellContent = (day: number) => string | null;

/** One item per run of nights with equal content. */
function itemsOf(
  name: string,
  { roomType, plan }: Pick<Offer, "roomType"> & Partial<Pick<Offer, "plan">>,
  days: readonly number[],
  saying: CellContent,
): string[] {
  const items: string[] = [];
  const product = plan === undefined ? "" : ` RatePlanCode="${escapedAttribute(plan.id)}"`;
  const codes = `InvTypeCode="${escapedAttribute(roomType.id)}"${product}`;
  const add = (first: number, last: number, content: string) => {
    const dates = `Start="${dateOf(first)}" End="${dateOf(last)}"`;
    items.push(`<${name}><StatusApplicationControl ${dates} ${codes}/>${content}</${name}>`);
  };
  let run: { readonly first: number; last: number; readonly content: string } | null = null;
  for (const day of days) {
    const content = saying(day);
    if (run !== null && day === run.last + 1 && content === run.content) {
      run.last = day;
      continue;
    }
    if (run !== null) add(run.first, run.last, run.content);
    run = content === null ? null : { first: day, last: day, content };
  }
  if (run !== null) add(run.first, run.last, run.content);
  return items;
}

/** Two, or one for rooms for one person. */
function adultsOf({ roomType }: Offer): number {
  return roomType.max_occupancy === 1 ? 1 : 2;
}

/**
 * The price of one night, null when it is not an exact amount. Discounts are left out: no event
 * ends their time at the partner.
 */
function nightPrice(offer: Offer, day: number): PriceShares | null {
  const party = { adults: adultsOf(offer), children: [] };
  const shares = priceShares(
    priceInputAt(offer, { checkInDay: day, nights: 1, party, todayDay: null }),
  );
  return isExact(shares.base + shares.tax + shares.fees) ? shares : null;
}

function rateOf(offer: Offer): CellContent {
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

/** Ceilings that apply to the partner, of the whole room type or of one plan. */
function ceilingsOf(room: RoomState, ratePlanId: string | null, agentId: string): Ceiling[] {
  return room.ceilings.filter(({ rate_plan_id, agent_id }) => {
    return rate_plan_id === ratePlanId && (agent_id === null || agent_id === agentId);
  });
}

/** The units of a room type left for the partner. */
function countOf(
  roomType: RoomType,
  { property, agentId, firstDay: today }: MessageScope,
): CellContent {
  const room = property.rooms.get(roomType.id)!;
  const ceilings = ceilingsOf(room, null, agentId);
  return (day) => {
    const taken = room.sold.get(day) + room.held.get(day);
    const left = ceilings.map((each) => ceilingLeft(each, room, day, today));
    const units = Math.min(effectiveCapacity(roomType, room, day) - taken, ...left);
    const count = property.state === "live" ? Math.max(0, units) : 0;
    return `<InvCounts><InvCount Count="${count}" CountType="2"/></InvCounts>`;
  };
}

/** Whether a plan is on sale on a night, which the room type's count cannot express. */
function opennessOf(offer: Offer, { agentId, firstDay: today }: MessageScope) {
  const { property, plan, room } = offer;
  const ceilings = ceilingsOf(room, plan.id, agentId);
  const isOffered = property.state === "live" && policyFor(property.tree, plan) !== null;
  const isPriced = mayBeInexact(property.tree)
    ? (day: number) => nightPrice(offer, day) !== null
    : () => true;
  return (day: number) =>
    isOffered && ceilings.every((each) => ceilingLeft(each, room, day, today) > 0) && isPriced(day);
}

type LengthName = NameOf<"min_nights" | "max_nights">;

/** What the format calls a limit. One that it lacks is null, and closes its edge instead. */
const LENGTH_TYPES: Readonly<Record<LengthName, string | null>> = {
  min_los_arrival: "SetMinLOS",
  max_los_arrival: "SetMaxLOS",
  min_stay_through: "SetForwardMinStay",
  max_stay_through: "SetForwardMaxStay",
};

const STATUSES: Readonly<Record<Edge, string>> = {
  through: "Master",
  arrival: "Arrival",
  departure: "Departure",
};

function status(edge: Edge, on: Restriction, isOnSale = true, more = ""): string {
  const word = isOnSale && !RULES_AT[edge].some((rule) => closes(rule, on)) ? "Open" : "Close";
  return `<RestrictionStatus Status="${word}" Restriction="${STATUSES[edge]}"${more}/>`;
}

function closes({ name, kind }: Rule, on: Restriction): boolean {
  const value = on[name];
  if (kind === "closed") return value === true;
  return Boolean(value) && LENGTH_TYPES[name as LengthName] === null;
}

/** Days from the booking to the arrival; unset ones are sent without effect. */
function advance({ min_advance_days = 0, max_advance_days = HORIZON_DAYS }: Restriction): string {
  const most = Math.min(max_advance_days, HORIZON_DAYS);
  return ` MinAdvancedBookingOffset="P${min_advance_days}D" MaxAdvancedBookingOffset="P${most}D"`;
}

/** An unset limit, or 0, is sent as one without effect, to replace an earlier value. */
function lengths(on: Restriction): string {
  return on === NO_RESTRICTION ? NO_LENGTHS : lengthsOf(on);
}

/** Most nights have no restriction. */
const NO_RESTRICTION: Restriction = {};
const NO_LENGTHS = lengthsOf(NO_RESTRICTION);

function lengthsOf(on: Restriction): string {
  const limits = Object.entries(LENGTH_TYPES) as [LengthName, string | null][];
  const each = limits.map(([name, type]) => {
    if (type === null) return "";
    const nights = on[name] || (RULES[name].kind === "min_nights" ? 1 : STAY_NIGHTS_MAX);
    return `<LengthOfStay Time="${nights}" TimeUnit="Day" MinMaxMessageType="${type}"/>`;
  });
  const pattern = on.los_pattern ?? "Y";
  const full = `<LOS_Pattern FullPatternLOS="${pattern}"/>`;
  each.push(`<LengthOfStay MinMaxMessageType="FullPatternLOS">${full}</LengthOfStay>`);
  return `<LengthsOfStay FixedPatternLength="${pattern.length}">${each.join("")}</LengthsOfStay>`;
}
