/**
 * Fixes that make a property promotable: a merge patch of its tree (RFC 7396), with
 * `<placeholders>` for values that only the operator knows. Answers carry it as a request body, so
 * that each refusal leads to the call that fixes it.
 */
import { dateOf } from "../calendar.ts";
import type { PromotionReason, PropertyFixes } from "../outcomes.ts";
import type { AriUpdate, PropertyTree, RatePlan, RoomType } from "../supply.ts";

/** A list must be sent whole; a longer one is left out. */
const MEMBER_CHARS_MAX = 16_000;
/** As far as promotion looks for a night on sale. */
const OPEN_DAYS = 547;

const AMOUNT = "<amount in minor units>";
const FIELDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  missing_geo: {
    geo: { lat: "<latitude, -90 to 90>", lng: "<longitude, -180 to 180>" },
  },
  missing_checkin_time: { checkin_time: "<local time as HH:mm>" },
  invalid_contact_phone: { phone: "<phone number, such as +34931234567>" },
  invalid_contact_email: { email: "<email address of the property>" },
};

/** Request bodies that fix all errors among the reasons; null when no call can. */
export function promotionFixesOf(
  tree: PropertyTree,
  reasons: readonly PromotionReason[],
  todayDay: number,
): PropertyFixes | null {
  const errors = reasons.filter(({ severity }) => severity === "error");
  const members = errors.map(({ code }) => FIELDS[code] ?? {});
  const patch: Record<string, unknown> = Object.assign({}, ...members);
  const kinds = missingPolicies(tree, errors);
  if (kinds.length > 0) patch.policies = [...tree.policies, ...kinds.map(policyTerms)];
  const currency = onlyCurrency(tree);
  const isForeign = errors.some(({ code }) => code === "currency_mismatch");
  if (isForeign && currency !== null) patch.default_currency = currency;
  const rooms = mendedRooms(tree, errors, currency === null);
  if (rooms !== null) patch.room_types = rooms;
  const sent = Object.entries(patch).filter(
    ([, value]) => JSON.stringify(value).length <= MEMBER_CHARS_MAX,
  );
  const isClosed = errors.some(({ code }) => code === "no_open_rates_in_horizon");
  const mending = {
    ...(sent.length > 0 && { patch: Object.fromEntries(sent) }),
    ...(isClosed && { ari: opened(tree, todayDay) }),
  };
  return Object.keys(mending).length > 0 ? mending : null;
}

/** The common currency of all rate plans, or null. */
function onlyCurrency({ room_types }: PropertyTree): string | null {
  const all = new Set(room_types.flatMap((room) => room.rate_plans.map((plan) => plan.currency)));
  const [first] = all;
  return first !== undefined && all.size === 1 ? first : null;
}

/** Cancellation kinds of rate plans that have no policy, each once. */
function missingPolicies(tree: PropertyTree, errors: readonly PromotionReason[]): string[] {
  const paths = new Set(
    errors.flatMap(({ code, path }) => (code === "rate_plan_without_policy" ? [path] : [])),
  );
  const kinds = tree.room_types.flatMap((room, i) =>
    room.rate_plans.flatMap((plan, j) =>
      paths.has(`/room_types/${i}/rate_plans/${j}`) ? [plan.cancellation_kind] : [],
    ),
  );
  return [...new Set(kinds)];
}

function policyTerms(cancellation_kind: string): Readonly<Record<string, unknown>> {
  return {
    version: "<version of these terms, such as 2026-01>",
    cancellation_kind,
    free_cancellation_hours_before_checkin: "<hours before check-in, 0 or more>",
    cancellation_fee_pct_after_cutoff: "<percent of the price, 0 to 100>",
    no_show_fee_pct: "<percent of the price, 0 to 100>",
  };
}

function newPlan(currency: string): Readonly<Record<string, unknown>> {
  return {
    ...{ code: "<code of the rate plan, such as FLEX>", name: "<name of the rate plan>" },
    ...{ currency, base_rate_per_night: AMOUNT, meal_plan: "room_only" },
    cancellation_kind: "free_until_cutoff",
  };
}

function newRoom(currency: string): Readonly<Record<string, unknown>> {
  return {
    ...{ code: "<code of the room type, such as DBL>", name: "<name of the room type>" },
    max_occupancy: "<how many guests a room takes>",
    default_inventory: "<how many rooms there are>",
    rate_plans: [newPlan(currency)],
  };
}

/** The room types with their errors fixed; null when no error is theirs. */
function mendedRooms(
  tree: PropertyTree,
  errors: readonly PromotionReason[],
  restates: boolean,
): readonly unknown[] | null {
  const codes = new Set(errors.map(({ code, path }) => `${code} ${path}`));
  if (codes.has("no_room_types /room_types")) return [newRoom(tree.default_currency)];
  let isMended = false;
  const mended = <T>(hasFault: boolean, value: T, instead: unknown): T => {
    isMended ||= hasFault;
    return hasFault ? (instead as T) : value;
  };
  const rooms = tree.room_types.map((room, i): RoomType => {
    const at = `/room_types/${i}`;
    const isEmpty = codes.has(`room_type_without_inventory ${at}`);
    const isBare = codes.has(`room_type_without_rate_plan ${at}/rate_plans`);
    const plans = room.rate_plans.map((plan, j): RatePlan => {
      const isForeign = codes.has(`currency_mismatch ${at}/rate_plans/${j}/currency`);
      const restated = { currency: tree.default_currency, base_rate_per_night: AMOUNT };
      return mended(restates && isForeign, plan, { ...plan, ...restated });
    });
    const units = "<how many rooms there are>";
    return {
      ...room,
      default_inventory: mended(isEmpty, room.default_inventory, units),
      rate_plans: mended(isBare, plans, [newPlan(tree.default_currency)]),
    };
  });
  return isMended ? rooms : null;
}

/** Opens every room type on the nights that promotion checks. */
function opened({ room_types }: PropertyTree, todayDay: number): AriUpdate {
  const range = { from: dateOf(todayDay), to: dateOf(todayDay + OPEN_DAYS) };
  const restrictions = room_types.map(({ id }) => ({
    room_type_id: id,
    ...range,
    stop_sell: false,
  }));
  return { restrictions };
}
