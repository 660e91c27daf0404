/**
 * What an engine consists of from the moment when it is the single writer and its state is at the
 * head of the journal.
 */
import { instantIso } from "../../../engine/core/calendar.ts";
import type { Context } from "../../../engine/core/decision.ts";
import type { State } from "../../../engine/core/state/state.ts";
import { ArchivedRowRemover } from "../../../engine/log/archive/archiver.ts";
import { quarantineFamily } from "../../../engine/log/care/quarantine.ts";
import type { EngineClock } from "../../../engine/log/clock.ts";
import type { Journal } from "../../../engine/log/journal.ts";
import type { JournalWriter } from "../../../engine/log/journal-port.ts";
import type { RecordStore } from "../../../engine/log/record-store.ts";
import { Engine } from "../../../engine/writer/engine.ts";
import { signReceipt } from "../../../engine/writer/receipts.ts";
import { InventoryLanes, publishAnswered } from "../../../jobs/lanes/inventory-lanes.ts";
import { PaymentsQueue } from "../../../jobs/payments/queue.ts";
import { PAYMENT_BUDGET_MS } from "../../../jobs/payments/settling.ts";
import { Board } from "../../../jobs/redis/board.ts";
import type { Connections } from "../../../jobs/redis/connections.ts";
import { MessageMacs } from "../../../jobs/redis/message-macs.ts";
import { throttledWarnings } from "../../../jobs/redis/throttled-warnings.ts";
import { type Keychain, receiptKeysOf } from "../../access/privacy/keychain.ts";
import { secretsPath } from "../../access/privacy/secrets.ts";
import { type Config, journalPath } from "../../config.ts";
import { StartRefused } from "../../lib/lifecycle.ts";
import { type Family, memoryFamily, single } from "../../lib/metrics.ts";
import { every, type Log, type Service } from "../../lib/service.ts";
import { recentlyRefused, refusedFamily } from "./refused-messages.ts";

const TICK_EVERY_MS = 250;

/** The journal of an engine, folded to its head. */
export interface Folded {
  /** Where the rows of the engine go. */
  readonly journal: JournalWriter;
  /** The database on this machine: the journal itself, or its copy. */
  readonly copy: Journal;
  readonly records: RecordStore;
  readonly state: State;
  readonly clock: EngineClock;
  /** Folds the journal again. */
  readonly reload: () => State;
}

export interface Surroundings {
  readonly config: Config;
  readonly keychain: Keychain;
  readonly connections: Connections<"producer" | "hot">;
  /** Of the queues of this journal. */
  readonly prefix: string;
  /** Must end the process. */
  readonly onFatal: (error: unknown) => void;
  readonly log: Log;
}

/** Signs the receipts of this installation with its current key. */
function receiptSigner(config: Config, keychain: Keychain): Context["sign"] {
  const keys = receiptKeysOf(keychain.receipts);
  const issuer = config.receiptIssuer;
  return (kind, issuedAtMs, subject) =>
    signReceipt(keys, { kind, issuer, issued_at: instantIso(issuedAtMs), subject });
}

/**
 * With a `secrets.json` from before a rotation, guests of later bookings could not be decrypted,
 * and the next rotation would reuse the lost version's name.
 */
export function refuseOlderKeys({ db }: Journal, keychain: Keychain, dataDir: string): void {
  const last = "SELECT wrapped_key FROM subject_keys ORDER BY booking_id DESC LIMIT 1";
  const found = db.query<{ wrapped_key: string }, []>(last).get()?.wrapped_key ?? "";
  const kid = /^(encryption-v\d+)\./.exec(found)?.[1];
  if (kid === undefined || keychain.encryption.find(kid) !== null) return;
  const path = secretsPath(dataDir);
  throw new StartRefused(`${path} is older than the data: it has no ${kid}; restore a later one`);
}

/** The parts of a serving engine, in the order of their start. */
export function servingParts(folded: Folded, surroundings: Surroundings): Service[] {
  const { journal, copy, records, state, clock, reload } = folded;
  const { config, keychain, connections, prefix, onFatal, log } = surroundings;
  const onError = throttledWarnings(log, "Redis");
  const { producer, hot } = connections;
  const { lanes } = config;
  const macs = new MessageMacs(keychain.quotes, log);
  const payments = new PaymentsQueue(hot, prefix, macs);
  const now = () => clock.now();
  const onRedis = { producer, hot, prefix, macs, now, onError };
  const engine = new Engine({
    ...{ journal, records, state, clock, reload, log, onFatal },
    sign: receiptSigner(config, keychain),
    supplyBytesPerDay: config.supplyMbPerDay * 2 ** 20,
    // After the commit: publishes answers and nudges due payments. A lost message costs only time.
    onCommitted: (group) => {
      if (group.answered.length > 0) publishAnswered(group.answered, onRedis);
      if (group.due.length === 0) return;
      payments.nudge(group.due, clock.now() + PAYMENT_BUDGET_MS).catch(onError);
    },
  });
  const submit = engine.submit.bind(engine);
  const steer = steering(clock, log);
  const report = () => ({
    families: [...familiesOf(engine, copy, clock), refusedFamily(macs)],
    ...recentlyRefused(macs),
    isWritable: engine.isWritable,
    isOnTime: clock.isOnTime,
  });
  return [
    { id: "engine", stop: () => engine.stop() },
    new ArchivedRowRemover({
      journal: copy,
      journalPath: journalPath(config.dataDir),
      onFatal,
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
