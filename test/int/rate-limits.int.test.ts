/**
 * Goal: a limit is shared by all processes, reports the caller's budget, and never blocks a service
 * whose Redis is down. Method: two api processes, agents with small limits, bursts of calls over
 * many connections.
 */
import { expect, test } from "bun:test";
import { issueCredential } from "../../src/access/control/credentials.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer } from "../support/answer.ts";
import { createHotel, newKey, newQuote, sendHold, stayRequest } from "../support/client.ts";
import { until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const PROCESSES = 2;

const service = await serviceOfFile({ API_PROCESSES: String(PROCESSES) });
const hotel = await createHotel(service);

/** A limited agent that both processes know, of which it has not spent a call. */
async function newAgent(rpm: number, burst: number): Promise<DemoAgent> {
  const [agent, probe] = await service.newAgents([
    { limits: { rpm, burst, max_open_holds: null, max_open_quotes: null } },
    {},
  ]);
  await untilKnownToAll(probe!);
  return agent!;
}

/** Resolves when so many connections know the agent that both processes must be among them. */
async function untilKnownToAll(probe: DemoAgent): Promise<void> {
  await until("both processes know the agent", async () => {
    return (await callAtOnce(probe, 16)).every(({ status }) => status === 200);
  });
}

/** Calls at once, each on a connection of its own, so that both processes get some. */
function callAtOnce(agent: DemoAgent | null, count: number, path = "/v1/properties") {
  const headers = { connection: "close" };
  return Promise.all(
    Array.from({ length: count }, () => service.api("GET", path, { agent, headers })),
  );
}

/** `name;r=…;t=…` of the answer. */
function standing({ headers }: Answer): { remaining: number; fullInS: number } {
  const [, remaining, fullInS] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit")!)!;
  return { remaining: Number(remaining), fullInS: Number(fullInS) };
}

test("a burst over two processes passes exactly as often as the limit says", async () => {
  // One a minute comes back, so none does while the test runs.
  const agent = await newAgent(1, 12);
  const answers = await callAtOnce(agent, 40);
  const passed = answers.filter(({ status }) => status === 200);
  const standings = passed.map((answer) => standing(answer).remaining).sort((a, b) => a - b);
  expect(standings).toEqual(Array.from({ length: 12 }, (_, i) => i));
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    const { retry_after, detail, next_actions } = answer.refused("rate_limited");
    expect(retry_after).toBeWithin(1, 61);
    expect(detail).toEqual({ policy: "default", limit: 1, burst: 12, window_s: 60 });
    expect(next_actions).toEqual([{ rel: "retry", method: "GET", href: "/v1/properties" }]);
    expect(standing(answer).remaining).toBe(0);
  }
});

test("every protected answer has the limit, refusals too; an unlimited agent has none", async () => {
  const agent = await newAgent(600, 50);
  const refused = await service.api("GET", "/v1/bookings/bkg_x", { agent });
  refused.refused("booking_not_found");
  const answer = await service.api("GET", "/v1/properties", { agent });
  for (const { headers } of [refused, answer]) {
    expect(headers.get("ratelimit-policy")).toBe('"default";q=50;w=5');
  }
  const { remaining, fullInS } = standing(answer);
  expect(remaining).toBeWithin(40, 50);
  expect(fullInS).toBeWithin(1, 3);
  const free = await service.api("GET", "/v1/properties");
  expect(free.headers.has("ratelimit")).toBeFalse();
});

test("after retry_after the call passes", async () => {
  const agent = await newAgent(60, 1);
  let refused = await service.api("GET", "/v1/properties", { agent });
  while (refused.status === 200) refused = await service.api("GET", "/v1/properties", { agent });
  const { retry_after } = refused.refused("rate_limited");
  await Bun.sleep(retry_after! * 1000);
  (await service.api("GET", "/v1/properties", { agent })).ok();
});

