/** `GET /v1/admin/kpis`: key figures from the journal, as of any time. */
import { dateOf, todayIn } from "../../../engine/core/calendar.ts";
import { effectiveCapacity } from "../../../engine/core/state/room-state.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { AS_TABLE } from "../../http/render-table.ts";
import { route } from "../../http/route.ts";
import { type Moment, shownMoment } from "../as-of.ts";
import { propertiesOf } from "../visible.ts";
import { agentsOf, type Figures, figuresOf, pickupOf } from "./figures.ts";
import { KPIS_QUERY, type KpisAsked, kpisAsked } from "./query.ts";
import { KpiRow, Kpis } from "./responses.ts";
import { answeredOf, trafficOf } from "./traffic.ts";

/** The worker recounts about 10,000 rows a second after a loss of the file. */
const COUNTING_RETRY_S = 5;

async function show(call: Call): Promise<Success | Refusal> {
  const asked = await kpisAsked(call);
  if (!asked.ok) return asked;
  const now = sumsAsOf(call, asked, asked.asOf);
  const then = asked.pickupSince && sumsAsOf(call, asked, asked.pickupSince);
  if (now === null || (asked.pickupSince && then === null)) {
    const detail = { upstream: "key_figures" };
    return refuse("upstream_unavailable", detail, { retry_after: COUNTING_RETRY_S });
  }
  const { firstDay, lastDay, granularity, propertyIds: property_ids, isNow } = asked;
  const range = { first: firstDay, last: lastDay };
  const figures = figuresOf(now, range, granularity);
  const before = then && figuresOf(then, range, granularity);
  const withPickup = (each: Figures, nth: number | null) => {
    const earlier = before && (nth === null ? before.total : before.items[nth]!);
    return { ...each, pickup: earlier && pickupOf(each, earlier) };
  };
  const items = figures.items.map(withPickup);
  const data = {
    ...{ from: dateOf(firstDay), to: dateOf(lastDay), granularity, property_ids },
    as_of: shownMoment(asked.asOf),
    pickup_since: asked.pickupSince && shownMoment(asked.pickupSince),
    items,
    total: withPickup(figures.total, null),
    oversell_open: isNow ? oversold(call, asked) : null,
    ...traffic(call, asked, agentsOf(now)),
  };
  return { ok: true, data, rows: items.flatMap(rowsOf) };
}

function sumsAsOf({ context, principal }: Call, asked: KpisAsked, { row }: Moment) {
  const { propertyIds, firstDay, lastDay } = asked;
  return context.kpis.sums({ realm: principal, propertyIds, firstDay, lastDay, row });
}

/** The funnel by agent and the traffic; only for credentials of all properties. */
function traffic(call: Call, asked: KpisAsked, ledger: ReturnType<typeof agentsOf>) {
  const { context, principal } = call;
  if (principal.property_ids !== null) {
    const none = { searches: null, quotes: null };
    const agents = [...ledger].map(([agent_id, counts]) => ({ agent_id, ...none, ...counts }));
    return { agents, traffic: null };
  }
  const { sums, traffic } = trafficOf(context, principal, asked);
  const asking = sums.filter(({ route }) => route === "search" || route === "quote");
  const ids = new Set([...ledger.keys(), ...asking.map(({ agent_id }) => agent_id)]);
  const agents = [...ids].map((agent_id) => ({
    agent_id,
    searches: answeredOf(sums, agent_id, "search"),
    quotes: answeredOf(sums, agent_id, "quote"),
    ...(ledger.get(agent_id) ?? { holds: 0, bookings: 0 }),
  }));
  return { agents, traffic };
}

function oversold(call: Call, asked: KpisAsked): number {
  const ids = new Set(asked.propertyIds);
  const properties = propertiesOf(call).filter(({ tree }) => ids.has(tree.id));
  return oversellOpen(properties, asked, call.context.timeIn(call.principal));
}

const NO_MONEY = {
  ...{ currency: null, rooms_sold: 0, room_revenue: null, adr: null, revpar: null },
  ...{ cancellation_fees: null, no_show_fees: null, early_departure_revenue: null },
  ...{ refunds: null, refunded: null },
};

/** A period as lines of a table: one per currency, at least one. */
function rowsOf({
  by_currency,
  pickup,
  ...figures
}: Figures & { readonly pickup: ReturnType<typeof pickupOf> | null }) {
  const lines = by_currency.length > 0 ? by_currency : [NO_MONEY];
  return lines.map((line) => {
    const picked = pickup?.by_currency.find(({ currency }) => currency === line.currency);
    return {
      ...{ ...figures, ...line },
      pickup_rooms_sold: pickup && (picked?.rooms_sold ?? 0),
      pickup_room_revenue: pickup && (picked?.room_revenue ?? 0),
    };
  });
}

export const kpiRoutes = [
  route({
    id: "admin_get_kpis",
    tag: "Desk",
    method: "GET",
    path: "/v1/admin/kpis",
    summary: "Read key figures",
    description:
      "Rooms, revenue, ADR, RevPAR, bookings and their outcomes, by day, week or month, of one " +
      "property or of all that the caller has access to. `as_of` gives them as of an event or an " +
      "instant, exactly; `pickup_days` the changes since so many days before. Amounts are per " +
      "currency and never added across currencies. The guide on key figures defines each figure. " +
      "As CSV with `format=csv` or `Accept: text/csv`: a line per period and currency.",
    access: { kinds: ["operator"], scope: "admin:kpis", touches: "properties" },
    query: KPIS_QUERY,
    readsReplica: true,
    renderer: "table",
    success: {
      status: 200,
      description: "The figures.",
      data: Kpis,
      rows: KpiRow,
      alternatives: AS_TABLE,
    },
    errors: ["property_not_found", "resource_access_denied", "upstream_unavailable"],
    handle: show,
  }),
];

/** Oversold units of the requested nights from today on, as of now. */
function oversellOpen(
  properties: readonly PropertyEntry[],
  { firstDay, lastDay }: { readonly firstDay: number; readonly lastDay: number },
  nowMs: number,
): number {
  let open = 0;
  for (const { tree, rooms } of properties) {
    const first = Math.max(firstDay, todayIn(tree.timezone, nowMs));
    for (const roomType of tree.room_types) {
      const units = rooms.get(roomType.id)!.units();
      for (const [day, sold] of units.sold.entries()) {
        if (day < first || day > lastDay) continue;
        open += Math.max(0, sold - effectiveCapacity(roomType, units, day));
      }
    }
  }
  return open;
}
