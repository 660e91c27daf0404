/** An api process: the HTTP server over a local replica, with a submitter to the engine. */
import { indexLargeRealms } from "../../../engine/core/search/search-index.ts";
import { rememberedRow } from "../../../engine/log/keys/key-expiry.ts";
import { Replica } from "../../../engine/log/replica.ts";
import { SYSTEM_TIME } from "../../../engine/log/system-time.ts";
import { EngineTime } from "../../../engine/log/time-line.ts";
import { openFeeds } from "../../../jobs/feed-runs/schema.ts";
import { FeedStore } from "../../../jobs/feed-runs/store.ts";
import { KpiReader } from "../../../jobs/kpis/reader.ts";
import { KpiStore } from "../../../jobs/kpis/store.ts";
import { TrafficCounter } from "../../../jobs/kpis/traffic-counter.ts";
import { TrafficFile } from "../../../jobs/kpis/traffic-file.ts";
import { DamageReports } from "../../../jobs/lanes/damage-reports.ts";
import { queuePrefix } from "../../../jobs/lanes/queues.ts";
import { QuoteStore } from "../../../jobs/lanes/quote-store.ts";
import { Submitter } from "../../../jobs/lanes/submitter.ts";
import { openPaymentPages } from "../../../jobs/payments/providers.ts";
import { PaymentsQueue } from "../../../jobs/payments/queue.ts";
import { Board } from "../../../jobs/redis/board.ts";
import { type Connections, openConnections } from "../../../jobs/redis/connections.ts";
import { ControlSignal } from "../../../jobs/redis/control-signal.ts";
import { MessageMacs } from "../../../jobs/redis/message-macs.ts";
import { RateLimiter } from "../../../jobs/redis/rate-limiter.ts";
import { throttledWarnings } from "../../../jobs/redis/throttled-warnings.ts";
import { BulkReplays } from "../../../jobs/webhooks/recover/bulk-replays.ts";
import { historyId } from "../../../jobs/webhooks/store/delivery.ts";
import { DeliveryStore } from "../../../jobs/webhooks/store/delivery-store.ts";
import { openDeliveries } from "../../../jobs/webhooks/store/schema.ts";
import { AccessTokens } from "../../access/auth/access-token.ts";
import { KeyRing } from "../../access/auth/key-ring.ts";
import { CheckoutSessions } from "../../access/control/checkout-sessions.ts";
import { ConsoleSessions, consolePath } from "../../access/control/console-sessions.ts";
import { denialIn } from "../../access/control/denials.ts";
import { GuestSessions } from "../../access/control/guest-sessions.ts";
import { LastUsed } from "../../access/control/last-used.ts";
import { NoticeSender } from "../../access/control/notice-sender.ts";
import { OauthStore } from "../../access/control/oauth-store.ts";
import { ensureSigningKeys } from "../../access/control/signing-keys.ts";
import { type ControlStore, openControlStore } from "../../access/control/store.ts";
import { ControlView } from "../../access/control/view.ts";
import { Keychain, receiptKeysOf } from "../../access/privacy/keychain.ts";
import type { Secrets } from "../../access/privacy/secrets.ts";
import { AdvisorSessions } from "../../advisor/sessions.ts";
import { contextOf, createApp } from "../../app.ts";
import { paymentSweeps } from "../../checkout/payment-sweep.ts";
import {
  advisorPath,
  type Config,
  controlPath,
  deliveriesPath,
  feedsDirectory,
  feedsPath,
  journalPath,
  kpisPath,
  trafficPath,
} from "../../config.ts";
import type { Context, Parts } from "../../http/context.ts";
import { Listeners } from "../../http/listeners.ts";
import { installationOf } from "../../lib/installation.ts";
import { logger, logOf } from "../../lib/log.ts";
import { Metrics, memoryFamily, type RoleReport, single } from "../../lib/metrics.ts";
import { RequestLog, requestLogDirectory } from "../../lib/request-log.ts";
import { every, type Log, type Role, roleOf, type Service } from "../../lib/service.ts";
import { randomHex } from "../../lib/trace.ts";
import { demoDeskOf } from "../demo/desk.ts";
import { warnOfDevelopment } from "./development.ts";
import { expiryClock } from "./expiry-clock.ts";
import { HttpServer } from "./http-server.ts";
import { mailWriterOf, openMailStore } from "./mail-writer.ts";
import { recentlyRefused, refusedFamily } from "./refused-messages.ts";

/**
 * Interval at which an idle replica follows the journal; a request that reads catches up itself.
 */
const FOLLOW_EVERY_MS = 50;
const FOLLOW_BUDGET_MS = 5;
/** Interval at which growing realms get their search index, while they are still small. */
const INDEX_EVERY_MS = 1_000;
/** Interval at which expired sessions are removed. */
const FORGET_EVERY_MS = 60_000;
const USES = ["producer", "hot", "subscriber"] as const;

