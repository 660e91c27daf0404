/**
 * The property body after an import line: a new property, or an update of the named one. An update
 * sets the line's values and keeps the rest: room types, plans and taxes are matched by `code`,
 * policies by kind and `version`. Nothing is removed; use `PUT` or `PATCH` for that.
 */
import { policyFor } from "../../../engine/core/price/policy.ts";
import type { CancellationKind, PropertyTree, RatePlan } from "../../../engine/core/supply.ts";
import { isMembers, mergePatch } from "./edited-tree.ts";

type Part = Readonly<Record<string, unknown>>;

/** The complete body after a line, and the parts whose terms follow from their kind. */
export interface LineBody {
  readonly body: unknown;
  /** Pointers of the plans whose policy follows from their kind alone. */
  readonly byKind: readonly string[];
}

/** Default policy version, when the property has no policy of the kind. */
const FIRST_VERSION = "1";

/**
 * The body of the property after the line; `before` is the existing tree, or null. Parts with an
 * invalid shape are kept, for the schema to reject.
 */
export function bodyAfter(sent: unknown, before: PropertyTree | null): LineBody {
  if (!isMembers(sent)) return { body: sent, byKind: [] };
  const told = { ...sent, ...each(sent, "policies", (terms) => completeTerms(terms, before)) };
  return withPolicies(before === null ? told : merged(before, told));
}

/** A list of a part with each item changed; empty without such a list. */
function each(part: Part, name: string, change: (item: Part) => Part): Part {
  const list = part[name];
  if (!Array.isArray(list)) return {};
  return { [name]: list.map((item) => (isMembers(item) ? change(item) : item)) };
}

/**
 * A policy with its version, by default the one in force, and with the terms that its kind
 * determines: hours only apply to `free_until_cutoff`, and `non_refundable` refunds nothing. Other
 * fees have no defaults.
 */
function completeTerms(terms: Part, before: PropertyTree | null): Part {
  const { cancellation_kind } = terms;
  const kind = { cancellation_kind: cancellation_kind as CancellationKind };
  const known = before && policyFor(before, kind);
  const version = terms.version ?? known?.version ?? FIRST_VERSION;
  if (known?.version === version) return { ...terms, version };
  return {
    ...(cancellation_kind !== "free_until_cutoff" && { free_cancellation_hours_before_checkin: 0 }),
    ...(cancellation_kind === "non_refundable" && { cancellation_fee_pct_after_cutoff: 100 }),
    ...terms,
    version,
  };
}

function merged(before: PropertyTree, sent: Part): Part {
  const rooms = mergedList(before.room_types, sent.room_types, BY_CODE, (room, told) => ({
    ...(mergePatch(room, told) as Part),
    ...mergedIn("rate_plans", room.rate_plans, told, BY_CODE, mergedPlan),
  }));
  return {
    ...(mergePatch(before, sent) as Part),
    ...("room_types" in sent && { room_types: rooms }),
    ...mergedIn("policies", before.policies, sent, BY_VERSION, mergePatch),
    // A tax of another basis has other members, so it is replaced whole.
    ...mergedIn("tax_rules", before.tax_rules, sent, BY_CODE, (_rule, told) => told),
  };
}

/** A plan follows another in one way: a percentage replaces an amount. */
function mergedPlan(plan: RatePlan, told: Part): Part {
  const { derived_from } = told;
  const isDerived = isMembers(derived_from);
  return { ...(mergePatch(plan, told) as Part), ...(isDerived && { derived_from }) };
}

function mergedIn<T extends object>(
  name: string,
  before: readonly T[],
  sent: Part,
  keysOf: KeysOf,
  merge: (known: T, told: Part) => unknown,
): Part {
  return name in sent ? { [name]: mergedList(before, sent[name], keysOf, merge) } : {};
}

/**
 * Existing items in their order, each merged with its first match; then new ones. Sent items are
 * looked up by key, because a line may have as many as its bytes allow.
 */
