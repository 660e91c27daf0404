/** The file of deliveries, opened by a process that refuses to start when it is not usable. */
import type { Database } from "bun:sqlite";
import { openDeliveries } from "../../jobs/webhooks/schema.ts";
import { openingFile } from "./damaged-file.ts";

/**
 * Opens `deliveries.db`, making it when it is missing; `full` for whoever promises something to a
 * client.
 *
 * @throws StartRefused when the file has another format, or is no database any more.
 */
export function openDeliveriesFile(path: string, synchronous: "normal" | "full"): Database {
  return openingFile(path, () => openDeliveries(path, synchronous));
}
