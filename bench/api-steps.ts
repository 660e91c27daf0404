/**
 * The process that takes a hold's call apart: `ApiSteps` as JSON is its argument, the CPU of each
 * step in each sample as JSON what it prints. It is an api process without its server: everything
 * else is the real one, with Redis and the engine of a running installation behind it.
 */
import { Replica } from "../engine/log/replica.ts";
import { TrafficCounter } from "../jobs/kpis/traffic-counter.ts";
import { TrafficFile } from "../jobs/kpis/traffic-file.ts";
import { queuePrefix } from "../jobs/lanes/queues.ts";
import { QuoteStore } from "../jobs/lanes/quote-store.ts";
import { Submitter } from "../jobs/lanes/submitter.ts";
import { openConnections } from "../jobs/redis/connections.ts";
import { MessageMacs } from "../jobs/redis/message-macs.ts";
import { RateLimiter } from "../jobs/redis/rate-limiter.ts";
import { authenticate } from "../src/access/auth/bearer.ts";
import { LastUsed } from "../src/access/control/last-used.ts";
import { openControlStore } from "../src/access/control/store.ts";
import { ControlView } from "../src/access/control/view.ts";
import { keyVersionsOf } from "../src/access/privacy/keychain.ts";
import { loadSecrets } from "../src/access/privacy/secrets.ts";
import { PLACED } from "../src/api/holds/render.ts";
import { ROUTES } from "../src/app.ts";
import {
  controlPath,
  journalPath,
  privateSocketPath,
  readConfig,
  trafficPath,
} from "../src/config.ts";
import { allowed, mayOf } from "../src/http/admission.ts";
import type { Success } from "../src/http/answer.ts";
import { readBody } from "../src/http/body.ts";
import { type Call, commandMeta } from "../src/http/call.ts";
import type { Context } from "../src/http/context.ts";
import { headFault } from "../src/http/head-checks.ts";
import { finished } from "../src/http/headers.ts";
import { readKey } from "../src/http/idempotency.ts";
import { pathOf, respond } from "../src/http/pipeline.ts";
import { readQuery } from "../src/http/query.ts";
import type { ProtectedRoute } from "../src/http/route.ts";
import { sendData } from "../src/http/send-data.ts";
import { installationOf } from "../src/lib/installation.ts";
import { logger } from "../src/lib/log.ts";
import { Metrics } from "../src/lib/metrics.ts";
import { traceOf } from "../src/lib/trace.ts";

export interface ApiSteps {
  readonly dataDir: string;
  /** Of an agent without limits. */
  readonly secret: string;
  /** File with the ids of the agent's quotes that are stored there, as a list in JSON. */
  readonly quotesPath: string;
}

/** Microseconds of this process's CPU per call, by sample. */
export type StepSamples = readonly { readonly name: string; readonly micros: readonly number[] }[];

const SAMPLES = 9;
/** As many calls are under way at once as in the runs over HTTP. */
const AT_ONCE = 32;
const CALLS = 200 * AT_ONCE;
/** Of what goes to the engine. */
const FAR_CALLS = 40 * AT_ONCE;
const WARM_UP_SAMPLES = 10;
const URL = "http://127.0.0.1:3000/v1/holds";
const BODY_BYTES_MAX = 65_536;
const LIMIT = { name: "bench", limit: 1_000_000, windowS: 60, burst: 1_000_000 };

const { dataDir, secret, quotesPath } = JSON.parse(process.argv[2]!) as ApiSteps;
const quoteIds: readonly string[] = await Bun.file(quotesPath).json();
const config = readConfig({ ...process.env, DATA_DIR: dataDir });
const secrets = loadSecrets(dataDir, {});
const replica = new Replica(journalPath(dataDir));
const prefix = queuePrefix(installationOf(dataDir), replica.journalId);
const target = { path: privateSocketPath(dataDir) };
const redis = await openConnections(target, ["hot", "subscriber"], () => {});
const { hot, subscriber } = redis;
const quoteKeys = keyVersionsOf(secrets, "quotes");
const macs = new MessageMacs(quoteKeys, () => {});
const submitter = new Submitter({
  ...{ hot, subscriber, prefix, macs },
  ...{ lanes: config.lanes, now: Date.now, instance: "api-steps" },
  byKey: (key) => replica.recentByKey(key),
  onError: (error) => console.error(error),
});
const store = openControlStore(controlPath(dataDir), secrets.credential_pepper);
const context = {
  ...{ config, replica, submitter, routes: ROUTES, accessTokens: null },
  keys: {
    hmac: Buffer.from(secrets.hmac_key, "base64url"),
    quotes: quoteKeys,
  },
  control: new ControlView(store, { allowPrivate: true }),
  lastUsed: new LastUsed(store, () => {}),
  limiter: new RateLimiter(hot, prefix),
  quotes: new QuoteStore(hot, prefix, macs),
  metrics: new Metrics(),
  traffic: new TrafficCounter({
    ...{ file: new TrafficFile(trafficPath(dataDir)), now: Date.now, onError: console.error },
  }),
  log: logger("api", config),
  ...{ now: Date.now, engineNow: Date.now },
} as unknown as Context;
const route = ROUTES.byId("hold") as ProtectedRoute;
const origin = { clientAddress: () => "127.0.0.1" };
const authorization = `Bearer ${secret}`;
const known = await authenticate(context, { authorization, nowMs: Date.now() });
if (!known.ok) throw new Error("the agent is unknown");
const { principal } = known;

let sent = 0;

