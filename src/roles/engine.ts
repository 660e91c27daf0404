/**
 * The engine process: take the epoch, fold the journal to its head, take back what a dead engine
 * had in work, then serve the lanes. In that order, so that nothing is decided on an old state.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { instantIso } from "../../engine/core/calendar.ts";
import type { Context } from "../../engine/core/decide/context.ts";
import { EngineClock, SYSTEM_TIME } from "../../engine/shell/clock.ts";
import { Damage, Fenced } from "../../engine/shell/damage.ts";
import { Engine } from "../../engine/shell/engine.ts";
import type { Group } from "../../engine/shell/group.ts";
import { Journal } from "../../engine/shell/journal.ts";
import { checkProjections, countRecords } from "../../engine/shell/rebuild.ts";
import { signReceipt } from "../../engine/shell/receipts.ts";
import { type Recovered, recover } from "../../engine/shell/recover.ts";
import { Board } from "../../jobs/board.ts";
import { connect, whenReady } from "../../jobs/connections.ts";
import { publishSettled, reclaimLanes, startLanes } from "../../jobs/inventory-worker.ts";
import { PaymentsQueue } from "../../jobs/payments/queue.ts";
import { queuePrefix } from "../../jobs/queues.ts";
import type { Config } from "../config.ts";
import { type Logger, logger } from "../log.ts";
import { type Family, memoryFamily, single } from "../metrics.ts";
import { receiptKeysOf, type Secrets } from "../secrets.ts";
import { EXIT_FENCED, type Service, StartRefused } from "../service.ts";

const TICK_EVERY_MS = 250;
const REDIS_READY_MS = 10_000;
/** Up to here the start reads every finished record (5 µs each); a start must stay short. */
const CHECKED_RECORDS_MAX = 200_000;
/** Spec part 8: payment calls share a 10-second request budget. */
const PAYMENT_BUDGET_MS = 10_000;

/** Where the shard's journal lies. */
export function journalPath(dataDir: string): string {
  return join(dataDir, "engine", "0.db");
}

/** The receipts of this installation: fixed issuer, active key. */
export function receiptSigner(config: Config, secrets: Secrets): Context["sign"] {
  const keys = receiptKeysOf(secrets);
  const issuer = config.receiptIssuer;
  return (kind, issuedAtMs, subject) =>
    signReceipt(keys, { kind, issuer, issued_at: instantIso(issuedAtMs), subject });
}

function openJournal(config: Config): Journal {
  mkdirSync(join(config.dataDir, "engine"), { recursive: true, mode: 0o700 });
  return new Journal(journalPath(config.dataDir), { partitions: config.partitions });
}

/** Damage and a clock far behind refuse the start by name; no restart cures them. */
function refusingDamage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Damage) throw new StartRefused(error.message);
    throw error;
  }
}

function fatal(log: Logger): (error: unknown) => never {
  return (error) => {
    log.error("the engine stops", { error: String(error) });
    process.exit(error instanceof Fenced ? EXIT_FENCED : 1);
  };
}

/** Takes the epoch and folds the journal to its head. */
function openFolded(config: Config, log: Logger) {
  const startedMs = performance.now();
  const journal = openJournal(config);
  const path = journalPath(config.dataDir);
  journal.takeEpoch();
  const fold = () => {
    const warn = (message: string) => log.warn(message);
    const { id: journalId, keys } = journal;
    return recover(journal.db, { path, journalId, tracksExpiry: true, keys, warn });
  };
  const { state, head, replayed, snapshotRow } = foldAccepting(journal, config.acceptLoss, fold);
  const records = countRecords(journal.db);
  if (records <= CHECKED_RECORDS_MAX) checkProjections(journal.db);
  else log.info("records are checked as they are read", { records });
  const ms = Math.round(performance.now() - startedMs);
  log.info("recovered", { row: head.row, replayed, snapshot_row: snapshotRow, ms });
  const clock = new EngineClock(SYSTEM_TIME, state.stamp, { acceptBehind: config.acceptClock });
  return { journal, state, clock, reload: () => fold().state };
}

/** A journal behind its witnesses is folded as it is only when the operator gives up the rest. */
function foldAccepting(journal: Journal, isLossAccepted: boolean, fold: () => Recovered) {
  try {
    return fold();
  } catch (error) {
    const isBehind = error instanceof Damage && error.damage === "journal_behind_witness";
    if (!isBehind || !isLossAccepted) throw error;
    journal.startAnew();
    return fold();
  }
}

/** Starts the single writer of this `DATA_DIR`. */
export async function start(config: Config, secrets: Secrets): Promise<Service> {
  const log = logger("engine", config.logLevel);
  const onError = (error: unknown) => log.warn("redis", { error: String(error) });
  const { journal, state, clock, reload } = refusingDamage(() => openFolded(config, log));
  const prefix = queuePrefix(journal.id);
  const producer = connect(config.redis, "producer", onError);
  const blocking = connect(config.redis, "worker", onError);
  await whenReady(producer, REDIS_READY_MS);
  const payments = new PaymentsQueue(producer, prefix, onError);
  const engine = new Engine({
    journal,
    state,
    clock,
    reload,
    sign: receiptSigner(config, secrets),
    onCommitted: (group) => announce(group),
    onFatal: fatal(log),
    log: (level, message, fields) => log[level](message, { ...fields }),
  });

  /** After the commit: who waits is told, what became due is nudged. A loss costs only time. */
  function announce(group: Group): void {
    if (group.settled.length > 0) publishSettled(producer, prefix, group.settled, onError);
    const deadline_ms = Date.now() + PAYMENT_BUDGET_MS;
    for (const work of group.due) {
      const job = work.kind === "payment" ? { ...work, deadline_ms } : work;
      payments.enqueue(job, 0).catch(onError);
    }
  }

  engine.tick();
  const reclaimed = await reclaimLanes(producer, prefix, config.partitions);
  const { partitions } = config;
  const submit = engine.submit.bind(engine);
  const lanes = startLanes({
    ...{ connection: blocking, publisher: producer, prefix, partitions, submit, onError },
  });
  const timer = setInterval(() => engine.tick(), TICK_EVERY_MS);
  const board = new Board(producer, prefix);
  board.post("engine", () => ({
    families: familiesOf(engine, journal, clock),
    isWritable: engine.isWritable,
  }));
  log.info("serving", { reclaimed });
  return {
    id: "engine",
    async stop() {
      clearInterval(timer);
      board.close();
      await lanes.stop();
      engine.stop();
      await payments.close().catch(onError);
      producer.disconnect();
      blocking.disconnect();
      journal.close();
    },
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
    memoryFamily(),
  ];
}
