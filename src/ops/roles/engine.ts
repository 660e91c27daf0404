/**
 * The engine process: takes the epoch, folds the journal to its head, takes over the commands of a
 * dead engine, then serves the lanes. In this order, no decision uses an old state.
 */

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { instantIso } from "../../../engine/core/calendar.ts";
import { Damage } from "../../../engine/core/damage.ts";
import type { Context } from "../../../engine/core/decision.ts";
import { type Acceptance, acceptOnce } from "../../../engine/log/acceptance.ts";
import { ArchivedRowRemover } from "../../../engine/log/archive/archiver.ts";
import { Fenced } from "../../../engine/log/care/damage.ts";
import { quarantineFamily } from "../../../engine/log/care/quarantine.ts";
import { rebuildProjections } from "../../../engine/log/care/rebuild.ts";
import { listDamaged } from "../../../engine/log/care/record-check.ts";
import { type ClockStart, EngineClock } from "../../../engine/log/clock.ts";
import { Journal } from "../../../engine/log/journal.ts";
import { projectedHead } from "../../../engine/log/meta.ts";
import { recordStoreOf } from "../../../engine/log/record-store.ts";
import { type Recovered, recover } from "../../../engine/log/recover.ts";
import { SYSTEM_TIME } from "../../../engine/log/system-time.ts";
import { TimeLineFile } from "../../../engine/log/time-line.ts";
import { Engine } from "../../../engine/writer/engine.ts";
import { signReceipt } from "../../../engine/writer/receipts.ts";
import { InventoryLanes, publishAnswered } from "../../../jobs/lanes/inventory-lanes.ts";
import { queuePrefix } from "../../../jobs/lanes/queues.ts";
import { PaymentsQueue } from "../../../jobs/payments/queue.ts";
import { PAYMENT_BUDGET_MS } from "../../../jobs/payments/settling.ts";
import { Board } from "../../../jobs/redis/board.ts";
import { openConnections } from "../../../jobs/redis/connections.ts";
import { Lease, PrefixInUse } from "../../../jobs/redis/lease.ts";
import { MessageMacs } from "../../../jobs/redis/message-macs.ts";
import { throttledWarnings } from "../../../jobs/redis/throttled-warnings.ts";
import { Keychain, receiptKeysOf } from "../../access/privacy/keychain.ts";
import { type Secrets, secretsPath } from "../../access/privacy/secrets.ts";
import { type Config, journalPath } from "../../config.ts";
import { beat } from "../../lib/heartbeat.ts";
import { claimInstallation } from "../../lib/installation.ts";
import { EXIT_FENCED, StartRefused } from "../../lib/lifecycle.ts";
import { logger, logOf } from "../../lib/log.ts";
import { type Family, memoryFamily, single } from "../../lib/metrics.ts";
import { every, type Log, type Role, roleOf, type Service } from "../../lib/service.ts";
import { recentlyRefused, refusedFamily } from "./refused-messages.ts";

const TICK_EVERY_MS = 250;

/** Signs the receipts of this installation with its current key. */
function receiptSigner(config: Config, keychain: Keychain): Context["sign"] {
  const keys = receiptKeysOf(keychain.receipts);
  const issuer = config.receiptIssuer;
  return (kind, issuedAtMs, subject) =>
    signReceipt(keys, { kind, issuer, issued_at: instantIso(issuedAtMs), subject });
}

function openJournal(config: Config): Journal {
  const path = journalPath(config.dataDir);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return new Journal(path, { lanes: config.lanes, erasures: config.erasuresLog });
}

/**
 * With a `secrets.json` from before a rotation, guests of later bookings could not be decrypted,
 * and the next rotation would reuse the lost version's name.
 */