function requestOf(): Request {
  sent += 1;
  const body = JSON.stringify({ quote_id: quoteIds[sent % quoteIds.length] });
  const headers = {
    ...{ host: "127.0.0.1:3000", authorization, "idempotency-key": `step-${sent}` },
    ...{ "content-type": "application/json", "content-length": String(body.length) },
  };
  return new Request(URL, { method: "POST", headers, body });
}

function callOf(request: Request): Call {
  const quote_id = quoteIds[sent % quoteIds.length];
  return {
    ...{ context, route, request, method: "POST", path: "/v1/holds", params: {} },
    ...{ query: new Map(), traceId: traceOf(null).traceId, clientAddress: origin.clientAddress },
    ...{ body: { quote_id }, sent: { quote_id }, bodyBytes: 40, answerHeaders: {} },
    ...{ may: mayOf(principal, ROUTES), realm: principal, principal, delegation: null },
    ...{ key: `call-${sent}`, seenVersion: null },
  };
}

/** A step of calls that `prepare` makes; what that costs is none of it. */
interface Step<T> {
  readonly name: string;
  readonly prepare: () => T | Promise<T>;
  readonly take: (prepared: T) => unknown;
  /** In a sample. */
  readonly calls?: number;
}

const samples: { name: string; micros: number[] }[] = [];

async function sampleOf<T>({ prepare, take, calls = CALLS }: Step<T>): Promise<number> {
  const prepared = await Promise.all(Array.from({ length: calls }, prepare));
  const before = process.cpuUsage();
  for (let from = 0; from < calls; from += AT_ONCE) {
    const taken = prepared.slice(from, from + AT_ONCE).map(take);
    if (taken[0] instanceof Promise) await Promise.all(taken);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

async function measure<T>(step: Step<T>): Promise<void> {
  for (let n = 0; n < WARM_UP_SAMPLES; n += 1) await sampleOf(step);
  const micros: number[] = [];
  for (let n = 0; n < SAMPLES; n += 1) micros.push(await sampleOf(step));
  samples.push({ name: step.name, micros });
}

async function commandOf() {
  const call = callOf(requestOf());
  const { quote_id } = call.body as { quote_id: string };
  const quote = await context.quotes.get(principal.tenant_id, principal.mode, quote_id);
  const limits = { max_open_holds: null, max_booking_amount: null };
  const { holdTtlMs: ttl_ms } = config;
  return { ...commandMeta(call), type: "PlaceHold" as const, quote_id, quote, ttl_ms, limits };
}

async function placed() {
  const call = callOf(requestOf());
  const { outcome } = await submitter.submit(await commandOf(), { deadlineMs: 5_000 });
  if (!outcome.ok || outcome.kind !== "hold") throw new Error("a hold was refused");
  return { call, outcome };
}

function rendered({ call, outcome }: Awaited<ReturnType<typeof placed>>): Response {
  const answer: Success = { ok: true, ...PLACED.answer(call, outcome) };
  return sendData("envelope", call, answer) as Response;
}

await submitter.start();
await measure({
  name: "its head: host, path, query, trace",
  prepare: requestOf,
  take: (request) => [
    headFault(request),
    pathOf(request.url),
    readQuery(request.url),
    traceOf(request.headers.get("traceparent")),
  ],
});
await measure({
  name: "whose secret it is, and what that may",
  prepare: requestOf,
  take: ({ headers }) => [
    authenticate(context, { authorization: headers.get("authorization"), nowMs: Date.now() }),
    allowed(route.access, principal),
  ],
});
await measure({
  name: "a limit, where there is one",
  prepare: () => "step",
  take: (key) => context.limiter.take(key, LIMIT),
});
await measure({
  name: "its body: bytes, UTF-8, JSON, schema",
  prepare: requestOf,
  take: async (request) => {
    const reading = await readBody(request, BODY_BYTES_MAX);
    return reading.ok && route.body!.read(reading.body, Date.now());
  },
});
await measure({
  name: "its key, and the hashes of key and body",
  prepare: () => callOf(requestOf()),
  take: (call) => [
    readKey(call.request.headers.get("idempotency-key"), undefined, true),
    commandMeta(call),
  ],
});
await measure({
  name: "its quote",
  prepare: () => quoteIds[++sent % quoteIds.length]!,
  take: (id) => context.quotes.get(principal.tenant_id, principal.mode, id),
});
await measure({
  name: "to the engine and back",
  prepare: commandOf,
  take: (command) => submitter.submit(command, { deadlineMs: 5_000 }),
  calls: FAR_CALLS,
});
// Of few holds: each on a quote tells of all others on it.
const holds = await Promise.all(Array.from({ length: FAR_CALLS }, placed));
const anyHold = () => holds[++sent % holds.length]!;
await measure({
  name: "what comes next, the text, the response",
  prepare: anyHold,
  take: rendered,
});
await measure({
  name: "the headers of every answer, counters",
  prepare: () => ({ call: anyHold().call, response: rendered(anyHold()) }),
  take: ({ call, response }) => {
    context.metrics.request(route, response.status, 1);
    context.traffic.note(principal, route, response.status, 1);
    return finished(response, call);
  },
});
await measure({
  name: "the whole call, without the server",
  prepare: requestOf,
  take: async (request) => {
    const { status } = await respond(route, request, {}, context, origin);
    if (status !== 201) throw new Error(`a hold was answered ${status}`);
  },
  calls: FAR_CALLS,
});
process.stdout.write(JSON.stringify(samples satisfies StepSamples));
process.exit(0);
