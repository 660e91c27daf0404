/** What counts the journal into key figures, and what a worker tells of it. */
import type { Replica } from "../../engine/shell/replica.ts";
import type { Log, Service } from "../../engine/shell/service.ts";
import { kpisOf } from "../../jobs/kpis/kpis.ts";
import { openKpisFile } from "../base/kpis-file.ts";
import { type Family, single } from "../base/metrics.ts";
import { type Config, kpisPath } from "../config.ts";
import { SalesCounter } from "./sales-counter.ts";

/**
 * The parts in the order of their start, and their metrics.
 *
 * @throws StartRefused when `kpi.db` is damaged or of a newer format.
 */
export function kpiParts(
  { dataDir }: Config,
  replica: Replica,
  log: Log,
): { readonly parts: readonly Service[]; readonly families: () => Family[] } {
  const kpis = kpisOf({ store: openKpisFile(kpisPath(dataDir)), replica, log });
  const sales = new SalesCounter(replica);
  const help = "Rows of the journal that key figures do not count yet.";
  return {
    parts: [kpis],
    families: () => [
      ...sales.families(),
      single("innkeep_kpi_lag_rows", "gauge", help, kpis.lagRows()),
    ],
  };
}
