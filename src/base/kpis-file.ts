/** The file of the key figures, opened by a process that refuses to start when it is not usable. */
import { KpiStore } from "../../jobs/kpis/store.ts";
import { openingFile } from "./damaged-file.ts";

/**
 * Opens `kpi.db`, making it when it is missing.
 *
 * @throws StartRefused when the file was written in a newer format, or is no database any more.
 */
export function openKpisFile(path: string): KpiStore {
  // No back-up has it: whoever reads that it is damaged is told what to do instead.
  const named = `${path}, which is made again from the journal once ${path}* is removed,`;
  return openingFile(named, () => new KpiStore(path));
}
