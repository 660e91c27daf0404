/** Opens `deliveries.db`, or refuses the start. */
import type { Database } from "bun:sqlite";
import { openDeliveries } from "../../../jobs/webhooks/store/schema.ts";
import { openingFile } from "../../lib/damaged-file.ts";

/**
 * Opens or creates the file; `full` for a process that acknowledges writes to clients.
 *
 * @throws StartRefused when the file has another format or is damaged.
 */
export function openDeliveriesFile(path: string, synchronous: "normal" | "full"): Database {
  return openingFile(path, () => openDeliveries(path, synchronous));
}
