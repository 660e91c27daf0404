/** The worker's care of the data: snapshots, background checks, archiving, with metrics. */
import { Archiver } from "../../../engine/log/archive/archiver.ts";
import { REMEDIES } from "../../../engine/log/care/damage.ts";
import { Scrubber } from "../../../engine/log/care/scrubber.ts";
import type { Replica } from "../../../engine/log/replica.ts";
import { Snapshotter } from "../../../engine/log/snapshotter.ts";
import { ControlScrubber } from "../../access/control/control-scrubber.ts";
import { openControlStore } from "../../access/control/store.ts";
import type { Secrets } from "../../access/privacy/secrets.ts";
import { type Config, controlPath, journalPath } from "../../config.ts";
import { beat } from "../../lib/heartbeat.ts";
import { type Family, single } from "../../lib/metrics.ts";
import type { Log, Service } from "../../lib/service.ts";

export interface Care {
  readonly parts: readonly Service[];
  families(): Family[];
  /** Names of all known damage. */
  damage(): readonly string[];
}

/**
 * Snapshots, the background check and, unless it is off, archiving of the journal that `replica`
 * follows; `now` is engine time.
 */
export function journalCare(config: Config, replica: Replica, now: () => number, log: Log): Care {
  const of = { journalPath: journalPath(config.dataDir), journalId: replica.journalId, now, log };
  const scrubber = new Scrubber({
    ...of,
    onFound: ({ damage, text: problem }) => {
      log("error", "the journal is damaged", { damage, problem, remedy: REMEDIES[damage] });
    },
  });
  const { archiveAfterDays: afterDays, idempotencyDays: keptDays } = config;
  return {
    parts: [
      new Snapshotter({ ...of, replica, keptDays, onProgress: beat }),
      scrubber,
      ...(afterDays === 0 ? [] : [new Archiver({ ...of, afterDays })]),
    ],
    damage: () => scrubber.found.map(({ damage }) => damage),
    families: () => scrubFamilies(scrubber),
  };
}

function scrubFamilies({ found, pass }: Scrubber): Family[] {
  return [
    single(
      "innkeep_journal_damaged",
      "gauge",
      "Damaged parts of the journal; the log names them.",
      found.length,
    ),
    single(
      "innkeep_scrub_row",
      "gauge",
      "Row that the current check of the journal has reached.",
      pass.place.row,
    ),
    single(
      "innkeep_scrub_ended_timestamp_seconds",
      "gauge",
      "End of the last complete check of the journal; 0 before the first.",
      (pass.endedAtMs ?? pass.formerEndedAtMs) / 1_000,
    ),
  ];
}

/** The background check of `control.db`. */
export function controlCare(config: Config, secrets: Secrets, log: Log): Care {
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
