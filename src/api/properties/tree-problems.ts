/** Checks of a property tree beyond the schema: relations between its parts. */
import { dayOf, isZone } from "../../../engine/core/calendar.ts";
import { inexactTaxes } from "../../../engine/core/price/price-bounds.ts";
import type {
  ChildBand,
  Discount,
  PropertyTree,
  RatePlan,
  RoomType,
  TaxRule,
} from "../../../engine/core/supply.ts";
import type { FieldError } from "../../http/validate.ts";
import { dateProblems } from "../stays.ts";

/** All errors of a completed tree that passed the schema; pointers refer to the body. */
export function treeProblems(tree: PropertyTree): FieldError[] {
  const errors: FieldError[] = [];
  if (!isZone(tree.timezone)) {
    const expected = "an IANA time zone such as Europe/Madrid";
    errors.push({ path: "/timezone", message: "is not a known time zone", expected });
  }
  return errors.concat(
    repeated(tree.policies, "/policies", "version", (policy) =>
      JSON.stringify([policy.cancellation_kind, policy.version]),
    ),
    repeated(tree.tax_rules, "/tax_rules", "code", (rule) => rule.code),
    repeated(tree.room_types, "/room_types", "code", (room) => room.code),
    tree.tax_rules.flatMap((rule, i) => taxProblems(rule, `/tax_rules/${i}`)),
    inexactTaxes(tree).map((i) => inexact(tree.tax_rules[i]!, `/tax_rules/${i}`)),
    bandProblems(tree.child_bands),
    tree.room_types.flatMap((room, i) => roomProblems(room, `/room_types/${i}`)),
    repeatedIds(tree),
  );
}

/** One error for every item that repeats the key of an earlier one. */
function repeated<T>(
  items: readonly T[],
  at: string,
  member: string,
  keyOf: (item: T) => string,
): FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  items.forEach((item, i) => {
    const key = keyOf(item);
    if (seen.has(key)) errors.push(taken(`${at}/${i}/${member}`));
    seen.add(key);
  });
  return errors;
}

function taken(path: string): FieldError {
  return { path, message: "is used more than once", expected: "a unique value" };
}

/** Ids of property, room types and plans share one name space. */
function repeatedIds(tree: PropertyTree): FieldError[] {
  const ids = [{ id: tree.id, path: "/id" }];
  tree.room_types.forEach((room, r) => {
    ids.push({ id: room.id, path: `/room_types/${r}/id` });
    room.rate_plans.forEach((plan, p) => {
      ids.push({ id: plan.id, path: `/room_types/${r}/rate_plans/${p}/id` });
    });
  });
  const seen = new Set<string>();
  return ids.flatMap(({ id, path }) => {
    const isTaken = seen.has(id);
    seen.add(id);
    return isTaken ? [taken(path)] : [];
  });
}

function taxProblems(rule: TaxRule, at: string): FieldError[] {
  const errors = [
    ...dateProblems(rule.valid_from, `${at}/valid_from`),
    ...dateProblems(rule.valid_to, `${at}/valid_to`),
  ];
  const [wanted, other] =
    rule.basis === "percent"
      ? (["rate_bps", "amount"] as const)
      : (["amount", "rate_bps"] as const);
  if (rule[wanted] === undefined) {
    const message = "is missing for this basis";
    errors.push({ path: `${at}/${wanted}`, message, expected: `${wanted} for this basis` });
  }
  if (rule[other] !== undefined) {
    const message = "cannot be used with this basis";
    errors.push({ path: `${at}/${other}`, message, expected: `only ${wanted} for this basis` });
  }
  if (rule.valid_from && rule.valid_to && dayOf(rule.valid_to) < dayOf(rule.valid_from)) {
    const message = "is before valid_from";
    errors.push({ path: `${at}/valid_to`, message, expected: "valid_from or later" });
  }
  return errors;
}

function inexact({ basis }: TaxRule, at: string): FieldError {
  const path = `${at}/${basis === "percent" ? "rate_bps" : "amount"}`;
  const message = "makes the total of the most expensive stay too large";
  return { path, message, expected: `a stay of at most ${Number.MAX_SAFE_INTEGER} minor units` };
}

