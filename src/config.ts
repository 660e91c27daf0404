/**
 * The configuration: one frozen object, read once from the environment. A process that finds a bad
 * value does not start, and says everything that is wrong at once.
 */
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { IDEMPOTENCY_DAYS } from "../engine/shell/key-expiry.ts";
import { type Mailbox, mailboxIn } from "../jobs/mail/mail.ts";
import { type SmtpServer, smtpServerIn } from "../jobs/mail/smtp.ts";
import type { RedisTarget } from "../jobs/native-redis.ts";
import { PAYMENT_PROVIDER_NAMES, type PaymentProviderName } from "../jobs/payments/providers.ts";
import { type FeedCredentials, feedCredentialsIn } from "./base/feed-credentials.ts";
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from "./base/log.ts";
import { originsIn } from "./base/origins.ts";
import { suggestSimilar } from "./base/suggest-similar.ts";
import { StartRefused } from "./lifecycle.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Config {
  /** 0 lets the system choose (the supervisor chooses once for all api processes). */
  readonly port: number;
  readonly host: string;
  /** Where metrics are served; 0 serves none. */
  readonly metricsPort: number;
  readonly metricsHost: string;
  /** Public address of the service; like all addresses here without a trailing slash. */
  readonly baseUrl: string;
  readonly docsUrl: string;
  /** Public website with one page per property, used by feeds and discovery. */
  readonly siteUrl: string;
  /** Absolute path. */
  readonly dataDir: string;
  /**
   * Without `REDIS_URL`, the private socket of `dataDir`. It follows from `DATA_DIR` alone, so
   * every role finds it without being told.
   */
  readonly redis: RedisTarget;
  /** True when `all` starts and stops Redis itself. */
  readonly redisIsPrivate: boolean;
  /** How long a start waits for the Redis of `REDIS_URL`. */
  readonly startTimeoutMs: number;
  /** `maxmemory` of the private Redis. */
  readonly redisMaxMemoryMb: number;
  readonly apiProcesses: number;
  /** Proxies in front that add to `X-Forwarded-For`; 0 believes no such header. */
  readonly trustedProxies: number;
  /** Origins whose pages may call `/v1`, `/mcp` and `/a2a`, as browsers send them. */
  readonly corsOrigins: ReadonlySet<string>;
  readonly lanes: number;
  readonly platformAudience: string;
  /** Null when OAuth is not configured (`OAUTH_ISSUER` set to nothing). */
  readonly oauthIssuer: string | null;
  readonly receiptIssuer: string;
  readonly holdTtlMs: number;
  readonly quoteTtlMs: number;
  /** For how long a key is known at least whose command was refused and changed nothing. */
  readonly idempotencyDays: number;
  readonly paymentProvider: PaymentProviderName;
  /** Null when not set. */
  readonly stripeSecretKey: string | null;
  /** Where mails to guests go; null writes them into `outboxPath`. */
  readonly smtpServer: SmtpServer | null;
  /** Whom mails to guests come from. */
  readonly mailFrom: Mailbox;
  /** Development only: addresses that tenants enter (key sets, receivers) may be private. */
  readonly webhooksAllowPrivate: boolean;
  /** Milliseconds before each attempt to deliver an event, the first one included. */
  readonly webhookRetryScheduleMs: readonly number[];
  /** For how long deliveries are kept once they are settled. */
  readonly webhookRetentionDays: number;
  /** Rows of the journal that are older are sealed into segments; 0 seals none by itself. */
  readonly archiveAfterDays: number;
  /** MiB of the journal that a tenant's changes of supply may take in a day. */
  readonly supplyMbPerDay: number;
  /** When the feeds of a tenant are built every night, `HH:mm` in its time zone. */
  readonly feedNightlyAt: string;
  /** A feed that is older is built anew. */
  readonly feedMaxAgeMs: number;
  /** For so long nothing may have changed before changes are taken into a feed. */
  readonly feedDebounceMs: number;
  /** How long who asks for a feed before there is one waits for it. */
  readonly feedWaitMs: number;
  /** What partners must show who fetch feeds. */
  readonly feedCredentials: FeedCredentials;
  /** The value that a start refused for its clock has printed: sets the journal's time. */
  readonly acceptClock: string | null;
  /** The value that a start refused for lost rows has printed: gives up what is missing. */
  readonly acceptLoss: string | null;
  readonly logFormat: LogFormat;
  /** People are told what matters, and of the start in lines of its own; programs more. */
  readonly logLevel: LogLevel;
  /** Seed demo data when `dataDir` holds none. */
  readonly demo: boolean;
  /** Variables that are no settings and look like one, each with the one that may be meant. */
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
 * Reads the whole configuration from `env`; a variable that is empty counts as unset, except
 * `OAUTH_ISSUER`, where empty switches OAuth off.
 *
 * @throws ConfigError that names every bad variable and what it expects.
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
    paymentProvider: read.oneOf("PAYMENT_PROVIDER", PAYMENT_PROVIDER_NAMES, "sandbox"),
    stripeSecretKey: read.text("STRIPE_SECRET_KEY"),
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
    misspelt: read.misspelt(),
  };
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return Object.freeze(config);
}

