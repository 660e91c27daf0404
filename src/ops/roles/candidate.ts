/**
 * The engine process with `STORE=postgres`: it keeps this machine's copy of the journal at its head
 * and takes the lead when nobody has it. Then it is the single writer, as `engine.ts` is of one
 * machine, until it ends: a former leader starts as a candidate again.
 */
import { createHash } from "node:crypto";
import { Damage } from "../../../engine/core/damage.ts";
import { EngineClock } from "../../../engine/log/clock.ts";
import { BEGINNING } from "../../../engine/log/head.ts";
import { newJournalId } from "../../../engine/log/meta.ts";
import { JOURNAL_FORMAT } from "../../../engine/log/schema.ts";
import { SYSTEM_TIME } from "../../../engine/log/system-time.ts";
import { TimeLineFile } from "../../../engine/log/time-line.ts";
import { Candidacy } from "../../../engine/postgres/candidacy.ts";
import { type Copy, makeAnew, openCopy, refuseOwnJournal } from "../../../engine/postgres/copy.ts";
import { Mirror } from "../../../engine/postgres/mirror.ts";
import { PostgresJournal, TAKEOVER_MS } from "../../../engine/postgres/postgres-journal.ts";
import { NoPrimary, Session } from "../../../engine/postgres/session.ts";
import {
  type Identity,
  SharedJournal,
  type Taken,
} from "../../../engine/postgres/shared-journal.ts";
import { ensureTables } from "../../../engine/postgres/tables.ts";
import { Watch } from "../../../engine/postgres/watch.ts";
import { queuePrefix } from "../../../jobs/lanes/queues.ts";
import { Board, MIRROR_ROLE, THIS_HOST } from "../../../jobs/redis/board.ts";
import { openConnections } from "../../../jobs/redis/connections.ts";
import { MessageMacs } from "../../../jobs/redis/message-macs.ts";
import { throttledWarnings } from "../../../jobs/redis/throttled-warnings.ts";
import { Keychain } from "../../access/privacy/keychain.ts";
import type { Secrets } from "../../access/privacy/secrets.ts";
import { type Config, journalPath } from "../../config.ts";
import { beat } from "../../lib/heartbeat.ts";
import {
  idOfInstallation,
  joinInstallation,
  refuseOtherInstallation,
} from "../../lib/installation.ts";
import { StartFailed, StartRefused } from "../../lib/lifecycle.ts";
import { type Family, single } from "../../lib/metrics.ts";
import { every, Later, type Log, type Role, roleOf } from "../../lib/service.ts";
import { randomHex } from "../../lib/trace.ts";
import { CopyCare } from "./copy-care.ts";
import { homeParts } from "./home.ts";
import { refuseOlderKeys, servingParts } from "./serving.ts";

const SHARD = 0;
const CONNECT_AGAIN_MS = 200;
const STEER_EVERY_MS = 250;

type PostgresConfig = Config & { readonly databaseUrl: string };

/** This machine's part in the installation of the journal, to be started. */
export async function openCandidate(
  config: PostgresConfig,
  secrets: Secrets,
  log: Log,
): Promise<Role> {
  const onFatal = ending(log);
  const { dataDir, idempotencyDays: keptDays } = config;
  const path = journalPath(dataDir);
  const [session, watched] = await openSessions(config, log);
  await ensureTables(session);
  const shared = new SharedJournal(session, SHARD);
  const identity = await identityFor(shared, config, secrets);
  const copy = openCopyOf(identity, config, log);
  // Not before: a directory of one machine alone, which is refused, must stay one.
  const machine = joinInstallation(dataDir, identity.installationId);
  const keychain = new Keychain(dataDir, secrets, log);
  refuseOlderKeys(copy.journal, keychain, dataDir);
  const prefix = queuePrefix(identity.installationId, identity.journalId);
  const onRedisError = throttledWarnings(log, "Redis");
  const connections = await openConnections(config.redis, ["producer", "hot"], onRedisError);
  const time = timeOfMachine(copy, path, log);
  const leading = new Later("leading");
  const ofCopy = { journalPath: path, journalId: identity.journalId, keptDays, now: time.now };
  const care = new CopyCare(copy, { ...ofCopy, onProgress: beat, log });
  const lead = async (taken: Taken) => {
    // They would make clients wait.
    await care.stop();
    await orAnew(mirror.reach(taken.head));
    const journal = new PostgresJournal({ shared, copy: copy.journal, taken, onFatal });
    const folded = { ...copy, copy: copy.journal, journal, clock: time.forLeader() };
    const surroundings = { config, keychain, connections, prefix, onFatal, log };
    log("info", "leads", { epoch: taken.epoch, row: taken.head.row });
    await leading.begin(roleOf("leader", [journal, ...servingParts(folded, surroundings)], log));
  };
  const mirror = new Mirror({
    shared,
    copy: copy.journal,
    records: copy.records,
    state: copy.state,
  });
  const me = `${THIS_HOST} ${machine}`;
  const macs = new MessageMacs(keychain.quotes, log);
  const board = new Board(connections.producer, prefix, macs);
  /** Rows that do not continue the copy say that it is not one any more. */
  const orAnew = (work: Promise<void>) =>
    work.catch((error) => {
      if (error instanceof Damage) makeAnew(path);
      throw error;
    });
  const parts = [
    { id: "session", stop: () => session.close() },
    { id: "watched session", stop: () => watched.close() },
    connections,
    { id: "copy", stop: () => copy.journal.close() },
    ...[keychain, time],
    new Watch(watched, onFatal, session),
    board.poster(MIRROR_ROLE, () => ({ families: familiesOf(copy, leading) })),
    // Stops after the candidacy, which may be taking the lead.
    leading,
    new Candidacy({
      ...{ id: "candidacy", lease: shared, me, silentMs: TAKEOVER_MS },
      follow: () => orAnew(mirror.catchUp()),
      ...{ mayTake: time.isCredible, onTaken: lead, onFatal },
    }),
    ...(await homeParts({ node: session.node, dataDir, me, whileAway: care, onFatal, log })),
  ];
  return roleOf("engine", parts, log);
}

