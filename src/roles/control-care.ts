/** What the worker does for `control.db`, and how it tells an operator what it finds there. */
import type { Log, Service } from "../../engine/shell/service.ts";
import { type Family, single } from "../base/metrics.ts";
import { type Config, controlPath } from "../config.ts";
import { ControlScrubber } from "../control/control-scrubber.ts";
import { openControlStore } from "../control/store.ts";
import type { Secrets } from "../privacy/secrets.ts";

export interface ControlCare {
  readonly parts: readonly Service[];
  families(): Family[];
  /** The names of all damage that is known of. */
  damage(): readonly string[];
}

/** Reads `control.db` of this `DATA_DIR` through, again and again. */
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
        "Rows of control.db that are not what was written; the log names them.",
        scrubber.findings.rows.length + (scrubber.findings.file === null ? 0 : 1),
      ),
      single(
        "innkeep_control_scrub_ended_timestamp_seconds",
        "gauge",
        "When all of control.db was read last; 0 before the first time.",
        scrubber.endedAtMs / 1_000,
      ),
    ],
  };
}