/** sockaddr_un.sun_path is 104 bytes on macOS and 108 on Linux, with the final zero. */
const SOCKET_PATH_BYTES_MAX = 103;

/**
 * The private Redis socket of a data directory. When the path is too long for a unix socket, a
 * short one under the system's temporary directory, derived from the long one, takes its place.
 */
export function privateSocketPath(dataDir: string): string {
  const path = join(dataDir, "redis", "redis.sock");
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX) return path;
  const digest = createHash("sha256").update(path).digest("hex").slice(0, 16);
  return join(tmpdir(), `innkeep-${digest}`, "redis.sock");
}

/** The control store of a data directory: who may call, and what signs. */
export function controlPath(dataDir: string): string {
  return join(dataDir, "control.db");
}

/** Sessions of the advisor. */
export function advisorPath(dataDir: string): string {
  return join(dataDir, "advisor.db");
}

/** Deliveries of events to webhook endpoints, and what became of them. */
export function deliveriesPath(dataDir: string): string {
  return join(dataDir, "deliveries.db");
}

/** Which partner feeds are kept, and the runs that build them. */
export function feedsPath(dataDir: string): string {
  return join(dataDir, "feeds.db");
}

/** The documents of the partner feeds. */
export function feedsDirectory(dataDir: string): string {
  return join(dataDir, "feeds");
}

/** The key figures, as they were counted out of the journal. */
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

/** Which mails are due to guests, and what became of them. */
export function mailPath(dataDir: string): string {
  return join(dataDir, "mail.db");
}

/** Where mails to guests are written that no mail server gets. */
export function outboxPath(dataDir: string): string {
  return join(dataDir, "outbox");
}

/** An address at the host of the service; nobody takes mails from or at a bare IP address. */
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

/** A year of rates of 20,000 hotels takes about as much. */
const SUPPLY_MB: IntegerRange = { least: 1, most: 1_048_576, fallback: 1_024 };

const ARCHIVE_DAYS: IntegerRange = { least: 0, most: 3_650, fallback: 30 };

/** Delays before the attempts of a delivery (domain §11): the last one 28 hours after the first. */
const RETRY_SCHEDULE_S = "0,5,300,1800,7200,18000,36000,36000";
const DELAYS_MAX = 20;

/** Reads typed values and collects what is wrong instead of stopping at the first. */
class Reader {
  readonly problems: string[] = [];
  readonly #env: Environment;
  /** Every setting that was asked for. */
  readonly #known = new Set<string>();

  constructor(env: Environment) {
    this.#env = env;
  }

  /** To be asked last: variables that were not asked for, and look like one that was. */
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

  /** A time that every night has once, in all zones: clocks are set between 01:00 and 03:30. */
  nightTime(name: string, fallback: string): string {
    const value = this.text(name) ?? fallback;
    const isTime = /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value);
    if (isTime && (value < "01:00" || value > "03:30")) return value;
    return this.#refuse(name, "HH:mm, not from 01:00 to 03:30, when clocks are set", fallback);
  }

  flag(name: string): boolean {
    return this.oneOf(name, ["0", "1"], "0") === "1";
  }

  /** Seconds, comma separated, with up to three decimals; as milliseconds. */
  delays(name: string, fallback: string): readonly number[] {
    const parts = (this.text(name) ?? fallback).split(",").map((part) => part.trim());
    const isDelay = (part: string) => /^\d{1,6}(\.\d{1,3})?$/.test(part);
    if (parts.length <= DELAYS_MAX && parts.every(isDelay)) {
      return parts.map((part) => Math.round(Number(part) * 1000));
    }
    return this.#refuse(name, `1 to ${DELAYS_MAX} delays in seconds, as in ${fallback}`, []);
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
    const expected = "origins like https://app.example:8443, comma separated; no *, null or path";
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

  /** The value itself is not repeated: several of these variables can hold a password. */
  #refuse<T>(name: string, expected: string, fallback: T): T {
    this.problems.push(`${name}: expected ${expected}`);
    return fallback;
  }
}
