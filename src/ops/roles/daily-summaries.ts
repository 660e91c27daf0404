/** Daily summaries by mail: key figures of their properties for subscribed operators. */
import { dateOf, dayOf } from "../../../engine/core/calendar.ts";
import type { Replica } from "../../../engine/log/replica.ts";
import type { KpiReader } from "../../../jobs/kpis/reader.ts";
import {
  type SummariesOptions,
  type SummaryReader,
  summariesOf,
} from "../../../jobs/mail/summaries.ts";
import type { SummaryData } from "../../../jobs/mail/summary-letter.ts";
import { type Agent, summaryReaders } from "../../access/control/agents.ts";
import { openControlReader } from "../../access/control/schema.ts";
import { figuresOf } from "../../api/kpis/figures.ts";
import { type Config, controlPath } from "../../config.ts";
import type { Service } from "../../lib/service.ts";

const CATCH_UP_MS = 5;

type Reader = SummaryReader & Pick<Agent, "tenant_id" | "property_ids">;

type Given = Pick<SummariesOptions<Reader>, "rows" | "writer" | "now" | "log"> & {
  readonly replica: Pick<Replica, "state" | "head" | "catchUp">;
  readonly kpis: Pick<KpiReader, "sums">;
};

/** The services in start order; `control.db` must exist. */
export function summaryParts({ dataDir }: Config, given: Given): readonly Service[] {
  const { replica, kpis, ...options } = given;
  const db = openControlReader(controlPath(dataDir));
  const readers = () => {
    return summaryReaders(db).map((agent) => ({ ...agent, ...agent.daily_summary! }));
  };
  const summaries = summariesOf<Reader>({
    ...{ ...options, readers },
    dataOf: (reader, today) => dataOf(reader, today, given),
  });
  return [{ id: "control reader of summaries", stop: () => db.close() }, summaries];
}

/**
 * Figures of the properties that the operator may see; null while the replica or the key figures
 * are behind.
 */
export function dataOf(
  { tenant_id, mode, property_ids }: Pick<Reader, "tenant_id" | "mode" | "property_ids">,
  today: number,
  { replica, kpis }: Pick<Given, "replica" | "kpis">,
): SummaryData | null {
  if (!replica.catchUp(CATCH_UP_MS)) return null;
  const own = replica.state.tenants.get(tenant_id)?.properties[mode].keys() ?? [];
  const propertyIds = [...own].filter((id) => property_ids?.includes(id) ?? true);
  const figures = (first: number, last: number) => {
    const asked = { propertyIds, firstDay: first, lastDay: last, row: replica.head.row };
    const sums = kpis.sums({ realm: { tenant_id, mode }, ...asked });
    return sums && figuresOf(sums, { first, last }, "total").total;
  };
  const day = today - 1;
  const ofDay = figures(day, day);
  const ofMonth = figures(dayOf(`${dateOf(day).slice(0, 7)}-01`), day);
  const ofToday = figures(today, today);
  if (!ofDay || !ofMonth || !ofToday) return null;
  const arrivalsToday = ofToday.arrivals - ofToday.cancelled;
  return { day, properties: propertyIds.length, ofDay, ofMonth, arrivalsToday };
}
