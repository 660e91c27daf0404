/** The worker's care of the journal: snapshots, background check, archiving, with metrics. */

import { Archiver } from "../../../engine/log/archive/archiver.ts";
import type { DamageName } from "../../../engine/log/care/damage.ts";
import { Scrubber } from "../../../engine/log/care/scrubber.ts";
import type { Replica } from "../../../engine/log/replica.ts";
import { Snapshotter } from "../../../engine/log/snapshotter.ts";
import { type Config, journalPath } from "../../config.ts";
import { beat } from "../../lib/heartbeat.ts";
import { type Family, single } from "../../lib/metrics.ts";
import type { Log, Service } from "../../lib/service.ts";
import { REMEDIES } from "./remedies.ts";

export interface JournalCare {
  /** Snapshotter, scrubber, and the archiver unless it is off. */
  readonly parts: readonly Service[];
  families(): Family[];
  /** Names of all known damage. */
  damage(): readonly DamageName[];
}

/** Looks after the journal that `replica` follows; `now` is engine time. */
export function journalCare(
  config: Config,
  replica: Replica,
  now: () => number,
  log: Log,
): JournalCare {
  const path = journalPath(config.dataDir);
  const { journalId } = replica;
  const of = { journalPath: path, journalId, now, log };
  const scrubber = new Scrubber({
    ...of,
    onFound: ({ damage, text: problem }) => {
      log("error", "the journal is damaged", { damage, problem, remedy: REMEDIES[damage] });
    },
  });
  const { archiveAfterDays: afterDays, idempotencyDays: keptDays } = config;
  const snapshotter = new Snapshotter({
    ...{ replica, journalPath: path, now, keptDays, onProgress: beat, log },
  });
  return {
    parts: [
      snapshotter,
      scrubber,
      ...(afterDays === 0 ? [] : [new Archiver({ ...of, afterDays })]),
    ],
    families: () => familiesOf(scrubber),
    damage: () => scrubber.found.map(({ damage }) => damage),
  };
}

function familiesOf({ found, pass }: Scrubber): Family[] {
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