function mergedList<T extends object>(
  before: readonly T[],
  sent: unknown,
  keysOf: KeysOf,
  merge: (known: T, told: Part) => unknown,
): unknown {
  if (!Array.isArray(sent)) return sent;
  const unmatched = new Map<string, number[]>();
  for (const [at, item] of sent.entries()) {
    const key = isMembers(item) ? keysOf.sent(item) : null;
    if (key === null) continue;
    const same = unmatched.get(key);
    if (same) same.push(at);
    else unmatched.set(key, [at]);
  }
  const matched = new Set<number>();
  const kept = before.map((known) => {
    const lists = keysOf.known(known as Part).map((key) => unmatched.get(key) ?? []);
    const [first] = lists.filter((list) => list.length > 0).sort(([a], [b]) => a! - b!);
    const at = first?.shift();
    if (at === undefined) return known;
    matched.add(at);
    return merge(known, sent[at]);
  });
  return [...kept, ...sent.filter((_, at) => !matched.has(at))];
}

/** By which keys items of a list are the same: those of an existing one, and that of a sent one. */
interface KeysOf {
  readonly known: (item: Part) => readonly string[];
  readonly sent: (item: Part) => string | null;
}

/** By id; by code without one. */
const BY_CODE: KeysOf = {
  known: ({ id, code }) => [`id ${id}`, `code ${code}`],
  sent({ id, code }) {
    if (id !== undefined) return typeof id === "string" ? `id ${id}` : null;
    return typeof code === "string" ? `code ${code}` : null;
  },
};

const BY_VERSION: KeysOf = {
  known: ({ version, cancellation_kind }) => [`${cancellation_kind} ${version}`],
  sent({ version, cancellation_kind }) {
    const isKnown = typeof version === "string" && typeof cancellation_kind === "string";
    return isKnown ? `${cancellation_kind} ${version}` : null;
  },
};

/** Adds the policy of non-refundable plans if missing: everything is kept from booking on. */
function withPolicies(body: Part): LineBody {
  const { policies = [], room_types = [] } = body;
  const isTold = (kind: string) =>
    !Array.isArray(policies) || policies.some((terms) => terms?.cancellation_kind === kind);
  if (!Array.isArray(room_types) || isTold("non_refundable")) return { body, byKind: [] };
  const byKind = room_types.flatMap((room, i) => {
    const plans: unknown = room?.rate_plans;
    if (!Array.isArray(plans)) return [];
    return plans.flatMap((plan, j) =>
      plan?.cancellation_kind === "non_refundable" ? [`/room_types/${i}/rate_plans/${j}`] : [],
    );
  });
  if (byKind.length === 0) return { body, byKind };
  const terms = completeTerms({ cancellation_kind: "non_refundable", no_show_fee_pct: 100 }, null);
  return { body: { ...body, policies: [...(policies as unknown[]), terms] }, byKind };
}

const KEYED = ["room_types", "rate_plans", "policies", "tax_rules"];

/**
 * Converts a pointer into the complete body to one into the line, whose lists may be shorter and in
 * another order. For parts missing in the line it is the pointer of their list.
 */
export function pointerInLine(pointer: string, body: unknown, sent: unknown): string {
  let [whole, told] = [body, sent];
  let at = "";
  for (const name of pointer.split("/").slice(1)) {
    const list = KEYED.find((keyed) => at.endsWith(`/${keyed}`));
    let place: string | number = name;
    if (list !== undefined && told === undefined) return at;
    if (list !== undefined && Array.isArray(told) && Array.isArray(whole)) {
      place = placeIn(told, whole[Number(name)], list === "policies" ? hasTerms : isSameByCode);
      if (place < 0) return at;
    }
    whole = (whole as Part | undefined)?.[name];
    told = (told as Part | undefined)?.[place];
    at = `${at}/${place}`;
  }
  return at;
}

/** Index in the line of an item of the complete body; -1 if the line lacks it. */
function placeIn(
  told: readonly unknown[],
  item: unknown,
  isSame: (known: Part, told: Part) => boolean,
): number {
  // A new item is the same object as in the line, even if another one has its code.
  const itself = told.indexOf(item);
  if (itself >= 0 || !isMembers(item)) return itself;
  return told.findIndex((each) => isMembers(each) && isSame(item, each));
}

function isSameByCode(known: Part, sent: Part): boolean {
  const key = BY_CODE.sent(sent);
  return key !== null && BY_CODE.known(known).includes(key);
}

/** A line may omit the version of its policy. */
function hasTerms(known: Part, told: Part): boolean {
  const { version = known.version, cancellation_kind } = told;
  return known.version === version && known.cancellation_kind === cancellation_kind;
}
