/**
 * The `<Transaction>` that answers a `<Query>`: what is true now, each `Result` and each
 * `PropertyDataSet` with the bytes that it has in `ari.xml` of the same position. What documents do
 * not have is left out, as the formats want it: properties that are unknown or not listed, and
 * arrivals that are past. One beyond what can be booked is a stay that cannot be sold.
 */
import { dateOf, todayIn } from "../engine/core/calendar.ts";
import type { PropertyEntry, State } from "../engine/core/state.ts";
import { DAYS_FROM_EARLIEST } from "./ari-sets.ts";
import { bundlesOf } from "./bundles.ts";
import { isListed } from "./listable.ts";
import { type Position, secondsIso } from "./position.ts";
import type { Profile } from "./profiles/profile.ts";
import { propertyDataSet } from "./property-data.ts";
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

/** How many prices an answer has when everything is free. */
export function pricesIn(query: Query, { state, tenantId }: Asking): number {
  const own = state.tenants.get(tenantId)?.properties.live;
  let plans = 0;
  for (const id of query.priced) {
    const property = own?.get(id);
    if (property === undefined || !isListed(property)) continue;
    for (const { rate_plans } of property.tree.room_types) plans += rate_plans.length;
  }
  return plans * query.stays.length;
}

/** The answer; nothing of it is made before it is read. */
export function answerTo(query: Query, asking: Asking): QueryAnswer {
  const { state, tenantId, nowMs } = asking;
  const own = state.tenants.get(tenantId);
  const listed = (ids: readonly string[]) => {
    const found = ids.map((id) => own?.properties.live.get(id));
    return found.filter((each) => each !== undefined).filter(isListed);
  };
  const priced = listed(query.priced);
  const described = listed(query.described);
  // Who has nothing that was asked for does not say either that it exists.
  const isKnown = priced.length + described.length > 0;
  const position = { seq: isKnown ? own!.seq.live : 0, at: secondsIso(nowMs) };
  const found = { priced, described, stays: query.stays, own: own?.properties.live.values() ?? [] };
  const pieces = piecesOf(found, position, asking);
  return { ...position, pieces };
}

interface Found extends Pick<Query, "stays"> {
  readonly priced: readonly PropertyEntry[];
  readonly described: readonly PropertyEntry[];
  /** All live ones of the tenant. */
  readonly own: Iterable<PropertyEntry>;
}

function* piecesOf(found: Found, position: Position, asking: Asking): Generator<string, void> {
  const { profile, nowMs, messageId } = asking;
  yield transactionOpening(position, messageId);
  const described = new Set(found.described);
  if (!profile.asksPropertyData) for (const property of found.priced) described.add(property);
  if (described.size > 0) {
    const of = { language: LANGUAGE, refundEnds: refundEndsAt(found.own, nowMs) };
    for (const { tree } of described) yield propertyDataSet(tree, of);
  }
  const writer = new ResultWriter(profile);
  for (const property of found.priced) {
    const todayDay = todayIn(property.tree.timezone, nowMs);
    for (const { checkInDay, nights } of found.stays) {
      if (checkInDay < todayDay) continue;
      const itinerary = { checkInDay, nights, agentId: profile.name, todayDay };
      const told = { bundles: bundlesOf(property, itinerary), hasBundles: true };
      yield writer.result(property.tree, dateOf(checkInDay), nights, told);
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
