/**
 * The configuration: one frozen object, read once from the environment. A process with a bad value
 * does not start and reports all bad values at once.
 */
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { IDEMPOTENCY_DAYS } from "../engine/log/keys/key-expiry.ts";
import type { FeedCredentials } from "../feeds/credentials.ts";
import type { SmtpServer } from "../jobs/mail/smtp.ts";
import { PAYMENT_PROVIDER_NAMES, type PaymentProviderName } from "../jobs/payments/providers.ts";
import type { RedisTarget } from "../jobs/redis/redis-target.ts";
import { StartRefused } from "./lib/lifecycle.ts";
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from "./lib/log.ts";
import type { Mailbox } from "./lib/mailbox.ts";
import { type Environment, type IntegerRange, SettingsReader } from "./settings-reader.ts";

export interface Config {
  /** 0 chooses a free port, once for all api processes. */
  readonly port: number;
  readonly host: string;
  /** 0 serves no metrics. */
  readonly metricsPort: number;
  readonly metricsHost: string;
  /** Public address of the service. All addresses here have no trailing slash. */
  readonly baseUrl: string;
  readonly docsUrl: string;
  /** Public website with a page per property, used by feeds and discovery. */
  readonly siteUrl: string;
  /** Absolute path. */
  readonly dataDir: string;
  /** Address of the journal in PostgreSQL; null when it is in `dataDir` alone. */
  readonly databaseUrl: string | null;
  /**
   * Without `REDIS_URL`, the private socket of `dataDir`. It is derived from `DATA_DIR`, so every
   * role finds it.
   */
  readonly redis: RedisTarget;
  /** True when `all` starts and stops Redis itself. */
  readonly redisIsPrivate: boolean;
  /** Time limit of a start for the Redis of `REDIS_URL`. */
  readonly startTimeoutMs: number;
  /** `maxmemory` of the private Redis. */
  readonly redisMaxMemoryMb: number;
  readonly apiProcesses: number;
  /** Number of proxies in front that add to `X-Forwarded-For`; 0 ignores the header. */
  readonly trustedProxies: number;
  /** Origins whose pages may call `/v1`, `/mcp` and `/a2a`, as browsers send them. */
  readonly corsOrigins: ReadonlySet<string>;
  readonly lanes: number;
  readonly platformAudience: string;
  /** Null when OAuth is off (`OAUTH_ISSUER` is empty). */
  readonly oauthIssuer: string | null;
  readonly receiptIssuer: string;
  readonly holdTtlMs: number;
  readonly quoteTtlMs: number;
  /** Minimum time for which the key of a refused command is kept. */
  readonly idempotencyDays: number;
  /** List of erased guests: best beside the back-ups. */
  readonly erasuresLog: string;
  readonly paymentProvider: PaymentProviderName;
  readonly stripeSecretKey: string | null;
  readonly stripeApiUrl: string;
  /** Any of them signs Stripe's events; two while one replaces the other. */
  readonly stripeWebhookSecrets: readonly string[];
  /** Server of mails to guests; null writes them to `outboxPath`. */
  readonly smtpServer: SmtpServer | null;
  /** Sender of mails to guests. */
  readonly mailFrom: Mailbox;
  /** Development only: addresses of key sets and webhook endpoints may be private. */
  readonly webhooksAllowPrivate: boolean;
  /** Milliseconds before each delivery attempt, including the first. */
  readonly webhookRetryScheduleMs: readonly number[];
  /** Retention of settled deliveries. */
  readonly webhookRetentionDays: number;
  /** Older rows of the journal are archived into segments; 0 disables this. */
  readonly archiveAfterDays: number;
  /** Limit for a tenant's supply changes in the journal, MiB per day. */
  readonly supplyMbPerDay: number;
  /** Time of the nightly feed build, `HH:mm` in the tenant's time zone. */
  readonly feedNightlyAt: string;
  /** An older feed is rebuilt. */
  readonly feedMaxAgeMs: number;
  /** Time without changes before a feed is rebuilt. */
  readonly feedDebounceMs: number;
  /** Time that a request for an unbuilt feed waits. */
  readonly feedWaitMs: number;
  /** Credentials of partners that fetch feeds. */
  readonly feedCredentials: FeedCredentials;
  /** The value printed by a start refused for its clock: accepts the clock. */
  readonly acceptClock: string | null;
  /** The value printed by a start refused for lost rows: accepts the loss. */
  readonly acceptLoss: string | null;
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
  /** Seed demo data when `dataDir` has none. */
  readonly demo: boolean;
  /** Live hotels of the demo's first tenant. */
  readonly demoHotels: number;
  /** Unknown variables that resemble a setting, each with that setting. */
  readonly misspelt: readonly (readonly [given: string, meant: string])[];
}