/**
 * One api process on the configured port; several share the port.
 *
 * @throws Error without a journal, or when Redis does not answer.
 */
export async function open(config: Config, secrets: Secrets): Promise<Role> {
  const logs = logger("api", config);
  const log = logOf(logs);
  const onError = throttledWarnings(log, "Redis");
  warnOfDevelopment(config, log);
  const replica = new Replica(journalPath(config.dataDir));
  const installationId = installationOf(config.dataDir);
  const prefix = queuePrefix(installationId, replica.journalId);
  const connections = await openConnections(config.redis, USES, onError);
  const { producer, hot, subscriber } = connections;
  const engineTime = new EngineTime(journalPath(config.dataDir));
  const keychain = new Keychain(config.dataDir, secrets, log);
  const macs = new MessageMacs(keychain.quotes, log);
  const submitter = new Submitter({
    ...{ hot, subscriber, prefix, macs, onError },
    ...{ lanes: config.lanes, now: engineTime.now },
    instance: `api-${randomHex(8)}`,
    byKey: (key) => rememberedRow(replica.recentByKey(key), { now: engineTime.now, ...config }),
  });
  const store = openControlStore(controlPath(config.dataDir), secrets.credential_pepper);
  const { encryption, quotes: quoteKeys, hmac } = keychain;
  await ensureSigningKeys(store, encryption);
  const control = controlViewOf(config, store, log);
  const keyRing = new KeyRing(control, encryption);
  const onSignal = signalled(control, hmac);
  const signal = new ControlSignal({ producer, subscriber, prefix, onSignal, onError });
  // Before the first booking: a new file begins at the journal's head.
  const mails = openMailStore(config, replica);
  const mailWriter = mailWriterOf(config, encryption, replica);
  const onNotice = throttledWarnings(log, "notices");
  const docs = config.docsUrl;
  const notices = new NoticeSender({ store, submitter, hmac, docs, onError: onNotice });
  const lastUsed = new LastUsed(store, throttledWarnings(log, "the time of last use"));
  const onRedis = partsOnRedis(connections, { prefix, macs });
  const webhooks = deliveriesOf(config);
  const figures = figuresOf(config, replica, log);
  const given: Parts = {
    ...{ config, replica, submitter, control, store, signal, notices, lastUsed },
    keys: { encryption, quotes: quoteKeys, hmac, receipts: receiptKeysOf(keychain.receipts) },
    ...{ ...onRedis, ...webhooks, feeds: feedStoreOf(config), keyRing },
    ...{ mailWriter, mails, demo: demoDeskOf(config) },
    ...sessionsOf(config, keychain, store),
    ...figures.given,
    paymentPages: await openPaymentPages(config),
    historyId: historyId(installationId, replica.journalId),
    listeners: new Listeners(replica),
    accessTokens: accessTokensOf(config, keyRing),
    damage: new DamageReports(submitter, log),
    metrics: new Metrics(),
    requestLog: requestLogOf(config, log),
    log: logs,
    now: expiryClock(SYSTEM_TIME.wallMs, engineTime.now),
    engineNow: engineTime.now,
  };
  const context = contextOf(given);
  const parts = [
    connections,
    keychain,
    ...closing({ store, deliveries: webhooks.deliveries, feeds: given.feeds }),
    ...[control, lastUsed, engineTime, given.requestLog, ...sessionParts(context)],
    ...closing({ replica, mailWriter, mails }),
    ...[...followersOf(replica), ...figures.parts],
    ...[onRedis.quotes, submitter, signal, notices],
    given.board.poster("api", () => reportOf(given, macs)),
    new HttpServer({ app: createApp(context), port: config.port, hostname: config.host }),
    // Stops first, so that no answer waits for another event.
    given.listeners,
  ];
  return roleOf("api", parts, log);
}

function signalled(control: ControlView, hmac: Uint8Array) {
  return (text: string) => {
    const denial = denialIn(hmac, text);
    if (denial) control.deny(denial);
    else control.refresh();
  };
}

function controlViewOf(config: Config, store: ControlStore, log: Log): ControlView {
  return new ControlView(store, { allowPrivate: config.webhooksAllowPrivate }, (damaged) => {
    log("error", "a row of control.db is damaged and ignored", damaged);
  });
}

/** Users of Redis besides commands and replies. */
function partsOnRedis(
  { producer, hot }: Connections<(typeof USES)[number]>,
  { prefix, macs }: { readonly prefix: string; readonly macs: MessageMacs },
) {
  return {
    quotes: new QuoteStore(hot, prefix, macs),
    board: new Board(producer, prefix, macs),
    limiter: new RateLimiter(hot, prefix),
    payments: new PaymentsQueue(hot, prefix, macs),
  };
}

/** Services that close files. */
function closing(files: Readonly<Record<string, { close(): void }>>): Service[] {
  return Object.entries(files).map(([id, file]) => ({ id, stop: () => file.close() }));
}

