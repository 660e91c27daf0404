/** An api process: the HTTP front end over a local replica and a line to the engine. */
import { join } from "node:path";
import { Replica } from "../../engine/shell/replica.ts";
import { Board } from "../../jobs/board.ts";
import { connect, whenReady } from "../../jobs/connections.ts";
import { ControlSignal } from "../../jobs/control-signal.ts";
import { queuePrefix } from "../../jobs/queues.ts";
import { QuoteStore } from "../../jobs/quote-store.ts";
import { RateLimiter } from "../../jobs/rate-limiter.ts";
import { Submitter } from "../../jobs/submitter.ts";
import { createApp, type Parts } from "../app.ts";
import { AccessTokens } from "../auth/access-token.ts";
import { KeyRing } from "../auth/key-ring.ts";
import { logger } from "../base/log.ts";
import { Metrics, memoryFamily, single } from "../base/metrics.ts";
import { randomHex } from "../base/trace.ts";
import type { Config } from "../config.ts";
import { LastUsed } from "../control/last-used.ts";
import { NoticeSender } from "../control/notice-sender.ts";
import { ensureSigningKeys } from "../control/signing-keys.ts";
import { CONTROL_FILE, openControlStore } from "../control/store.ts";
import { ControlView } from "../control/view.ts";
import { receiptKeysOf, type Secrets } from "../privacy/secrets.ts";
import type { Service } from "../service.ts";
import { journalPath } from "./engine.ts";

const REDIS_READY_MS = 10_000;
/** How long requests in work may take at a stop; the rest of the api's 4 s is for the answers. */
const DRAIN_MS = 3_000;
/** An idle replica follows the journal at this pace; a request that reads it catches up itself. */
const FOLLOW_EVERY_MS = 50;
const FOLLOW_BUDGET_MS = 5;

/** Starts one api process on the configured port; several share it. */
export async function start(config: Config, secrets: Secrets): Promise<Service> {
  const log = logger("api", config.logLevel);
  const onError = (error: unknown) => log.warn("redis", { error: String(error) });
  const replica = new Replica(journalPath(config.dataDir));
  const prefix = queuePrefix(replica.journalId);
  const producer = connect(config.redis, "producer", onError);
  const subscriber = connect(config.redis, "worker", onError);
  await whenReady(producer, REDIS_READY_MS);
  const submitter = await Submitter.open({
    ...{ producer, subscriber, prefix, partitions: config.partitions, onError },
    instance: `api-${randomHex(8)}`,
    byKey: (key) => replica.recentByKey(key),
  });
  const store = openControlStore(join(config.dataDir, CONTROL_FILE), secrets.credential_pepper);
  const masterKey = Buffer.from(secrets.master_key, "base64url");
  await ensureSigningKeys(store, masterKey);
  const control = new ControlView(store, { allowPrivate: config.webhooksAllowPrivate });
  const keyRing = new KeyRing(control, masterKey);
  const onSignal = () => control.refresh();
  const signal = await ControlSignal.open({ producer, subscriber, prefix, onSignal, onError });
  const hmac = Buffer.from(secrets.hmac_key, "base64url");
  const notices = new NoticeSender({
    ...{ store, submitter, hmac },
    docs: config.docsUrl,
    onError: (error) => log.warn("notices", { error: String(error) }),
  });
  const metrics = new Metrics();
  const deps: Parts = {
    ...{ config, replica, submitter, metrics, log },
    keys: {
      master: masterKey,
      hmac,
      receipts: receiptKeysOf(secrets),
    },
    ...{ control, store, signal, notices, keyRing },
    accessTokens: accessTokensOf(config, keyRing),
    lastUsed: new LastUsed(store, (error) => log.warn("last used", { error: String(error) })),
    quotes: new QuoteStore(producer, prefix),
    limiter: new RateLimiter(producer, prefix),
    board: new Board(producer, prefix),
    now: () => Date.now(),
  };
  const follow = setInterval(() => replica.catchUp(FOLLOW_BUDGET_MS), FOLLOW_EVERY_MS);
  deps.board.post("api", () => ({ families: familiesOf(deps) }));
  const app = createApp(deps).listen({ port: config.port, hostname: config.host, reusePort: true });
  return {
    id: "api",
    async stop() {
      // No new requests; who waits for a booking is told to ask again with the same key.
      const drained = app.server?.stop();
      await Promise.race([drained, Bun.sleep(DRAIN_MS)]);
      notices.close();
      await submitter.close();
      await drained;
      clearInterval(follow);
      deps.board.close();
      deps.quotes.close();
      producer.disconnect();
      subscriber.disconnect();
      deps.control.close();
      deps.lastUsed.close();
      replica.close();
      store.close();
    },
  };
}

function accessTokensOf({ oauthIssuer, baseUrl }: Config, keyRing: KeyRing): AccessTokens | null {
  return oauthIssuer === null ? null : new AccessTokens(keyRing, oauthIssuer, baseUrl);
}

function familiesOf({ metrics, submitter, replica, limiter }: Parts) {
  const lag = replica.lagMs() / 1000;
  const { envelopes, commands } = submitter.sent;
  return [
    ...metrics.families(),
    single("innkeep_replica_lag_seconds", "gauge", "Age of the replica.", lag),
    single("innkeep_replica_row", "gauge", "Last journal row applied.", replica.head.row),
    single("innkeep_envelopes_total", "counter", "Envelopes sent.", envelopes),
    single("innkeep_envelope_commands_total", "counter", "Commands in envelopes.", commands),
    single("innkeep_unlimited_total", "counter", "Requests no limit saw.", limiter.unlimited),
    single("innkeep_commands_waiting", "gauge", "Commands without outcome.", submitter.waiting),
    memoryFamily(),
  ];
}