function familiesOf({ journal }: Copy, leading: Later): Family[] {
  const { row } = journal.head;
  const leads = leading.hasBegun ? 1 : 0;
  return [
    single("innkeep_copy_row", "gauge", "Last row of the machine's copy of the journal.", row),
    single("innkeep_leads", "gauge", "1 on the machine whose engine writes the journal.", leads),
  ];
}

/** A fenced leader, or one in doubt, starts again as a candidate. */
function ending(log: Log): (error: unknown) => never {
  return (error) => {
    log("error", "the engine stops", { error: String(error) });
    process.exit(1);
  };
}

/** A connection for the journal and one to watch; waits for a node that takes writes. */
async function openSessions({ databaseUrl, startTimeoutMs }: PostgresConfig, log: Log) {
  const untilMs = performance.now() + startTimeoutMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      const session = await Session.open(databaseUrl, "innkeep engine");
      return [session, await Session.open(session.node, "innkeep watch")] as const;
    } catch (error) {
      if (!(error instanceof NoPrimary)) throw error;
      if (performance.now() > untilMs) throw new StartFailed(error.message);
      if (isFirst) log("warn", "waiting for PostgreSQL", { problem: error.message });
      await Bun.sleep(CONNECT_AGAIN_MS);
    }
  }
}

/** The identity of the installation: that of the first machine, which others join. */
async function identityFor(
  shared: SharedJournal,
  { dataDir, lanes }: Config,
  secrets: Secrets,
): Promise<Identity> {
  const proposed: Identity = {
    journalId: newJournalId(),
    installationId: idOfInstallation(dataDir) ?? randomHex(16),
    ...{ lanes, format: JOURNAL_FORMAT, secrets: fingerprintOf(secrets) },
  };
  // Before anything is written for this machine: another one could not begin any more.
  refuseOwnJournal(journalPath(dataDir));
  const identity = await shared.identity(proposed, BEGINNING);
  const { installationId } = identity;
  if (identity.lanes !== lanes) {
    throw new Damage("lanes_changed", `made with LANES=${identity.lanes}, started with ${lanes}`);
  }
  if (identity.format !== JOURNAL_FORMAT) {
    const known = `this version reads format ${JOURNAL_FORMAT}`;
    throw new StartRefused(`the journal in PostgreSQL has format ${identity.format}, ${known}`);
  }
  if (identity.secrets !== proposed.secrets) {
    const remedy = `copy secrets.json from a machine of installation ${installationId}`;
    throw new StartRefused(`secrets_differ: ${dataDir} has other secrets: ${remedy}`);
  }
  refuseOtherInstallation(dataDir, installationId);
  return identity;
}

/** Of the keys that never change; versions of the others come by `secrets.json`. */
function fingerprintOf({ hmac_key, credential_pepper, master_key }: Secrets): string {
  const text = `${hmac_key} ${credential_pepper} ${master_key}`;
  return createHash("sha256").update(text).digest("hex");
}

function openCopyOf({ journalId, lanes }: Identity, config: Config, log: Log): Copy {
  const path = journalPath(config.dataDir);
  const warn = (message: string, fields?: object) => log("warn", message, fields);
  const startedMs = performance.now();
  const erasures = config.erasuresLog;
  const copy = openCopy({ path, journalId, lanes, erasures, warn, onProgress: beat });
  const ms = Math.round(performance.now() - startedMs);
  log("info", "copy opened", { row: copy.journal.head.row, ms });
  return copy;
}

/**
 * The time of this machine, for those of its processes that only read; the leader continues it.
 * Each machine has a line of its own, because steady clocks of machines have nothing in common.
 */
function timeOfMachine({ state }: Copy, path: string, log: Log) {
  const timeLine = new TimeLineFile(path);
  const { former, publish } = timeLine;
  let clock = new EngineClock(SYSTEM_TIME, { lastStampMs: state.stamp, former, publish });
  const steering = every("time line", STEER_EVERY_MS, () => clock.steer());
  let isToldOff = false;
  /** As the last row may be later now. */
  const continued = (onLine?: typeof publish) => {
    const start = { lastStampMs: state.stamp, former: clock.line };
    return new EngineClock(SYSTEM_TIME, { ...start, ...(onLine && { publish: onLine }) });
  };
  return {
    id: steering.id,
    start: steering.start,
    now: () => clock.now(),
    /** For the leader, which steers it. */
    forLeader() {
      steering.stop();
      clock = continued(publish);
      return clock;
    },
    /** Whether the journal's last row agrees with the wall clock of this machine. */
    isCredible() {
      try {
        continued();
        return true;
      } catch (error) {
        if (!(error instanceof Damage)) throw error;
        if (!isToldOff) log("error", "this machine cannot lead", { clock: error.message });
        isToldOff = true;
        return false;
      }
    },
    stop() {
      steering.stop();
      timeLine.stop();
    },
  };
}
