import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { PAYMENT_PROVIDER_NAMES } from "../jobs/payments/providers.ts";
import { ConfigError, readConfig } from "./config.ts";

test("an empty environment gives the documented defaults", () => {
  const config = readConfig({ LOG_FORMAT: "json" });
  expect(config).toMatchObject({
    port: 3000,
    metricsPort: 9464,
    metricsHost: "127.0.0.1",
    baseUrl: "http://localhost:3000",
    docsUrl: "http://localhost:3000/docs",
    siteUrl: "http://localhost:3000",
    dataDir: resolve("data"),
    redis: { path: resolve("data/redis/redis.sock") },
    redisIsPrivate: true,
    platformAudience: "http://localhost:3000",
    oauthIssuer: "http://localhost:3000",
    receiptIssuer: "http://localhost:3000",
    holdTtlMs: 900_000,
    quoteTtlMs: 1_800_000,
    paymentProvider: "sandbox",
    stripeSecretKey: null,
    stripeApiUrl: "https://api.stripe.com",
    stripeWebhookSecrets: [],
    smtpServer: null,
    mailFrom: { name: null, address: "noreply@localhost" },
    webhooksAllowPrivate: false,
    webhookRetryScheduleMs: [0, 5e3, 300e3, 1_800e3, 7_200e3, 18_000e3, 36_000e3, 36_000e3],
    webhookRetentionDays: 30,
    feedNightlyAt: "04:10",
    feedMaxAgeMs: 21_600_000,
    feedDebounceMs: 120_000,
    trustedProxies: 0,
    logLevel: "info",
    demo: false,
    demoHotels: 66,
  });
  expect(config.lanes).toBeWithin(1, 9);
  expect(config.apiProcesses).toBeWithin(1, 5);
  expect(Object.isFrozen(config)).toBe(true);
});

test("two secrets of Stripe's events are accepted during a rotation", () => {
  const config = readConfig({ STRIPE_WEBHOOK_SECRET: " whsec_new, whsec_old " });
  expect(config.stripeWebhookSecrets).toEqual(["whsec_new", "whsec_old"]);
});

test("delays of deliveries are seconds, with or without decimals and spaces", () => {
  const config = readConfig({ WEBHOOK_RETRY_SCHEDULE_S: "0, 0.25,60" });
  expect(config.webhookRetryScheduleMs).toEqual([0, 250, 60_000]);
  const tooMany = Array.from({ length: 21 }, () => "1").join(",");
  for (const bad of ["0,,1", "-1", "5m", "0,1e3", "0,0.0001", tooMany]) {
    expect(() => readConfig({ WEBHOOK_RETRY_SCHEDULE_S: bad })).toThrow("WEBHOOK_RETRY_SCHEDULE_S");
  }
});

test("feeds are built at a time that exists once in every night, despite clock changes", () => {
  for (const good of ["00:59", "03:31", "23:59", "04:10"]) {
    expect(readConfig({ FEED_NIGHTLY_AT: good }).feedNightlyAt).toBe(good);
  }
  for (const bad of ["01:00", "02:30", "03:30", "4:10", "24:00", "04:60", "04:10:00"]) {
    expect(() => readConfig({ FEED_NIGHTLY_AT: bad })).toThrow("FEED_NIGHTLY_AT");
  }
});

test("partner credentials are kept as digests, and invalid ones are refused without being shown", () => {
  expect(readConfig({}).feedCredentials.size).toBe(0);
  const { feedCredentials } = readConfig({ FEED_CREDENTIALS: "google=g:hunter2" });
  expect([...feedCredentials.keys()]).toEqual(["google"]);
  expect(JSON.stringify([...feedCredentials])).not.toContain("hunter2");
  const refused = () => readConfig({ FEED_CREDENTIALS: "google=g:hunter2,expedia=e:s" });
  expect(refused).toThrow("FEED_CREDENTIALS: expected partner=user:password");
  expect(refused).not.toThrow("hunter2");
});

test("no origin may call unless it is configured by its own entry", () => {
  expect(readConfig({}).corsOrigins.size).toBe(0);
  const { corsOrigins } = readConfig({ CORS_ORIGINS: "https://App.example, http://localhost:80" });
  expect([...corsOrigins]).toEqual(["https://app.example", "http://localhost"]);
  for (const bad of ["*", "null", "https://app.example/", "https://app.example,*"]) {
    expect(() => readConfig({ CORS_ORIGINS: bad })).toThrow(
      "CORS_ORIGINS: expected comma-separated origins like",
    );
  }
});

test("omitted addresses follow BASE_URL, which loses its trailing slash", () => {
  const config = readConfig({ BASE_URL: "https://inn.example/", PORT: "0" });
  expect(config.port).toBe(0);
  expect(config.baseUrl).toBe("https://inn.example");
  expect(config.docsUrl).toBe("https://inn.example/docs");
  expect(config.platformAudience).toBe("https://inn.example");
  expect(config.receiptIssuer).toBe("https://inn.example");
});