test("each credential has a budget of its own, and a replay counts", async () => {
  const agent = await newAgent(1, 6);
  const { secret } = service.control((store) => issueCredential(store, agent.agent_id));
  const [probe] = await service.newAgents([{}]);
  await untilKnownToAll(probe!);
  const other = { ...agent, secret };
  const quote = await newQuote(service, stayRequest(hotel));
  const key = newKey();
  const first = await sendHold(service, quote.quote_id, { agent: other, key });
  first.refused("quote_not_found");
  const { remaining } = standing(first);
  const replay = await sendHold(service, quote.quote_id, { agent: other, key });
  expect(replay.isReplayed).toBeTrue();
  expect(standing(replay).remaining).toBe(remaining - 1);
  await callAtOnce(agent, 10);
  (await service.api("GET", "/v1/properties", { agent })).refused("rate_limited");
  expect((await service.api("GET", "/v1/properties", { agent: other })).status).toBe(200);
});

test("a public call that costs something is limited per address", async () => {
  const body = { kind: "booking_confirmed", subject: {}, issued_at: "x", issuer: "x" };
  const send = () => {
    const sent = { ...body, signature: "x" };
    return service.api("POST", "/v1/receipts/verify", { agent: null, body: sent });
  };
  const answers = await Promise.all(Array.from({ length: 90 }, send));
  const limited = answers.filter(({ status }) => status === 429);
  // 60 at once, and one more for each second that the calls took.
  expect(limited.length).toBeWithin(20, 31);
  expect(limited[0]!.refused("rate_limited").detail).toMatchObject({ policy: "verify", limit: 60 });
});

test("readiness is checked at most once a second and has a wide limit", async () => {
  const ask = () => service.api("GET", "/readyz", { agent: null });
  // The answers of one look are known by their instant.
  const answers: Answer[] = [];
  const startedMs = performance.now();
  for (let i = 0; i < 200; i++) answers.push(await ask());
  const looks = new Set(answers.map((each) => each.ok<{ timestamp: string }>().data.timestamp));
  const seconds = (performance.now() - startedMs) / 1_000;
  expect(looks.size).toBeLessThanOrEqual(Math.ceil(seconds + 1) * PROCESSES);
  const rest = await Promise.all(Array.from({ length: 800 }, ask));
  const limited = rest.filter(({ status }) => status === 429);
  // What comes back while they are asked, ten each second, passes as well.
  expect(limited.length).toBeWithin(1, 401);
  const { detail } = limited[0]!.refused("rate_limited");
  expect(detail).toEqual({ policy: "readyz", limit: 600, burst: 600, window_s: 60 });
});

test("behind a proxy each client has its own budget, and none can choose another's", async () => {
  await service.restart({ TRUSTED_PROXIES: "1" });
  const askForToken = (forwarded: string) => {
    const headers = {
      "content-type": "application/x-www-form-urlencoded",
      "x-forwarded-for": forwarded,
    };
    const raw = "grant_type=client_credentials";
    return service.api("POST", "/oauth/token", { agent: null, headers, raw });
  };
  const statusesOf = async (forwarded: (i: number) => string) => {
    const answers = Array.from({ length: 80 }, (_, i) => askForToken(forwarded(i)));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect(await statusesOf((i) => `203.0.113.${i}`)).toEqual(Array(80).fill(401));
  expect(await statusesOf((i) => `203.0.113.${i}, 198.51.100.7`)).toContain(429);
});

test("no call is limited while Redis is down, and that is counted", async () => {
  const agent = await newAgent(1, 3);
  await callAtOnce(agent, 6);
  (await service.api("GET", "/v1/properties", { agent })).refused("rate_limited");
  const { redis } = service.pids;
  process.kill(redis!, "SIGKILL");
  await until("a call passes", async () => {
    return (await service.api("GET", "/v1/properties", { agent })).status === 200;
  });
  await until("Redis is back", async () => service.pids.redis !== redis);
  const counted = /^innkeep_unlimited_total\{.*\} [1-9]/m;
  await until("the passes are counted", async () => {
    return counted.test(await service.metrics());
  });
});
