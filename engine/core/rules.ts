/**
 * The restriction rules of the calendar, in one table. A rule has a value on a night of a room type
 * or rate plan, looks at one edge of the stay, and refuses the stay for one reason. The values of a
 * night, their checks, requests, answers, tables, words and partner messages all follow from here.
 *
 * The order is the order of the fields in answers and of the checks at an edge. New rules are
 * appended, because readers of the CSV go by position.
 */

/**
 * What a value means: true closes the edge; a number is the least or the most nights that the stay
 * must have, or days from today at the property to its check-in; a pattern has a letter for each
 * length from one night on, Y for an allowed one, and its last letter stands for every longer stay.
 */
export type RuleKind =
  | "closed"
  | "min_nights"
  | "max_nights"
  | "min_days_ahead"
  | "max_days_ahead"
  | "pattern";

/** The days of the stay whose values count: check-in, every night, check-out. */
export type Edge = "arrival" | "through" | "departure";

interface RestrictionRule {
  readonly kind: RuleKind;
  readonly edge: Edge;
  /** The reason of a refused stay. */
  readonly reason: string;
  /** Describes the field. */
  readonly meaning: string;
  /** Explains a refusal, after the date; `limit` is the value of a rule about nights. */
  readonly words: (limit: number) => string;
}

/** By the name of the field. */
export const RULES = {
  stop_sell: {
    kind: "closed",
    edge: "through",
    reason: "stop_sell",
    meaning: "True if the night is closed for sale.",
    words: () => "is closed",
  },
  cta: {
    kind: "closed",
    edge: "arrival",
    reason: "cta",
    meaning: "Closed to arrival: no stay may begin on the night.",
    words: () => "is closed to arrival",
  },
  ctd: {
    kind: "closed",
    edge: "departure",
    reason: "ctd",
    meaning: "Closed to departure: no stay may end on the day.",
    words: () => "is closed to departure",
  },
  min_los_arrival: {
    kind: "min_nights",
    edge: "arrival",
    reason: "min_los",
    meaning: "The shortest stay that may begin on the night.",
    words: (limit) => `an arrival stays ${limit} nights at least`,
  },
  max_los_arrival: {
    kind: "max_nights",
    edge: "arrival",
    reason: "max_los",
    meaning: "The longest stay that may begin on the night; 0 for no limit.",
    words: (limit) => `an arrival stays ${limit} nights at most`,
  },
  min_stay_through: {
    kind: "min_nights",
    edge: "through",
    reason: "min_stay_through",
    meaning: "The shortest stay that may span the night.",
    words: (limit) => `stays through it have ${limit} nights at least`,
  },
  max_stay_through: {
    kind: "max_nights",
    edge: "through",
    reason: "max_stay_through",
    meaning: "The longest stay that may span the night; 0 for no limit.",
    words: (limit) => `stays through it have ${limit} nights at most`,
  },
  min_advance_days: {
    kind: "min_days_ahead",
    edge: "arrival",
    reason: "min_advance",
    meaning: "Days before an arrival on the night by which a stay must be booked.",
    words: (limit) => `an arrival is booked ${limit} days ahead at least`,
  },
  max_advance_days: {
    kind: "max_days_ahead",
    edge: "arrival",
    reason: "max_advance",
    meaning: "Days before an arrival on the night from which a stay can be booked; 0 for that day.",
    words: (limit) => `an arrival is booked ${limit} days ahead at most`,
  },
  los_pattern: {
    kind: "pattern",
    edge: "arrival",
    reason: "stay_pattern",
    meaning:
      "The lengths of stays that may begin on the night: a letter per number of nights, Y or N; " +
      "the last one applies to longer stays too.",
    words: () => "its pattern has no arrival for this length of stay",
  },
} as const satisfies Readonly<Record<string, RestrictionRule>>;

export type RuleName = keyof typeof RULES;
export type RuleReason = (typeof RULES)[RuleName]["reason"];

type KindOf<N extends RuleName> = (typeof RULES)[N]["kind"];
type ValueOf<N extends RuleName> =
  KindOf<N> extends "closed" ? boolean : KindOf<N> extends "pattern" ? string : number;

/** A value of any rule. */
export type RuleValue = boolean | number | string;

/** The rules of some kinds. */
export type NameOf<K extends RuleKind> = {
  [N in RuleName]: KindOf<N> extends K ? N : never;
}[RuleName];

/** The longest `los_pattern`, in nights. */
export const PATTERN_NIGHTS_MAX = 31;

/** The values of a night; a rule without a value does not apply. */
export type Restriction = { readonly [N in RuleName]?: ValueOf<N> };