/** Every bad variable of an environment, one problem per line. */
export class ConfigError extends StartRefused {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`bad configuration:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/**
 * Reads the configuration from `env`. An empty variable counts as unset, except `OAUTH_ISSUER`,
 * where it turns OAuth off.
 *
 * @throws ConfigError naming every bad variable and the expected value.
 */
export function readConfig(env: Environment): Config {
  const read = new SettingsReader(env);
  const halfTheCores = Math.max(1, Math.floor(availableParallelism() / 2));
  const port = read.integer("PORT", { least: 0, most: 65_535, fallback: 3000 });
  const baseUrl = read.httpUrl("BASE_URL", `http://localhost:${port}`);
  const dataDir = resolve(read.text("DATA_DIR") ?? "data");
  const redisUrl = read.redisAddress("REDIS_URL");
  const logFormat = read.oneOf("LOG_FORMAT", LOG_FORMATS, process.stdout.isTTY ? "text" : "json");
  const config: Config = {
    port,
    host: read.text("HOST") ?? "0.0.0.0",
    metricsPort: read.integer("METRICS_PORT", { least: 0, most: 65_535, fallback: 9464 }),
    metricsHost: read.text("METRICS_HOST") ?? "127.0.0.1",
    baseUrl,
    docsUrl: read.httpUrl("DOCS_URL", `${baseUrl}/docs`),
    siteUrl: read.httpUrl("SITE_URL", baseUrl),
    dataDir,
    databaseUrl: read.databaseUrl(),
    redis: redisUrl ?? { path: privateSocketPath(dataDir) },
    redisIsPrivate: redisUrl === null,
    startTimeoutMs: read.seconds("START_TIMEOUT_S", { least: 1, most: 3_600, fallback: 60 }),
    redisMaxMemoryMb: read.integer("REDIS_MAXMEMORY_MB", REDIS_MB),
    apiProcesses: read.integer("API_PROCESSES", {
      least: 1,
      most: 64,
      fallback: Math.min(halfTheCores, 4),
    }),
    trustedProxies: read.integer("TRUSTED_PROXIES", { least: 0, most: 8, fallback: 0 }),
    corsOrigins: read.origins("CORS_ORIGINS"),
    lanes: read.integer("LANES", { least: 1, most: 64, fallback: Math.min(halfTheCores, 8) }),
    platformAudience: read.text("PLATFORM_AUDIENCE") ?? baseUrl,
    oauthIssuer: env.OAUTH_ISSUER === "" ? null : read.httpUrl("OAUTH_ISSUER", baseUrl),
    receiptIssuer: read.text("RECEIPT_ISSUER") ?? baseUrl,
    holdTtlMs: read.seconds("HOLD_TTL_S", { least: 1, most: 86_400, fallback: 900 }),
    quoteTtlMs: read.seconds("QUOTE_TTL_S", { least: 1, most: 86_400, fallback: 1800 }),
    idempotencyDays: read.integer("IDEMPOTENCY_DAYS", IDEMPOTENCY_DAYS),
    erasuresLog: resolve(read.text("ERASURES_LOG") ?? join(dataDir, "erasures.log")),
    paymentProvider: read.oneOf("PAYMENT_PROVIDER", PAYMENT_PROVIDER_NAMES, "sandbox"),
    stripeSecretKey: read.text("STRIPE_SECRET_KEY"),
    stripeApiUrl: read.httpUrl("STRIPE_API_URL", "https://api.stripe.com"),
    stripeWebhookSecrets: read.text("STRIPE_WEBHOOK_SECRET")?.split(/[\s,]+/) ?? [],
    smtpServer: read.smtpServer("SMTP_URL"),
    mailFrom: read.mailbox("MAIL_FROM", senderAt(baseUrl)),
    webhooksAllowPrivate: read.flag("WEBHOOKS_ALLOW_PRIVATE"),
    webhookRetryScheduleMs: read.delays("WEBHOOK_RETRY_SCHEDULE_S", RETRY_SCHEDULE_S),
    webhookRetentionDays: read.integer("WEBHOOK_RETENTION_DAYS", RETENTION_DAYS),
    archiveAfterDays: read.integer("ARCHIVE_AFTER_DAYS", ARCHIVE_DAYS),
    supplyMbPerDay: read.integer("SUPPLY_MB_PER_DAY", SUPPLY_MB),
    feedNightlyAt: read.nightTime("FEED_NIGHTLY_AT", "04:10"),
    feedMaxAgeMs: read.seconds("FEED_MAX_AGE_S", { least: 60, most: 72_000, fallback: 21_600 }),
    feedDebounceMs: read.seconds("FEED_DEBOUNCE_S", { least: 1, most: 3_600, fallback: 120 }),
    feedWaitMs: read.seconds("FEED_WAIT_S", { least: 0, most: 50, fallback: 20 }),
    feedCredentials: read.feedCredentials("FEED_CREDENTIALS"),
    acceptClock: read.text("ACCEPT_CLOCK"),
    acceptLoss: read.text("ACCEPT_LOSS"),
    logFormat,
    logLevel: read.oneOf("LOG_LEVEL", LOG_LEVELS, logFormat === "text" ? "warn" : "info"),
    demo: read.flag("DEMO"),
    demoHotels: read.integer("DEMO_HOTELS", { least: 1, most: 66, fallback: 66 }),
    misspelt: read.misspelt(),
  };
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return Object.freeze(config);
}