function refuseOlderKeys({ db }: Journal, keychain: Keychain, dataDir: string): void {
  const last = "SELECT wrapped_key FROM subject_keys ORDER BY booking_id DESC LIMIT 1";
  const found = db.query<{ wrapped_key: string }, []>(last).get()?.wrapped_key ?? "";
  const kid = /^(encryption-v\d+)\./.exec(found)?.[1];
  if (kid === undefined || keychain.encryption.find(kid) !== null) return;
  const path = secretsPath(dataDir);
  throw new StartRefused(`${path} is older than the data: it has no ${kid}; restore a later one`);
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
  return { journal, state, timeLine, clock, reload: () => fold().state };
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

/** The single writer of this `DATA_DIR`, to be started. */
export async function open(config: Config, secrets: Secrets): Promise<Role> {
  const log = logOf(logger("engine", config));
  const onError = throttledWarnings(log, "Redis");
  const { journal, state, timeLine, clock, reload } = openFolded(config, log);
  const { lanes } = config;
  const keychain = new Keychain(config.dataDir, secrets, log);
  refuseOlderKeys(journal, keychain, config.dataDir);
  const installationId = installationFor(config, log);
  const prefix = queuePrefix(installationId, journal.id);
  const connections = await openConnections(config.redis, ["producer", "hot"], onError);
  const { producer, hot } = connections;
  const macs = new MessageMacs(keychain.quotes, log);
  const payments = new PaymentsQueue(hot, prefix, macs);
  const now = () => clock.now();
  const onRedis = { producer, hot, prefix, macs, now, onError };
  const engine = new Engine({
    ...{ journal, records: recordStoreOf(journal), state, clock, reload, log },
    sign: receiptSigner(config, keychain),
    supplyBytesPerDay: config.supplyMbPerDay * 2 ** 20,
    // After the commit: publishes answers and nudges due payments. A lost message costs only time.
    onCommitted: (group) => {
      if (group.answered.length > 0) publishAnswered(group.answered, onRedis);
      if (group.due.length === 0) return;
      payments.nudge(group.due, clock.now() + PAYMENT_BUDGET_MS).catch(onError);
    },
    onFatal: fatal(log),
  });
  const submit = engine.submit.bind(engine);
  const steer = steering(clock, log);
  const report = () => ({
    families: [...familiesOf(engine, journal, clock), refusedFamily(macs)],
    ...recentlyRefused(macs),
    isWritable: engine.isWritable,
    isOnTime: clock.isOnTime,
  });
  const onLost = (fence: Fenced) => fatal(log)(journal.causeOf(fence));
  const lease = new Lease({ producer, prefix, dataDir: config.dataDir, onLost, onError });
  const parts = [
    connections,
    { id: "journal", stop: () => journal.close() },
    // The private Redis has one owner; its append-only file may still have an old lease.
    ...(config.redisIsPrivate ? [] : [refusingInUse(lease)]),
    ...[keychain, timeLine],
    { id: "engine", stop: () => engine.stop() },
    new ArchivedRowRemover({
      journal,
      journalPath: journalPath(config.dataDir),
      onFatal: fatal(log),
      log,
    }),
    // Before the lanes: due work from before the start precedes any command.
    every("tick", TICK_EVERY_MS, () => {
      steer();
      engine.tick();
    }),
    new InventoryLanes({ ...onRedis, lanes, submit, log }),
    new Board(producer, prefix, macs).poster("engine", report),
  ];
  return roleOf("engine", parts, log);
}

/** Steers the clock, and logs when it goes off time and when it is on time again. */
function steering(clock: EngineClock, log: Log): () => void {
  let wasOnTime = true;
  return () => {
    clock.steer();
    const { isOnTime } = clock;
    if (isOnTime === wasOnTime) return;
    wasOnTime = isOnTime;
    const fields = { drift_ms: Math.round(clock.driftMs()) };
    if (isOnTime) log("info", "the wall clock agrees with engine time again", fields);
    else log("warn", "the wall clock differs from engine time", fields);
  };
}

function familiesOf(engine: Engine, journal: Journal, clock: EngineClock): Family[] {
  const { groups, commands, rows, commitMs, largestGroup } = engine.stats;
  return [
    single("innkeep_engine_groups_total", "counter", "Committed groups.", groups),
    single("innkeep_engine_commands_total", "counter", "Answered commands.", commands),
    single("innkeep_engine_rows_total", "counter", "Journal rows written.", rows),
    single("innkeep_engine_commit_seconds_total", "counter", "Time in commits.", commitMs / 1000),
    single("innkeep_engine_largest_group", "gauge", "Most commands in a group.", largestGroup),
    single("innkeep_engine_queue_depth", "gauge", "Commands waiting for a group.", engine.queued),
    single("innkeep_engine_row", "gauge", "Last journal row.", journal.head.row),
    single("innkeep_engine_wal_bytes", "gauge", "WAL not yet folded back.", journal.walBytes()),
    single("innkeep_engine_open_holds", "gauge", "Open holds.", engine.state.holds.size),
    single(
      "innkeep_engine_clock_drift_seconds",
      "gauge",
      "Wall minus engine clock.",
      clock.driftMs() / 1000,
    ),
    quarantineFamily(journal.db),
    memoryFamily(),
  ];
}
