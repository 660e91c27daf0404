/**
 * The configuration: one frozen object, read once from the environment. A process with a bad value
 * does not start and reports all bad values at once.
 */
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { IDEMPOTENCY_DAYS } from "../engine/log/keys/key-expiry.ts";
import { type FeedCredentials, feedCredentialsIn } from "../feeds/credentials.ts";
import { type SmtpServer, smtpServerIn } from "../jobs/mail/smtp.ts";
import { PAYMENT_PROVIDER_NAMES, type PaymentProviderName } from "../jobs/payments/providers.ts";
import type { RedisTarget } from "../jobs/redis/native-redis.ts";
import { StartRefused } from "./lib/lifecycle.ts";
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from "./lib/log.ts";
import { type Mailbox, mailboxIn } from "./lib/mailbox.ts";
import { originsIn } from "./lib/origins.ts";
import { suggestSimilar } from "./lib/suggest-similar.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

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
  const read = new Reader(env);
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

interface IntegerRange {
  readonly least: number;
  readonly most: number;
  readonly fallback: number;
}

const RETENTION_DAYS: IntegerRange = { least: 1, most: 3_650, fallback: 30 };

const REDIS_MB: IntegerRange = { least: 16, most: 1_048_576, fallback: 512 };

/** About a year of rates of 20,000 hotels. */
const SUPPLY_MB: IntegerRange = { least: 1, most: 1_048_576, fallback: 1_024 };

const ARCHIVE_DAYS: IntegerRange = { least: 0, most: 3_650, fallback: 30 };

/** Delays before the attempts of a delivery: the last one 28 hours after the first. */
const RETRY_SCHEDULE_S = "0,5,300,1800,7200,18000,36000,36000";
const DELAYS_MAX = 20;

/** Reads typed values and collects all problems. */
class Reader {
  readonly problems: string[] = [];
  readonly #env: Environment;
  /** Every setting read so far. */
  readonly #known = new Set<string>();

  constructor(env: Environment) {
    this.#env = env;
  }

  /** Unknown variables that resemble a setting; call it last. */
  misspelt() {
    const others = Object.keys(this.#env).filter((name) => !this.#known.has(name));
    return others.flatMap((given) => {
      const meant = suggestSimilar(given, this.#known);
      return meant === null || this.#env[meant] ? [] : [[given, meant] as const];
    });
  }

  text(name: string): string | null {
    this.#known.add(name);
    const value = this.#env[name]?.trim();
    return value === undefined || value === "" ? null : value;
  }

  integer(name: string, { least, most, fallback }: IntegerRange): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    return this.#refuse(name, `a whole number from ${least} to ${most}`, fallback);
  }

  /** Whole seconds, as milliseconds. */
  seconds(name: string, range: IntegerRange): number {
    return this.integer(name, range) * 1000;
  }

  /** A time that occurs once every night: clocks change between 01:00 and 03:30. */
  nightTime(name: string, fallback: string): string {
    const value = this.text(name) ?? fallback;
    const isTime = /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value);
    if (isTime && (value < "01:00" || value > "03:30")) return value;
    return this.#refuse(name, "HH:mm, not from 01:00 to 03:30, when clocks change", fallback);
  }

  flag(name: string): boolean {
    return this.oneOf(name, ["0", "1"], "0") === "1";
  }

  /** Comma-separated seconds with up to three decimals, as milliseconds. */
  delays(name: string, fallback: string): readonly number[] {
    const parts = (this.text(name) ?? fallback).split(",").map((part) => part.trim());
    const isDelay = (part: string) => /^\d{1,6}(\.\d{1,3})?$/.test(part);
    if (parts.length <= DELAYS_MAX && parts.every(isDelay)) {
      return parts.map((part) => Math.round(Number(part) * 1000));
    }
    return this.#refuse(name, `1 to ${DELAYS_MAX} delays in seconds, e.g. ${fallback}`, []);
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const value = this.text(name);
    if (value === null) return fallback;
    const found = allowed.find((option) => option === value);
    return found ?? this.#refuse(name, `one of ${allowed.join(", ")}`, fallback);
  }

  httpUrl(name: string, fallback: string): string {
    const value = this.text(name);
    if (value === null) return fallback;
    const url = URL.parse(value);
    const fits = url?.host && /^https?:$/.test(url.protocol) && !/[?#@]/.test(value);
    if (!fits)
      return this.#refuse(
        name,
        "an http or https address without user, query and fragment",
        fallback,
      );
    return value.replace(/\/+$/, "");
  }

  origins(name: string): ReadonlySet<string> {
    const value = this.text(name);
    if (value === null) return new Set();
    const expected = "comma-separated origins like https://app.example:8443, no *, null or path";
    return originsIn(value) ?? this.#refuse(name, expected, new Set());
  }

  redisAddress(name: string): RedisTarget | null {
    const value = this.text(name);
    if (value === null) return null;
    if (/^unix:\/\/\/./.test(value)) return { path: value.slice("unix://".length) };
    const url = URL.parse(value);
    if (url?.host && /^rediss?:$/.test(url.protocol)) return { url: value };
    return this.#refuse(name, "redis://host, rediss://host or unix:///absolute/path", null);
  }

  smtpServer(name: string): SmtpServer | null {
    const value = this.text(name);
    if (value === null) return null;
    const expected = "smtp://[user:password@]host[:port] or smtps://…, percent-encoded";
    return smtpServerIn(value) ?? this.#refuse(name, expected, null);
  }

  mailbox(name: string, fallback: Mailbox): Mailbox {
    const value = this.text(name);
    if (value === null) return fallback;
    return mailboxIn(value) ?? this.#refuse(name, "an address, or Name <address>", fallback);
  }

  feedCredentials(name: string): FeedCredentials {
    const value = this.text(name);
    if (value === null) return new Map();
    const expected = "partner=user:password,… of known partners, percent-encoded";
    return feedCredentialsIn(value) ?? this.#refuse(name, expected, new Map());
  }

  /** The message does not repeat the value, which may contain a password. */
  #refuse<T>(name: string, expected: string, fallback: T): T {
    this.problems.push(`${name}: expected ${expected}`);
    return fallback;
  }
}
