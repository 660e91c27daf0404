/** The files of the key figures, opened by processes that refuse to start when one is unusable. */
import { KpiStore } from "../../jobs/kpis/store.ts";
import { TrafficFile } from "../../jobs/kpis/traffic-file.ts";
import { openingFile } from "./damaged-file.ts";

/**
 * Opens `kpi.db`, making it when it is missing.
 *
 * @throws StartRefused when the file has another format, or is no database any more.
 */
export function openKpisFile(path: string): KpiStore {
  // No back-up has it: whoever reads that it is damaged is told what to do instead.
  const named = `${path}, which is made again from the journal once ${path}* is removed,`;
  return openingFile(named, () => new KpiStore(path));
}

/**
 * Opens `traffic.db`, making it when it is missing.
 *
 * @throws StartRefused when the file has another format, or is no database any more.
 */
export function openTrafficFile(path: string): TrafficFile {
  return openingFile(path, () => new TrafficFile(path));
}
