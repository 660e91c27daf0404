/** Reads settings from the environment, with types. */
import { isDatabaseUrl } from "../engine/postgres/database-url.ts";
import { type FeedCredentials, feedCredentialsIn } from "../feeds/credentials.ts";
import { type SmtpServer, smtpServerIn } from "../jobs/mail/smtp.ts";
import { type RedisTarget, redisTargetIn } from "../jobs/redis/redis-target.ts";
import { type Mailbox, mailboxIn } from "./lib/mailbox.ts";
import { originsIn } from "./lib/origins.ts";
import { suggestSimilar } from "./lib/suggest-similar.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the journal is: on this machine's disk, or in PostgreSQL with a copy here. */
const STORES = ["embedded", "postgres"] as const;

/** Attempts of a delivery. */
const DELAYS_MAX = 20;

export interface IntegerRange {
  readonly least: number;
  readonly most: number;
  readonly fallback: number;
}

/** Reads typed values and collects all problems. */
export class SettingsReader {
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
    const expected =
      "redis://host, rediss://host, unix:///absolute/path, or redis+sentinel://host,host/name";
    return redisTargetIn(value) ?? this.#refuse(name, expected, null);
  }

  /** `DATABASE_URL` with `STORE=postgres`, which needs a Redis that every machine reaches. */
  databaseUrl(): string | null {
    const value = this.text("DATABASE_URL");
    if (this.oneOf("STORE", STORES, "embedded") === "embedded") return null;
    if (this.text("REDIS_URL") === null)
      this.#refuse("REDIS_URL", "set, with STORE=postgres", null);
    const expected =
      "postgres://user@host:port/database, of several nodes user@host:port,host:port";
    if (value !== null && isDatabaseUrl(value)) return value;
    return this.#refuse("DATABASE_URL", expected, null);
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
