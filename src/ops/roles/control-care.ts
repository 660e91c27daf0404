/** The worker's background check of `control.db`, with its metrics. */

import { ControlScrubber } from "../../access/control/control-scrubber.ts";
import { openControlStore } from "../../access/control/store.ts";
import type { Secrets } from "../../access/privacy/secrets.ts";
import { type Config, controlPath } from "../../config.ts";
import { type Family, single } from "../../lib/metrics.ts";
import type { Log, Service } from "../../lib/service.ts";

export interface ControlCare {
  readonly parts: readonly Service[];
  families(): Family[];
  /** Names of all known damage. */
  damage(): readonly string[];
}

/** Checks all of `control.db` periodically. */
export function controlCare(config: Config, secrets: Secrets, log: Log): ControlCare {
  const store = openControlStore(controlPath(config.dataDir), secrets.credential_pepper);
  const scrubber = new ControlScrubber(store, log);
  return {
    parts: [{ id: "control file", stop: () => store.close() }, scrubber],
    damage: () => scrubber.damage,
    families: () => [
      single(
        "innkeep_control_damaged",
        "gauge",
        "Damaged rows of control.db; the log names them.",
        scrubber.findings.rows.length + (scrubber.findings.file === null ? 0 : 1),
      ),
      single(
        "innkeep_control_scrub_ended_timestamp_seconds",
        "gauge",
        "End of the last complete check of control.db; 0 before the first.",
        scrubber.endedAtMs / 1_000,
      ),
    ],
  };
}
