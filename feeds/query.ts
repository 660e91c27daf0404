/**
 * Answers a `<Query>` with a `<Transaction>` of current data; each `Result` and `PropertyDataSet`
 * equals that in `ari.xml` at the same position.
 *
 * Partners read absence as "unchanged" and need at least one element, so unavailable data is
 * stated: a stay at an unknown or unlisted property, or beyond the horizon, is an unavailable stay;
 * such a property has no rooms and rates. Only past arrivals are omitted, because Microsoft refuses
 * them.
 */
import { dateOf, todayIn } from "../engine/core/calendar.ts";
import type { PropertyEntry, State } from "../engine/core/state/state.ts";
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
  /** Unique per message. */
  readonly messageId: string;
}

export interface QueryAnswer {
  /** The tenant's last live event included in all of the answer. */
  readonly seq: number;
  /** RFC 3339. */
  readonly at: string;
  /**
   * The document in pieces of at most one result, so that the writer can yield in between. Later
   * pieces may be newer than `at`, never older.
   */
  readonly pieces: Iterator<string, void>;
}

/** Limit of prices per answer, about 35 MB: a hotel may have a thousand rates. */
export const QUERY_PRICES_MAX = 100_000;

/** Number of prices of an answer if everything is available; an unpriced stay counts as one. */
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

/** Looks up the tenant's listed properties by id. */
function listedOf({ state, tenantId }: Asking): (id: string) => PropertyEntry | null {
  const own = state.tenants.get(tenantId)?.properties.live;
  return (id) => {
    const property = own?.get(id);
    return property !== undefined && isListed(property) ? property : null;
  };
}

/** The answer; pieces are made when they are read. */
export function answerTo(query: Query, asking: Asking): QueryAnswer {
  const { state, tenantId, nowMs } = asking;
  const own = state.tenants.get(tenantId);
  const listed = listedOf(asking);
  const found = (ids: readonly string[]) => new Map(ids.map((id) => [id, listed(id)]));
  const [priced, described] = [found(query.priced), found(query.described)];
  // Without any known property the answer must not reveal the tenant's position.
  const isKnown = [...priced.values(), ...described.values()].some((each) => each !== null);
  const position = { seq: isKnown ? own!.seq.live : 0, at: secondsIso(nowMs) };
  const request = {
    priced,
    described,
    stays: query.stays,
    own: own?.properties.live.values() ?? [],
  };
  return { ...position, pieces: piecesOf(request, position, asking) };
}

/** By the requested ids; null for unlisted ones. */
type Found = ReadonlyMap<string, PropertyEntry | null>;

interface Answered extends Pick<Query, "stays"> {
  readonly priced: Found;
  readonly described: Found;
  /** All live properties of the tenant. */
  readonly own: Iterable<PropertyEntry>;
}

/** For unlisted properties: an unavailable amount needs a currency too. */
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

/** The last ones, cached because computing them takes longer than an answer. */
let kept: { readonly firstDay: number; readonly ends: RefundEnds } | null = null;

/** The refund ends as in the tenant's documents of the same instant. */
function refundEndsAt(own: Iterable<PropertyEntry>, nowMs: number): RefundEnds {
  const zones = new Set<string>();
  for (const { tree } of own) zones.add(tree.timezone);
  const firstDay = Math.min(...[...zones].map((zone) => todayIn(zone, nowMs)));
  if (kept?.firstDay !== firstDay) {
    kept = { firstDay, ends: refundEndsFrom(firstDay, DAYS_FROM_EARLIEST) };
  }
  return kept.ends;
}
