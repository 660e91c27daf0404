/** Opens `kpi.db` and `traffic.db`, or refuses the start. */
import { KpiStore } from "../../../jobs/kpis/store.ts";
import { TrafficFile } from "../../../jobs/kpis/traffic-file.ts";
import { openingFile } from "../../lib/damaged-file.ts";

/**
 * Opens or creates `kpi.db`.
 *
 * @throws StartRefused when the file has another format or is damaged.
 */
export function openKpisFile(path: string): KpiStore {
  // Part of the refusal's sentence, which otherwise asks for a back-up.
  const named = `${path} (not in back-ups: remove ${path}* to recreate it)`;
  return openingFile(named, () => new KpiStore(path));
}

/**
 * Opens or creates `traffic.db`.
 *
 * @throws StartRefused when the file has another format or is damaged.
 */
export function openTrafficFile(path: string): TrafficFile {
  return openingFile(path, () => new TrafficFile(path));
}
