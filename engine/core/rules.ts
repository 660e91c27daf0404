/**
 * The restriction rules of the calendar, in one table. A rule has a value on a night of a room type
 * or rate plan, looks at one edge of the stay, and refuses the stay for one reason. The values of a
 * night, their checks, requests, answers, tables, words and partner messages all follow from here.
 *
 * The order is the order of the fields in answers and of the checks at an edge. New rules are
 * appended, because readers of the CSV go by position.
 */

/**
 * What a value means: true closes the edge; a number of nights is the least or the most that the
 * stay must have.
 */
export type RuleKind = "closed" | "min_nights" | "max_nights";

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
} as const satisfies Readonly<Record<string, RestrictionRule>>;

export type RuleName = keyof typeof RULES;
export type RuleReason = (typeof RULES)[RuleName]["reason"];

type KindOf<N extends RuleName> = (typeof RULES)[N]["kind"];
type ValueOf<N extends RuleName> = KindOf<N> extends "closed" ? boolean : number;

/** The rules about nights. */
export type LimitName = Exclude<RuleName, ClosedName>;

type ClosedName = { [N in RuleName]: KindOf<N> extends "closed" ? N : never }[RuleName];

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

/** Stays from `least` to `most` nights. */
interface Lengths {
  readonly least: number;
  readonly most: number;
}

const ANY: Lengths = { least: 0, most: Number.POSITIVE_INFINITY };
const NONE: Lengths = { least: Number.POSITIVE_INFINITY, most: 0 };

/** The stays that the value of a rule allows. Channels send 0 for no limit. */
function allowedBy(kind: RuleKind, value: boolean | number | undefined): Lengths {
  if (value === 0) return ANY;
  if (typeof value === "number") {
    return kind === "min_nights" ? { ...ANY, least: value } : { ...ANY, most: value };
  }
  return value === true ? NONE : ANY;
}

/** Whether a stay is shorter or longer than allowed. */
export function isOutside({ least, most }: Lengths, nights: number): boolean {
  return nights < least || nights > most;
}

/** Whether a rule with this value refuses a stay of `nights` nights. */
export function refuses({ kind }: Rule, value: boolean | number, nights: number): boolean {
  return isOutside(allowedBy(kind, value), nights);
}

/** A night's values, and the stays that all of them together allow at each edge. */
export interface RestrictedNight {
  readonly values: Restriction;
  readonly allowed: Readonly<Record<Edge, Lengths>>;
}

/** A night with these values. */
export function restrictedNight(values: Restriction): RestrictedNight {
  const at = (edge: Edge) => {
    let { least, most } = ANY;
    for (const { name, kind } of RULES_AT[edge]) {
      const allowed = allowedBy(kind, values[name]);
      least = Math.max(least, allowed.least);
      most = Math.min(most, allowed.most);
    }
    return { least, most };
  };
  const allowed = { arrival: at("arrival"), through: at("through"), departure: at("departure") };
  return { values, allowed };
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