/** Key figures from the journal, and the traffic counter of this process. */
function figuresOf({ dataDir }: Config, replica: Replica, log: Log) {
  const store = new KpiStore(kpisPath(dataDir));
  const trafficFile = new TrafficFile(trafficPath(dataDir));
  const onError = (error: unknown) => log("error", "cannot write traffic counts", { error });
  const traffic = new TrafficCounter({ file: trafficFile, now: SYSTEM_TIME.wallMs, onError });
  const given = { kpis: new KpiReader(store, replica), traffic, trafficFile };
  return { given, parts: [...closing({ "key figures": store }), traffic] };
}

/**
 * Keep the replica and its search indexes up to date. They start before the server, so that the
 * first search of a large tenant does not wait for its index.
 */
function followersOf(replica: Replica) {
  return [
    every("replica follower", FOLLOW_EVERY_MS, () => replica.catchUp(FOLLOW_BUDGET_MS)),
    every("search indexes", INDEX_EVERY_MS, () => indexLargeRealms(replica.state)),
  ];
}

/** Sessions of people, each kind in a file of its own, and the programs that they let in. */
function sessionsOf(
  { dataDir }: Config,
  { encryption, hmac }: Keychain,
  { hashSecret }: ControlStore,
): Pick<Parts, "advisor" | "consoleSessions" | "checkout" | "guests" | "oauth"> {
  return {
    advisor: new AdvisorSessions(advisorPath(dataDir), encryption),
    consoleSessions: new ConsoleSessions(consolePath(dataDir), hashSecret),
    checkout: new CheckoutSessions(dataDir, hashSecret),
    guests: new GuestSessions(dataDir, hmac),
    oauth: new OauthStore(dataDir, hashSecret),
  };
}

/** Removes what has expired of sessions and OAuth, ends payments on pages, and closes the files. */
function sessionParts(context: Context) {
  const { advisor, consoleSessions, checkout, guests, oauth, engineNow, now } = context;
  return [
    ...closing({ advisor, console: consoleSessions, checkout, guests, oauth }),
    every("connections of OAuth clients", FORGET_EVERY_MS, () => oauth.forget(now())),
    every("advisor sessions", FORGET_EVERY_MS, () => advisor.forget(engineNow())),
    every("console sessions", FORGET_EVERY_MS, () => consoleSessions.forget(now())),
    every("checkout sessions", FORGET_EVERY_MS, () => checkout.forget(now())),
    paymentSweeps(context),
    every("guest sessions", FORGET_EVERY_MS, () => guests.forget(now())),
  ];
}

function requestLogOf({ dataDir }: Config, log: Log): RequestLog {
  const onError = throttledWarnings(log, "the request log");
  return new RequestLog({
    ...{ directory: requestLogDirectory(dataDir), now: SYSTEM_TIME.wallMs, onError },
  });
}

function deliveriesOf({ dataDir }: Config): Pick<Parts, "deliveries" | "recoveries"> {
  const db = openDeliveries(deliveriesPath(dataDir), "full");
  return { deliveries: new DeliveryStore(db), recoveries: new BulkReplays(db) };
}

/** Synced fully: an accepted run must survive a crash. */
function feedStoreOf({ dataDir }: Config): FeedStore {
  return new FeedStore(openFeeds(feedsPath(dataDir), "full"), feedsDirectory(dataDir));
}

function accessTokensOf({ oauthIssuer, baseUrl }: Config, keyRing: KeyRing): AccessTokens | null {
  return oauthIssuer === null ? null : new AccessTokens(keyRing, oauthIssuer, baseUrl);
}

function reportOf(parts: Parts, macs: MessageMacs): RoleReport {
  return { families: [...familiesOf(parts), refusedFamily(macs)], ...recentlyRefused(macs) };
}

function familiesOf({ metrics, submitter, replica, limiter, listeners, requestLog }: Parts) {
  const lag = replica.lagMs() / 1000;
  const { envelopes, commands } = submitter.sent;
  return [
    ...metrics.families(),
    single("innkeep_replica_lag_seconds", "gauge", "Age of the replica.", lag),
    single("innkeep_replica_row", "gauge", "Last journal row applied.", replica.head.row),
    single("innkeep_envelopes_total", "counter", "Envelopes sent.", envelopes),
    single("innkeep_envelope_commands_total", "counter", "Commands in envelopes.", commands),
    single(
      "innkeep_unlimited_total",
      "counter",
      "Requests that passed without a rate limit.",
      limiter.unlimited,
    ),
    single(
      "innkeep_unlogged_total",
      "counter",
      "Refused requests missing from the log.",
      requestLog.dropped,
    ),
    single("innkeep_commands_waiting", "gauge", "Commands without outcome.", submitter.waiting),
    single("innkeep_open_calls", "gauge", "Long polls and event streams.", listeners.count),
    memoryFamily(),
  ];
}
