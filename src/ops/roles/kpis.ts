/** Key figures: counting from the journal, and metrics. */

import type { Replica } from "../../../engine/log/replica.ts";
import { SYSTEM_TIME } from "../../../engine/log/system-time.ts";
import { kpisOf } from "../../../jobs/kpis/kpis.ts";
import { KpiReader } from "../../../jobs/kpis/reader.ts";
import { KpiStore } from "../../../jobs/kpis/store.ts";
import { TrafficFile } from "../../../jobs/kpis/traffic-file.ts";
import { type Config, kpisPath, trafficPath } from "../../config.ts";
import { type Family, single } from "../../lib/metrics.ts";
import { every, type Log, type Service } from "../../lib/service.ts";
import { SalesCounter } from "./sales-counter.ts";

const TIDY_EVERY_MS = 3_600_000;

/**
 * The services in start order, their metrics, and a reader of the figures.
 *
 * @throws StartRefused when `kpi.db` is damaged or of a newer format.
 */
export function kpiParts(
  { dataDir }: Config,
  replica: Replica,
  log: Log,
): {
  readonly parts: readonly Service[];
  readonly families: () => Family[];
  readonly reader: KpiReader;
} {
  const store = new KpiStore(kpisPath(dataDir));
  const kpis = kpisOf({ store, replica, log });
  const sales = new SalesCounter(replica);
  const help = "Journal rows not yet counted in key figures.";
  return {
    reader: new KpiReader(store, replica),
    parts: [kpis, trafficCare(dataDir, log)],
    families: () => [
      ...sales.families(),
      single("innkeep_kpi_lag_rows", "gauge", help, kpis.lagRows()),
    ],
  };
}

/** Removes old rows of `traffic.db` every hour. */
function trafficCare(dataDir: string, log: Log): Service {
  const file = new TrafficFile(trafficPath(dataDir));
  const timer = every("traffic care", TIDY_EVERY_MS, () => {
    try {
      file.tidy(SYSTEM_TIME.wallMs());
    } catch (error) {
      log("warn", "cannot remove old traffic counts", { error: String(error) });
    }
  });
  const stop = () => {
    timer.stop();
    file.close();
  };
  return { id: timer.id, start: timer.start, drain: timer.drain, stop };
}
