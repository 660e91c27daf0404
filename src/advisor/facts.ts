/** Published facts of a hotel, as `name: value`. */
import { exponentOf } from "../../engine/core/price/money.ts";
import { policyFor } from "../../engine/core/price/policy.ts";
import type {
  Address,
  MealPlan,
  PolicyTerms,
  PropertyTree,
  RoomType,
} from "../../engine/core/supply.ts";
import { decimalOf } from "../../feeds/amounts.ts";

/** `212.00 EUR`, `17000 JPY`. */
export function moneyFact(amountMinor: number, currency: string): string {
  const decimal = decimalOf(amountMinor, currency);
  return `${exponentOf(currency) === 0 ? amountMinor : decimal} ${currency}`;
}

/** An address in one line. */
export function addressText({ line1, line2, city, region, country, postal_code }: Address): string {
  const town = [postal_code, city].filter(Boolean).join(" ");
  return [line1, line2, town, region === city ? undefined : region, country]
    .filter(Boolean)
    .join(", ");
}

const listed = (values: readonly string[]) => (values.length === 0 ? "none" : values.join(", "));

/** A fact of the property; `null` for unknown values. */
export function fact(name: string, value: string | number | boolean | null): string {
  return `${name}: ${value}`;
}

/** All amenities that the hotel lists. */
export function amenitiesFact({ amenities }: PropertyTree): string {
  return fact("amenities", listed(amenities));
}

/** The amenities of a room type. */
export function roomAmenitiesFact({ name, amenities }: RoomType): string {
  return fact(`${name}, amenities`, listed(amenities));
}

/** A fact of a room type. */
export function roomFact(
  { name }: RoomType,
  member: string,
  value: string | number | boolean | null,
) {
  return fact(`${name}, ${member}`, value);
}

/** Names of the rate plans with a property, without duplicates. */
export function planNames(
  { room_types }: PropertyTree,
  has: (plan: RoomType["rate_plans"][number]) => boolean,
): string[] {
  const plans = room_types.flatMap(({ rate_plans }) => rate_plans.filter(has));
  return [...new Set(plans.map(({ name }) => name))];
}

/** The rate plans that include a meal. */
export function mealFact(meal: MealPlan, plans: readonly string[]): string {
  return fact(`rate_plans, ${meal}`, listed(plans));
}

/** The terms of plans on sale, each kind in its newest version. */
export function termsInUse(tree: PropertyTree): PolicyTerms[] {
  const kinds = tree.room_types.flatMap(({ rate_plans }) => rate_plans);
  const terms = new Set(kinds.map((plan) => policyFor(tree, plan)));
  return [...terms].filter((each) => each !== null);
}

/** Cancellation terms of a kind. */
export function termsFact(terms: PolicyTerms): string {
  const { cancellation_kind: kind } = terms;
  const hours = terms.free_cancellation_hours_before_checkin;
  const pct = terms.cancellation_fee_pct_after_cutoff;
  if (kind === "non_refundable") return fact(`policies, ${kind}`, "100 %");
  const late =
    kind === "free_until_cutoff"
      ? `free until ${hours} h before check-in, then ${pct} %`
      : `${pct} % from booking`;
  const noShow = terms.no_show_fee_pct;
  return fact(`policies, ${kind}`, noShow === pct ? late : `${late}, ${noShow} % from check-in`);
}

/** Texts about children in the current terms. */
export function childTexts(tree: PropertyTree): string[] {
  const texts = termsInUse(tree).map(({ child_policy_text }) => child_policy_text);
  return [...new Set(texts)].filter((text) => text !== null);
}

/** A tax or fee, with the place of payment. */
export function taxFact(tree: PropertyTree, rule: PropertyTree["tax_rules"][number]): string {
  const { name, basis, rate_bps, amount, included_in_rate, collect, min_age, max_nights } = rule;
  const value =
    amount === undefined ? `${(rate_bps ?? 0) / 100} %` : moneyFact(amount, currencyOf(tree));
  const terms = [
    `${value} ${basis}`,
    included_in_rate ? "included in rate" : "added to rate",
    collect,
    ...(min_age === undefined ? [] : [`from age ${min_age}`]),
    ...(max_nights === undefined ? [] : [`${max_nights} nights at most`]),
  ];
  return fact(`tax_rules, ${name}`, terms.join(", "));
}

/** Currency of tax rule amounts: that of the plans. */
export function currencyOf({ room_types, default_currency }: PropertyTree): string {
  return room_types[0]?.rate_plans[0]?.currency ?? default_currency;
}
/** All published facts, as input for a model. */
export function allFacts(tree: PropertyTree): string[] {
  const plain = [
    ...(["name", "description", "star_rating", "phone", "timezone", "default_currency"] as const),
    ...(["pets_allowed", "number_of_rooms", "checkin_time", "checkout_time"] as const),
  ] as const;
  const meals = new Set(
    tree.room_types.flatMap(({ rate_plans }) => rate_plans.map(({ meal_plan }) => meal_plan)),
  );
  return [
    ...plain.map((name) => fact(name, tree[name])),
    fact("address", addressText(tree.address)),
    amenitiesFact(tree),
    ...tree.room_types.flatMap((room) => [
      ...(["bed_type", "floor_size_sqm", "max_occupancy", "smoking_allowed"] as const).map((name) =>
        roomFact(room, name, room[name]),
      ),
      roomAmenitiesFact(room),
    ]),
    ...[...meals].map((meal) =>
      mealFact(
        meal,
        planNames(tree, ({ meal_plan }) => meal_plan === meal),
      ),
    ),
    ...termsInUse(tree).map((terms) => {
      const { cancellation_kind } = terms;
      const plans = planNames(tree, (plan) => plan.cancellation_kind === cancellation_kind);
      return `${termsFact(terms)} (${listed(plans)})`;
    }),
    ...childTexts(tree).map((text) => fact("child_policy_text", text)),
    ...tree.tax_rules.map((rule) => taxFact(tree, rule)),
  ];
}