test("an empty OAUTH_ISSUER switches OAuth off", () => {
  expect(readConfig({ OAUTH_ISSUER: "" }).oauthIssuer).toBeNull();
});

test("REDIS_URL is a unix socket or a redis address, and then Redis is external", () => {
  const socket = readConfig({ REDIS_URL: "unix:///run/redis.sock" });
  expect(socket.redis).toEqual({ path: "/run/redis.sock" });
  expect(socket.redisIsPrivate).toBe(false);
  const remote = readConfig({ REDIS_URL: "rediss://:pw@redis.example:6380/1" });
  expect(remote.redis).toEqual({ url: "rediss://:pw@redis.example:6380/1" });
  const sentinels = readConfig({ REDIS_URL: "redis+sentinel://a,b:1/inn" });
  const urls = ["redis://a:26379", "redis://b:1"];
  expect(sentinels.redis).toEqual({ sentinels: urls, name: "inn", primary: "redis://primary" });
  expect(sentinels.redisIsPrivate).toBe(false);
});

test("a socket path longer than a unix socket allows is replaced by a short, stable one", () => {
  const DATA_DIR = `/srv/${"very-long-name-".repeat(8)}`;
  const { redis } = readConfig({ DATA_DIR });
  const path = "path" in redis ? redis.path : "";
  expect(path.length).toBeLessThanOrEqual(103);
  expect(path).toEndWith("/redis.sock");
  expect(readConfig({ DATA_DIR }).redis).toEqual(redis);
  expect(readConfig({ DATA_DIR: `${DATA_DIR}2` }).redis).not.toEqual(redis);
});

test("every invalid variable is named with its expected form, and no value is repeated", () => {
  const bad = {
    PORT: "70000",
    METRICS_PORT: "none",
    BASE_URL: "localhost:3000",
    DOCS_URL: "ftp://docs",
    SITE_URL: "http://",
    REDIS_URL: "unix:relative-hunter2",
    REDIS_MAXMEMORY_MB: "1",
    API_PROCESSES: "0",
    LANES: "-1",
    OAUTH_ISSUER: "nobody",
    HOLD_TTL_S: "1.5",
    QUOTE_TTL_S: "soon",
    IDEMPOTENCY_DAYS: "6",
    PAYMENT_PROVIDER: "paypal",
    WEBHOOKS_ALLOW_PRIVATE: "yes",
    LOG_LEVEL: "loud",
    DEMO: "true",
    DEMO_HOTELS: "67",
  };
  let error: unknown;
  try {
    readConfig(bad);
  } catch (thrown) {
    error = thrown;
  }
  if (!(error instanceof ConfigError)) throw new Error("expected a ConfigError", { cause: error });
  const named = error.problems.map((problem) => problem.split(":")[0] ?? "");
  expect(named.toSorted()).toEqual(Object.keys(bad).toSorted());
  for (const problem of error.problems) expect(error.message).toContain(problem);
  const names = PAYMENT_PROVIDER_NAMES.join(", ");
  expect(error.message).toContain(`PAYMENT_PROVIDER: expected one of ${names}`);
  expect(error.message).not.toContain("hunter2");
});

test("mail is sent from the service's host unless configured, and never from a bare IP address", () => {
  const from = (env: object) => readConfig({ ...env }).mailFrom;
  expect(from({ BASE_URL: "https://inn.example:8443/api" }).address).toBe("noreply@inn.example");
  for (const BASE_URL of ["http://192.0.2.1:3000", "http://[2001:db8::1]"]) {
    expect(from({ BASE_URL }).address).toBe("noreply@localhost");
  }
  expect(from({ MAIL_FROM: "The Inn <desk@inn.example>" })).toEqual({
    ...{ name: "The Inn", address: "desk@inn.example" },
  });
});

test("an invalid mail server or sender is refused by name, without its password", () => {
  const env = { SMTP_URL: "smtp://inn:hunter2@mail.example/x", MAIL_FROM: "a@b, c@d" };
  const refused = () => readConfig(env);
  expect(refused).toThrow(/SMTP_URL: expected smtp/);
  expect(refused).toThrow(/MAIL_FROM: expected an address/);
  expect(refused).not.toThrow(/hunter2/);
});

test("a misspelt setting is reported with the setting that it resembles", () => {
  const env = { PROT: "80", HOLD_TTL: "60", DATADIR: "/x", LINES: "40", HOME: "/root", DEMO: "1" };
  expect(readConfig(env).misspelt).toEqual([
    ["PROT", "PORT"],
    ["HOLD_TTL", "HOLD_TTL_S"],
    ["DATADIR", "DATA_DIR"],
  ]);
  // Whoever has said it right as well knows what is meant.
  expect(readConfig({ ...env, DATA_DIR: "/y", PORT: "80" }).misspelt).toHaveLength(1);
});
