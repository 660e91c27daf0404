/**
 * The worker process: payments and refunds, events to webhook endpoints, mails to guests and
 * operators, the snapshots of the journal, and the metrics of all processes. It only reads the
 * journal and its projections; results go to the engine as commands.
 */
import { RecordDamaged } from "../../../engine/core/record-damage.ts";
import type { Payment } from "../../../engine/core/records.ts";
import { Replica } from "../../../engine/log/replica.ts";
import { EngineTime } from "../../../engine/log/time-line.ts";
import { queuePrefix } from "../../../jobs/lanes/queues.ts";
import { type Mails, mailsOf } from "../../../jobs/mail/mails.ts";
import { type MoneyGauge, MoneyWatch } from "../../../jobs/payments/money-watch.ts";
import { type PaymentsOptions, paymentsOf } from "../../../jobs/payments/payments.ts";
import { missingForPayments, openPaymentProvider } from "../../../jobs/payments/providers.ts";
import { Board } from "../../../jobs/redis/board.ts";
import { openConnections } from "../../../jobs/redis/connections.ts";
import { MessageMacs } from "../../../jobs/redis/message-macs.ts";
import { throttledWarnings } from "../../../jobs/redis/throttled-warnings.ts";
import type { KeyVersions } from "../../access/privacy/key-versions.ts";
import { Keychain } from "../../access/privacy/keychain.ts";
import { decryptFields } from "../../access/privacy/personal-data.ts";
import type { Secrets } from "../../access/privacy/secrets.ts";
import { type Config, journalPath, outboxPath } from "../../config.ts";
import { diskFamily, diskRoomWatch } from "../../lib/disk-room.ts";
import { installationOf } from "../../lib/installation.ts";
import { logger, logOf } from "../../lib/log.ts";
import { type Family, memoryFamily, type RoleReport, single } from "../../lib/metrics.ts";
import { listenForReplacements, replacementsFamily } from "../../lib/replacements.ts";
import { type Log, type Role, roleOf, type Service } from "../../lib/service.ts";
import { dailyReconciliation, onceReconciled } from "../backups/reconciliation.ts";
import { awaitsReconciliation, isRecentlyRestored } from "../backups/restoration.ts";
import { controlCare, journalCare } from "./care.ts";
import { summaryParts } from "./daily-summaries.ts";
import { warnOfDevelopment } from "./development.ts";
import { feedParts } from "./feeds.ts";
import { guestLinkParts } from "./guest-links.ts";
import { kpiParts } from "./kpis.ts";
import { mailWriterOf, openMailStore } from "./mail-writer.ts";
import { MetricsServer } from "./metrics-server.ts";
import { recentlyRefused, refusedFamily } from "./refused-messages.ts";
import { webhookParts } from "./webhooks.ts";

const CONNECTIONS = ["producer", "hot", "subscriber"] as const;

/**
 * The worker of this `DATA_DIR`.
 *
 * @throws Error without a journal, or when Redis does not answer.
 */
export async function open(config: Config, secrets: Secrets): Promise<Role> {
  const log = logOf(logger("worker", config));
  warnOfDevelopment(config, log);
  const onError = throttledWarnings(log, "Redis");
  const path = journalPath(config.dataDir);
  const keychain = new Keychain(config.dataDir, secrets, log);
  const replica = new Replica(path);
  const connections = await openConnections(config.redis, CONNECTIONS, onError);
  const installationId = installationOf(config.dataDir);
  const prefix = queuePrefix(installationId, replica.journalId);
  const macs = new MessageMacs(keychain.quotes, log);
  const onRedis = { connections, prefix, macs, installationId };
  const engineTime = new EngineTime(path);
  const payments = await paymentParts(config, secrets, {
    ...{ ...onRedis, log },
    lanes: config.lanes,
    records: replica.records,
    openToken: tokenOpener(keychain.encryption, replica),
    now: engineTime.now,
  });
  logOutbox(config, log);
  const store = openMailStore(config, replica);
  const writer = mailWriterOf(config, keychain.encryption, replica);
  const mails = mailsOf({
    ...{ journal: replica, records: replica.records, now: engineTime.now, log },
    ...{ store, writer, outbox: outboxPath(config.dataDir) },
  });
  const shared = { replica, now: engineTime.now, log };
  const { encryption: masters, hmac } = keychain;
  const webhooks = webhookParts(config, secrets, { ...shared, ...onRedis, masters, hmac });
  const feeds = feedParts(config, secrets, { ...shared, journalPath: path });
  const kpis = kpiParts(config, replica, log);
  listenForReplacements();
  // Also without a provider: open payments are stuck then.
  const watch = new MoneyWatch({ records: replica.records, now: engineTime.now, log });
  const care = journalCare(config, replica, engineTime.now, log);
  const control = controlCare(config, secrets, log);
  const rows = store.summaries;
  const summaries = summaryParts(config, { ...shared, writer, rows, kpis: kpis.reader });
  const guestLinks = guestLinkParts(config, { ...shared, writer, hmac });
  const report = (): RoleReport => ({
    ...{ damage: care.damage(), controlDamage: control.damage() },
    families: [
      ...[care, control, webhooks, feeds, kpis].flatMap((part) => part.families()),
      ...[...moneyFamilies(watch.gauges), ...mailFamilies(mails.figures(), engineTime.now())],
      ...[memoryFamily(), replacementsFamily(), diskFamily(config.dataDir), refusedFamily(macs)],
    ],
    isReconciling: awaitsReconciliation(config.dataDir),
    ...recentlyRefused(macs),
  });
  const board = new Board(connections.producer, prefix, macs);
  const parts = [
    connections,
    { id: "replica", stop: () => replica.close() },
    ...[keychain, engineTime],
    // Drained after the payments: the last snapshot gets the remaining time.
    ...[...care.parts, ...control.parts],
    ...[...kpis.parts, ...feeds.parts, ...webhooks.parts],
    ...payments,
    ...[watch, mails, ...summaries, ...guestLinks, diskRoomWatch(config.dataDir, log)],
    board.poster("worker", report),
    new MetricsServer({
      ...{ port: config.metricsPort, hostname: config.metricsHost, board, log },
      own: () => ({ role: "worker", pid: process.pid, ...report() }),
    }),
  ];
  return roleOf("worker", parts, log);
}