/** Values in an update: an omitted one is kept, null removes it. */
export type RestrictionFields = { readonly [N in RuleName]?: ValueOf<N> | null };

/** A rule with its name. */
export interface Rule extends RestrictionRule {
  readonly name: RuleName;
  readonly reason: RuleReason;
}

const LIST: readonly Rule[] = Object.entries(RULES).map(([name, rule]) => {
  return { ...rule, name: name as RuleName };
});

export const RULE_NAMES: readonly RuleName[] = LIST.map(({ name }) => name);
export const RULE_REASONS: readonly RuleReason[] = LIST.map(({ reason }) => reason);

/** The rules that look at an edge. */
export const RULES_AT: Readonly<Record<Edge, readonly Rule[]>> = {
  arrival: LIST.filter(({ edge }) => edge === "arrival"),
  through: LIST.filter(({ edge }) => edge === "through"),
  departure: LIST.filter(({ edge }) => edge === "departure"),
};

/** The parts of a stay that the rules of an edge look at. */
export interface StayLength {
  readonly nights: number;
  /** Days from today at the property to the check-in. */
  readonly daysAhead: number;
}

/** Stays from `least` to `most` nights. */
interface Lengths {
  readonly least: number;
  readonly most: number;
}

const ANY: Lengths = { least: 0, most: Number.POSITIVE_INFINITY };
const NONE: Lengths = { least: Number.POSITIVE_INFINITY, most: 0 };

/** The lengths that the value of a rule allows whenever the stay is booked. */
function surelyAllowedBy(kind: RuleKind, value: RuleValue | undefined): Lengths {
  switch (kind) {
    case "closed":
      return value === true ? NONE : ANY;
    // Channels send 0 for no limit.
    case "min_nights":
      return { ...ANY, least: Number(value ?? 0) };
    case "max_nights":
      return { ...ANY, most: Number(value || ANY.most) };
    default:
      return value === undefined ? ANY : NONE;
  }
}

/** Whether a stay is shorter or longer than allowed. */
export function isOutside({ least, most }: Lengths, nights: number): boolean {
  return nights < least || nights > most;
}

/** Whether a pattern allows a stay of `nights` nights. */
function isInPattern(pattern: string, nights: number): boolean {
  return pattern[Math.min(nights, pattern.length) - 1] === "Y";
}

/** Whether a rule with this value refuses a stay. */
export function refuses({ kind }: Rule, value: RuleValue, stay: StayLength): boolean {
  switch (kind) {
    case "min_days_ahead":
      return stay.daysAhead < Number(value);
    case "max_days_ahead":
      return stay.daysAhead > Number(value);
    case "pattern":
      return !isInPattern(String(value), stay.nights);
    default:
      return isOutside(surelyAllowedBy(kind, value), stay.nights);
  }
}

/** The shortest stay longer than `nights` that a pattern allows; 0 for none. */
export function nextInPattern(pattern: string, nights: number): number {
  for (let longer = nights + 1; longer <= pattern.length; longer += 1) {
    if (isInPattern(pattern, longer)) return longer;
  }
  return 0;
}

/** A night's values, and the lengths that all of them together surely allow at each edge. */
export interface RestrictedNight {
  readonly values: Restriction;
  /** A stay of another length is refused or not by the rules one by one. */
  readonly allowed: Readonly<Record<Edge, Lengths>>;
}

/** A night with these values. */
export function restrictedNight(values: Restriction): RestrictedNight {
  const at = (edge: Edge) => {
    let { least, most } = ANY;
    for (const { name, kind } of RULES_AT[edge]) {
      const allowed = surelyAllowedBy(kind, values[name]);
      least = Math.max(least, allowed.least);
      most = Math.min(most, allowed.most);
    }
    return { least, most };
  };
  const allowed = { arrival: at("arrival"), through: at("through"), departure: at("departure") };
  return { values, allowed };
}

/** Whether what the night refuses depends on the day of the booking. */
export function isTimed({ values }: RestrictedNight): boolean {
  return values.min_advance_days !== undefined || values.max_advance_days !== undefined;
}

const BY_REASON: ReadonlyMap<string, Rule> = new Map(LIST.map((rule) => [rule.reason, rule]));

/** The rule that refuses for this reason; undefined for a reason of other checks. */
export function ruleOf(reason: string): Rule | undefined {
  return BY_REASON.get(reason);
}

/** Each rule with what its kind has. */
export function perRule<T extends Readonly<Record<RuleKind, unknown>>>(
  ofKind: T,
): { [N in RuleName]: T[KindOf<N>] } {
  const entries = LIST.map(({ name, kind }) => [name, ofKind[kind]]);
  return Object.fromEntries(entries) as { [N in RuleName]: T[KindOf<N>] };
}
