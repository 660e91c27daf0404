/**
 * The engine process: takes the epoch, folds the journal to its head, takes over the commands of a
 * dead engine, then serves the lanes. In this order, no decision uses an old state.
 */

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Damage } from "../../../engine/core/damage.ts";
import { type Acceptance, acceptOnce } from "../../../engine/log/acceptance.ts";
import { Fenced } from "../../../engine/log/care/damage.ts";
import { rebuildProjections } from "../../../engine/log/care/rebuild.ts";
import { listDamaged } from "../../../engine/log/care/record-check.ts";
import { type ClockStart, EngineClock } from "../../../engine/log/clock.ts";
import { Journal } from "../../../engine/log/journal.ts";
import { projectedHead } from "../../../engine/log/meta.ts";
import { recordStoreOf } from "../../../engine/log/record-store.ts";
import { type Recovered, recover } from "../../../engine/log/recover.ts";
import { SYSTEM_TIME } from "../../../engine/log/system-time.ts";
import { TimeLineFile } from "../../../engine/log/time-line.ts";
import { queuePrefix } from "../../../jobs/lanes/queues.ts";
import { openConnections } from "../../../jobs/redis/connections.ts";
import { Lease, PrefixInUse } from "../../../jobs/redis/lease.ts";
import { throttledWarnings } from "../../../jobs/redis/throttled-warnings.ts";
import { Keychain } from "../../access/privacy/keychain.ts";
import type { Secrets } from "../../access/privacy/secrets.ts";
import { type Config, journalPath } from "../../config.ts";
import { beat } from "../../lib/heartbeat.ts";
import { claimInstallation } from "../../lib/installation.ts";
import { EXIT_FENCED, StartRefused } from "../../lib/lifecycle.ts";
import { logger, logOf } from "../../lib/log.ts";
import { type Log, type Role, roleOf, type Service } from "../../lib/service.ts";
import { openCandidate } from "./candidate.ts";
import { refuseOlderKeys, servingParts } from "./serving.ts";

function openJournal(config: Config): Journal {
  const path = journalPath(config.dataDir);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return new Journal(path, { lanes: config.lanes, erasures: config.erasuresLog });
}

/** Refuses the start when another process serves the prefix. */
function refusingInUse(lease: Lease): Service {
  const start = async () => {
    try {
      await lease.start();
    } catch (error) {
      throw error instanceof PrefixInUse ? new StartRefused(error.message) : error;
    }
  };
  return { id: lease.id, start, stop: () => lease.stop() };
}

function fatal(log: Log): (error: unknown) => never {
  return (error) => {
    log("error", "the engine stops", { error: String(error) });
    process.exit(error instanceof Fenced ? EXIT_FENCED : 1);
  };
}

/** Takes the epoch and folds the journal to its head. */
function openFolded(config: Config, log: Log) {
  const startedMs = performance.now();
  const journal = openJournal(config);
  const path = journalPath(config.dataDir);
  journal.takeEpoch();
  const fold = () => {
    const warn = (message: string) => log("warn", message);
    const { id: journalId, keys } = journal;
    // A later fold, after a full disk, must not look like a hang to the supervisor.
    const base = { path, journalId, tracksExpiry: true, keys, warn };
    return recover(journal.db, { ...base, onProgress: beat });
  };
  const { state, head, replayed, snapshotRow } = foldAccepting(
    journal,
    config.acceptLoss,
    log,
    fold,
  );
  dropLostRecords(journal, log);
  listDamaged(journal.db, state.stamp, log);
  const ms = Math.round(performance.now() - startedMs);
  log("info", "recovered", { row: head.row, replayed, snapshot_row: snapshotRow, ms });
  const timeLine = new TimeLineFile(path);
  const { former, publish } = timeLine;
  const start = { lastStampMs: state.stamp, former, publish };
  const given = config.acceptClock;
  const acceptance = { setting: "ACCEPT_CLOCK", given, journalId: journal.id, head } as const;
  const clock = clockAccepting(start, acceptance, log);
  const records = recordStoreOf(journal);
  return { journal, copy: journal, records, state, timeLine, clock, reload: () => fold().state };
}

/** A clock outside the bounds is accepted only with `ACCEPT_CLOCK`. */
function clockAccepting(start: ClockStart, acceptance: Acceptance, log: Log): EngineClock {
  try {
    return new EngineClock(SYSTEM_TIME, start);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    acceptOnce(error, acceptance);
    log("warn", "clock accepted by ACCEPT_CLOCK", { accepted: error.text });
    return new EngineClock(SYSTEM_TIME, { ...start, isAccepted: true });
  }
}

/** A journal behind its witnesses is folded only with `ACCEPT_LOSS`. */
function foldAccepting(journal: Journal, given: string | null, log: Log, fold: () => Recovered) {
  try {
    return fold();
  } catch (error) {
    if (!(error instanceof Damage) || error.damage !== "journal_behind_witness") throw error;
    const { id: journalId, head } = journal;
    acceptOnce(error, { setting: "ACCEPT_LOSS", given, journalId, head });
    journal.restartAfterLoss(error.text);
    log("warn", "loss of rows accepted by ACCEPT_LOSS", { lost: error.text, former_id: journalId });
    return fold();
  }
}

/** After an accepted loss, rebuilds the records from the remaining rows. */
function dropLostRecords({ db, id }: Journal, log: Log): void {
  const projected = projectedHead(db);
  if (projected === null || projected.journalId === id) return;
  const { rows, records } = rebuildProjections(db, beat);
  log("warn", "records of lost rows removed", { rows, records });
}

/** The installation id; a copied directory gets a new one and a warning. */
function installationFor({ dataDir }: Config, log: Log): string {
  const { installationId, origin } = claimInstallation(dataDir);
  const fields = { installation_id: installationId };
  if (origin === "copy") {
    log("warn", "this directory is a copy: it is now another installation", fields);
  } else if (origin === "new") log("info", "new installation", fields);
  return installationId;
}

/** The single writer of this `DATA_DIR`, or a candidate for that of a shared journal. */
export function open(config: Config, secrets: Secrets): Promise<Role> {
  const log = logOf(logger("engine", config));
  const { databaseUrl } = config;
  if (databaseUrl !== null) return openCandidate({ ...config, databaseUrl }, secrets, log);
  return openAlone(config, secrets, log);
}

async function openAlone(config: Config, secrets: Secrets, log: Log): Promise<Role> {
  const onError = throttledWarnings(log, "Redis");
  const { timeLine, ...folded } = openFolded(config, log);
  const { copy: journal } = folded;
  const keychain = new Keychain(config.dataDir, secrets, log);
  refuseOlderKeys(journal, keychain, config.dataDir);
  const prefix = queuePrefix(installationFor(config, log), journal.id);
  const connections = await openConnections(config.redis, ["producer", "hot"], onError);
  const { producer } = connections;
  const onFatal = fatal(log);
  const onLost = (fence: Fenced) => onFatal(journal.causeOf(fence));
  const lease = new Lease({ producer, prefix, dataDir: config.dataDir, onLost, onError });
  const parts = [
    connections,
    { id: "journal", stop: () => journal.close() },
    // The private Redis has one owner; its append-only file may still have an old lease.
    ...(config.redisIsPrivate ? [] : [refusingInUse(lease)]),
    ...[keychain, timeLine],
    ...servingParts(folded, { config, keychain, connections, prefix, onFatal, log }),
  ];
  return roleOf("engine", parts, log);
}