/** Logs the directory of mails when there is no mail server. */
function logOutbox({ smtpServer, dataDir }: Config, log: Log): void {
  const outbox = outboxPath(dataDir);
  if (smtpServer === null)
    log("info", "SMTP_URL is not set: mails to guests are written to files", { outbox });
}

/** Open payments, and pending or failed refunds, by state. */
function moneyFamilies(gauges: readonly MoneyGauge[]): Family[] {
  return (["payment", "refund"] as const).flatMap((kind) => {
    const of = gauges.filter((gauge) => gauge.kind === kind);
    const family = (name: string, help: string, value: (gauge: MoneyGauge) => number): Family => ({
      ...{ name: `innkeep_${kind}s${name}`, type: "gauge", help },
      samples: of.map((gauge) => ({ labels: `state="${gauge.state}"`, value: value(gauge) })),
    });
    return [
      family("", `Open ${kind}s by state.`, ({ count }) => count),
      family("_oldest_seconds", `Age of the oldest open ${kind}.`, ({ oldestS }) => oldestS),
    ];
  });
}

/** Mails to guests: sent, pending and given up. */
function mailFamilies({ sent, unsent }: ReturnType<Mails["figures"]>, nowMs: number): Family[] {
  const pending = unsent.find(({ state }) => state === "pending")?.oldest_at ?? nowMs;
  return [
    single(
      "innkeep_mails_sent_total",
      "counter",
      "Mails to guests handed to the mail server.",
      sent,
    ),
    {
      ...{ name: "innkeep_mails_unsent", type: "gauge", help: "Mails to guests by state." },
      samples: unsent.map(({ state, count }) => ({ labels: `state="${state}"`, value: count })),
    },
    single(
      "innkeep_mails_oldest_seconds",
      "gauge",
      "Age of the oldest pending mail.",
      Math.max(0, nowMs - pending) / 1_000,
    ),
  ];
}

/** Nothing without a configured provider: the api then refuses bookings. */
async function paymentParts(
  config: Config,
  secrets: Secrets,
  options: Omit<PaymentsOptions, "provider">,
): Promise<Service[]> {
  const missing = missingForPayments(config);
  if (missing !== null) {
    const fields = { provider: config.paymentProvider, missing };
    options.log("warn", "payments are not configured: bookings are refused", fields);
    return [];
  }
  const provider = await openPaymentProvider(config, isRecentlyRestored(config.dataDir));
  const closing = { id: "payment provider", stop: () => provider.close() };
  const payments = paymentsOf({ ...options, provider });
  const { records, now, log } = options;
  const { dataDir } = config;
  const first = onceReconciled(dataDir, secrets, { payments, provider, records, log });
  const given = { payments, provider, records, now, log };
  return [closing, first, dailyReconciliation(dataDir, secrets, given)];
}

/** Decrypts a payment's provider token; null when the guest was erased. */
function tokenOpener(masters: KeyVersions, replica: Replica) {
  return (payment: Payment): string | null => {
    const wrappedKey = replica.records.wrappedKey(payment.booking_id);
    if (wrappedKey === null) return null;
    const binding = { tenant_id: payment.tenant_id, command: payment.key };
    try {
      const { provider_token } = payment.encrypted;
      if (provider_token === undefined) return null;
      return decryptFields(masters, binding, { provider_token }, wrappedKey).provider_token!;
    } catch {
      // The cause adds nothing: the data key or the master key is wrong.
      throw new RecordDamaged("subject_key", payment.booking_id, "does not open");
    }
  };
}