/** sockaddr_un.sun_path is 104 bytes on macOS and 108 on Linux, with the final zero. */
const SOCKET_PATH_BYTES_MAX = 103;

/**
 * The private Redis socket of a data directory. If the path is too long for a unix socket, a short
 * path in the system's temporary directory is derived from it.
 */
export function privateSocketPath(dataDir: string): string {
  const path = join(dataDir, "redis", "redis.sock");
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX) return path;
  const digest = createHash("sha256").update(path).digest("hex").slice(0, 16);
  return join(tmpdir(), `innkeep-${digest}`, "redis.sock");
}

/** The control store: agents, credentials and signing keys. */
export function controlPath(dataDir: string): string {
  return join(dataDir, "control.db");
}

/** Sessions of the advisor. */
export function advisorPath(dataDir: string): string {
  return join(dataDir, "advisor.db");
}

/** Webhook deliveries and their attempts. */
export function deliveriesPath(dataDir: string): string {
  return join(dataDir, "deliveries.db");
}

/** Partner feeds and their runs. */
export function feedsPath(dataDir: string): string {
  return join(dataDir, "feeds.db");
}

/** The documents of the partner feeds. */
export function feedsDirectory(dataDir: string): string {
  return join(dataDir, "feeds");
}

/** The key figures. */
export function kpisPath(dataDir: string): string {
  return join(dataDir, "kpi.db");
}

/** Requests by minute, agent and route. */
export function trafficPath(dataDir: string): string {
  return join(dataDir, "traffic.db");
}

/** The journal of a data directory. */
export function journalPath(dataDir: string): string {
  return join(dataDir, "engine", "0.db");
}

/** Mails to guests and their state. */
export function mailPath(dataDir: string): string {
  return join(dataDir, "mail.db");
}

/** The directory of mails when there is no mail server. */
export function outboxPath(dataDir: string): string {
  return join(dataDir, "outbox");
}

/** An address at the host of the service, or at `localhost` for an IP address. */
function senderAt(baseUrl: string): Mailbox {
  const { hostname } = new URL(baseUrl);
  const host = isIP(hostname.replace(/^\[|\]$/g, "")) ? "localhost" : hostname;
  return { name: null, address: `noreply@${host}` };
}

const RETENTION_DAYS: IntegerRange = { least: 1, most: 3_650, fallback: 30 };

const REDIS_MB: IntegerRange = { least: 16, most: 1_048_576, fallback: 512 };

/** About a year of rates of 20,000 hotels. */
const SUPPLY_MB: IntegerRange = { least: 1, most: 1_048_576, fallback: 1_024 };

const ARCHIVE_DAYS: IntegerRange = { least: 0, most: 3_650, fallback: 30 };

/** Delays before the attempts of a delivery: the last one 28 hours after the first. */
const RETRY_SCHEDULE_S = "0,5,300,1800,7200,18000,36000,36000";