function bandProblems(bands: readonly ChildBand[]): FieldError[] {
  return bands.flatMap((band, i) => {
    const at = `/child_bands/${i}`;
    const errors: FieldError[] = [];
    if (band.max_age < band.min_age) {
      const message = "is less than min_age";
      errors.push({ path: `${at}/max_age`, message, expected: "min_age or more" });
    }
    if (band.pricing !== "free" && band.value === undefined) {
      const message = "is missing for this pricing";
      errors.push({ path: `${at}/value`, message, expected: "basis points or minor units" });
    }
    const overlaps = (each: ChildBand) =>
      each.min_age <= band.max_age && band.min_age <= each.max_age;
    if (bands.slice(0, i).some(overlaps)) {
      const expected = "ages outside earlier bands";
      errors.push({ path: `${at}/min_age`, message: "overlaps an earlier band", expected });
    }
    return errors;
  });
}

function roomProblems(room: RoomType, at: string): FieldError[] {
  const errors = repeated(room.rate_plans, `${at}/rate_plans`, "code", (plan) => plan.code);
  if (room.included_occupancy > room.max_occupancy) {
    const message = "is more than max_occupancy";
    errors.push({ path: `${at}/included_occupancy`, message, expected: "max_occupancy or less" });
  }
  const adjusted = room.rate_plans.flatMap((plan, p) =>
    repeated(plan.adjustments, `${at}/rate_plans/${p}/adjustments`, "code", ({ code }) => code),
  );
  const derived = room.rate_plans.flatMap((plan, p) =>
    derivedProblems(plan, room, `${at}/rate_plans/${p}/derived_from`),
  );
  const discounted = room.rate_plans.flatMap(({ discounts = [] }, p) => {
    const list = `${at}/rate_plans/${p}/discounts`;
    const faults = discounts.flatMap((each, i) => discountProblems(each, `${list}/${i}`));
    return [...repeated(discounts, list, "code", ({ code }) => code), ...faults];
  });
  return [...errors, ...adjusted, ...derived, ...discounted];
}

const DATES = [
  ["booked_from", "booked_until"],
  ["stay_from", "stay_until"],
] as const;

/** The limits of a discount, each with the one that it may not be above. */
const LIMITS = [
  ...DATES,
  ["min_advance_days", "max_advance_days"],
  ["min_nights", "max_nights"],
] as const;

function discountProblems(discount: Discount, at: string): FieldError[] {
  const errors = [
    ...DATES.flat().flatMap((name) => dateProblems(discount[name], `${at}/${name}`)),
    ...changeProblems(discount, at),
  ];
  if (errors.length > 0) return errors;
  return LIMITS.flatMap(([low, high]) => {
    const [least, most] = [discount[low], discount[high]];
    if (least === undefined || most === undefined || least <= most) return [];
    return [{ path: `${at}/${high}`, message: `is before ${low}`, expected: `${low} or later` }];
  });
}

/** A change of an amount is by a percentage or by an amount. */
function changeProblems({ bps, amount }: Pick<Discount, "bps" | "amount">, at: string) {
  if (bps !== undefined && amount !== undefined) {
    const expected = "bps or amount";
    return [{ path: `${at}/amount`, message: "cannot be used with bps", expected }];
  }
  if (bps !== undefined || amount !== undefined) return [];
  return [{ path: `${at}/bps`, message: "is missing", expected: "bps or amount" }];
}

/** A plan follows one with prices of its own, so nothing follows in a circle. */
function derivedProblems(plan: RatePlan, { rate_plans }: RoomType, at: string): FieldError[] {
  const rule = plan.derived_from;
  if (rule === undefined) return [];
  const followed = rate_plans.find(({ id }) => id === rule.rate_plan_id);
  const errors: FieldError[] = [];
  const fault = (member: string, message: string, expected: string) =>
    errors.push({ path: `${at}/${member}`, message, expected });
  const others = rate_plans.filter((each) => each !== plan && !each.derived_from);
  const expected = `a plan with prices of its own: ${others.map(({ code }) => code).join(", ")}`;
  if (followed === undefined) {
    fault("rate_plan_id", "is not a rate plan of this room type", expected);
  } else if (followed === plan || followed.derived_from) {
    fault("rate_plan_id", "is derived itself", expected);
  } else if (followed.currency !== plan.currency) {
    fault("rate_plan_id", "has another currency", `a plan in ${plan.currency}`);
  }
  return [...errors, ...changeProblems(rule, at)];
}
