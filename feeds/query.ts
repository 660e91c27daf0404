/**
 * The `<Transaction>` that answers a `<Query>`: what is true now, each `Result` and each
 * `PropertyDataSet` with the bytes that it has in `ari.xml` of the same position.
 *
 * Partners read absence as "unchanged" and want one element at least in a message, so what is asked
 * for and cannot be had is told: a stay at a property that is unknown or not listed, and one beyond
 * what can be booked, is a stay that cannot be sold; such a property has neither rooms nor rates.
 * Arrivals that are past alone are left out, for Microsoft takes none: nothing else makes an answer
 * of a bare root.
 */
import { dateOf, todayIn } from "../engine/core/calendar.ts";
import type { PropertyEntry, State } from "../engine/core/state.ts";
import { DAYS_FROM_EARLIEST } from "./ari-sets.ts";
import { bundlesOf } from "./bundles.ts";
import { isListed } from "./listable.ts";
import { type Position, secondsIso } from "./position.ts";
import type { Profile } from "./profiles/profile.ts";
import { bareDataSet, propertyDataSet } from "./property-data.ts";
import type { Query } from "./query-parser.ts";
import { type RefundEnds, refundEndsFrom } from "./refund.ts";
import { ResultWriter, TRANSACTION_TAIL, transactionOpening } from "./transaction.ts";

/** Of all documents. */
const LANGUAGE = "en";

export interface Asking {
  readonly state: State;
  readonly tenantId: string;
  readonly profile: Profile;
  /** Engine time, epoch milliseconds. */
  readonly nowMs: number;
  /** No other message has it. */
  readonly messageId: string;
}

export interface QueryAnswer {
  /** Number of the tenant's last live event that is in all of it. */
  readonly seq: number;
  /** RFC 3339. */
  readonly at: string;
  /**
   * The document, at most one result each, so that whoever writes it can let others have their
   * turn. What happens meanwhile is in the results that come later: none is older than `at`.
   */
  readonly pieces: Iterator<string, void>;
}

/** Prices of one answer, which then has some 35 MB: a hotel may have a thousand rates. */
export const QUERY_PRICES_MAX = 100_000;

/** How many prices an answer has when everything is free; of a stay that has none, that one. */
export function pricesIn(query: Query, asking: Asking): number {
  const listed = listedOf(asking);
  let plans = 0;
  for (const id of query.priced) plans += Math.max(1, plansOf(listed(id)));
  return plans * query.stays.length;
}

function plansOf(property: PropertyEntry | null): number {
  let plans = 0;
  for (const { rate_plans } of property?.tree.room_types ?? []) plans += rate_plans.length;
  return plans;
}

/** The tenant's listed properties by their ids. */
function listedOf({ state, tenantId }: Asking): (id: string) => PropertyEntry | null {
  const own = state.tenants.get(tenantId)?.properties.live;
  return (id) => {
    const property = own?.get(id);
    return property !== undefined && isListed(property) ? property : null;
  };
}

/** The answer; nothing of it is made before it is read. */
export function answerTo(query: Query, asking: Asking): QueryAnswer {
  const { state, tenantId, nowMs } = asking;
  const own = state.tenants.get(tenantId);
  const listed = listedOf(asking);
  const found = (ids: readonly string[]) => new Map(ids.map((id) => [id, listed(id)]));
  const [priced, described] = [found(query.priced), found(query.described)];
  // Who has nothing that was asked for does not say either that it exists.
  const isKnown = [...priced.values(), ...described.values()].some((each) => each !== null);
  const position = { seq: isKnown ? own!.seq.live : 0, at: secondsIso(nowMs) };
  const told = { priced, described, stays: query.stays, own: own?.properties.live.values() ?? [] };
  return { ...position, pieces: piecesOf(told, position, asking) };
}

/** By the ids that were asked for; null where nothing is listed. */
type Found = ReadonlyMap<string, PropertyEntry | null>;

interface Answered extends Pick<Query, "stays"> {
  readonly priced: Found;
  readonly described: Found;
  /** All live ones of the tenant. */
  readonly own: Iterable<PropertyEntry>;
}

/** Of what is not listed: the formats want a currency for an amount of nothing as well. */
const ANY_CURRENCY = "USD";

function* piecesOf(
  answered: Answered,
  position: Position,
  asking: Asking,
): Generator<string, void> {
  const { profile, nowMs, messageId } = asking;
  yield transactionOpening(position, messageId);
  const described = new Map(answered.described);
  if (!profile.asksPropertyData) {
    for (const [id, property] of answered.priced) if (property) described.set(id, property);
  }
  if (described.size > 0) {
    const of = { language: LANGUAGE, refundEnds: refundEndsAt(answered.own, nowMs) };
    for (const [id, property] of described) {
      yield property ? propertyDataSet(property.tree, of) : bareDataSet(id);
    }
  }
  const writer = new ResultWriter(profile);
  for (const [id, property] of answered.priced) {
    const todayDay = todayIn(property?.tree.timezone ?? "UTC", nowMs);
    const tree = property?.tree ?? { id, default_currency: ANY_CURRENCY };
    for (const { checkInDay, nights } of answered.stays) {
      if (checkInDay < todayDay) continue;
      const itinerary = { checkInDay, nights, agentId: profile.name, todayDay };
      const bundles = property ? bundlesOf(property, itinerary) : [];
      yield writer.result(tree, dateOf(checkInDay), nights, { bundles, hasBundles: true });
    }
  }
  yield TRANSACTION_TAIL;
}

/** The last that were made; working them out takes longer than an answer without them. */
let kept: { readonly firstDay: number; readonly ends: RefundEnds } | null = null;

/** The ends that the tenant's documents of the same instant tell. */
function refundEndsAt(own: Iterable<PropertyEntry>, nowMs: number): RefundEnds {
  const zones = new Set<string>();
  for (const { tree } of own) zones.add(tree.timezone);
  const firstDay = Math.min(...[...zones].map((zone) => todayIn(zone, nowMs)));
  if (kept?.firstDay !== firstDay) {
    kept = { firstDay, ends: refundEndsFrom(firstDay, DAYS_FROM_EARLIEST) };
  }
  return kept.ends;
}
