/** Free space on the disk of `DATA_DIR`, with a warning when it is low. */
import { statfsSync } from "node:fs";
import { type Family, single } from "./metrics.ts";
import { every, type Log, type Service } from "./service.ts";

/** Below this the journal may fill the disk within the hour: doctor, `/readyz` and the log warn. */
export const SHORT_MIB = 512;

/** Free MiB of the disk that holds `path`. */
export function freeMib(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return (bavail * bsize) / 2 ** 20;
}

/** The free bytes as a gauge. */
export function diskFamily(path: string): Family {
  const help = "Free bytes on the disk of DATA_DIR; a full disk stops all writes.";
  return single("innkeep_disk_free_bytes", "gauge", help, Math.floor(freeMib(path) * 2 ** 20));
}

const CHECK_EVERY_MS = 60_000;
/** Checks between two warnings. */
const CHECKS_QUIET = 60;

/** Logs a warning while the disk is almost full, at once and then hourly. */
export function diskRoomWatch(path: string, log: Log): Service {
  let quiet = 0;
  return every("disk room", CHECK_EVERY_MS, () => {
    const free_mib = Math.floor(freeMib(path));
    if (free_mib >= SHORT_MIB) quiet = 0;
    else if (quiet > 0) quiet -= 1;
    else {
      quiet = CHECKS_QUIET;
      log("warn", "the disk of DATA_DIR is almost full: free some space", { path, free_mib });
    }
  });
}
