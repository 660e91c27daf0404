/**
 * Goal: after faults the service names the problem, loses nothing and recovers by itself. Method:
 * one process tree; its parts are killed, frozen, misconfigured and interrupted, and clients follow
 * the contract: they repeat with the same key.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, steps } from "../support/answer.ts";
import {
  type Booking,
  createHotel,
  type Hold,
  newHold,
  newKey,
  newQuote,
  sendBooking,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { isRunning, until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

/** What a client waits at most for any answer but a booking's. */
const ANSWER_MS = 10_000;

const service = await serviceOfFile();
const hotel = await createHotel(service);

/** Whatever does not need Redis goes on. */
async function expectReads(hold: Hold, booking: Booking): Promise<void> {
  const { stay, guests } = stayRequest(hotel);
  const { booking_id } = booking;
  const answers = await Promise.all([
    service.api("GET", "/v1/properties"),
    service.api("GET", `/v1/properties/${hotel.id}/full`),
    service.api("POST", "/v1/search", { body: { stay, guests } }),
    service.api("GET", `/v1/holds/${hold.hold_id}`),
    service.api("GET", `/v1/bookings/${booking_id}`),
    service.api("GET", `/v1/bookings/${booking_id}/audit`),
    service.api("GET", `/v1/bookings/${booking_id}/cancellation-quote`),
    service.api("GET", "/healthz", { agent: null }),
  ]);
  for (const answer of answers) answer.ok();
  for (const path of ["/", "/.well-known/errors", "/.well-known/delegation-issuers"]) {
    expect((await service.api("GET", path, { agent: null })).status).toBe(200);
  }
}

/** A refusal that says when to try again with the same key. */
function expectUnavailable(answer: Answer): void {
  const { retry_after, next_actions } = answer.refused("upstream_unavailable");
  expect(retry_after).toBeGreaterThanOrEqual(1);
  expect(next_actions.map(({ rel }) => rel)).toEqual(["retry"]);
}

/** Repeats until something else than 503 comes, which may be at once. */
async function insist(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
    expectUnavailable(answer);
    await Bun.sleep(20);
  }
}

async function otherHolds(quoteId: string): Promise<readonly string[]> {
  const { data } = (await sendHold(service, quoteId)).ok<{ other_live_holds: string[] }>(201);
  return data.other_live_holds;
}

function readiness() {
  return service.api("GET", "/readyz", { agent: null });
}

async function someBooking() {
  const hold = await newHold(service, stayRequest(hotel));
  return (await sendBooking(service, hold)).ok<Booking>(201).data;
}

test("while Redis is killed reads go on, writes wait, and a key has its one effect", async () => {
  const booking = await someBooking();
  const hold = await newHold(service, stayRequest(hotel));
  const { quote_id } = await newQuote(service, stayRequest(hotel));
  const keys = Array.from({ length: 5 }, newKey);
  const { redis } = service.pids;
  process.kill(redis!, "SIGKILL");
  const writes = keys.map((key) => insist(() => sendHold(service, quote_id, { key })));
  const quoting = insist(() => service.api("POST", "/v1/quotes", { body: stayRequest(hotel) }));
  while (service.pids.redis === redis) await expectReads(hold, booking);
  const ids = (await Promise.all(writes)).map((answer) => answer.ok<Hold>(201).data.hold_id);
  (await quoting).ok(201);
  expect([...(await otherHolds(quote_id))].sort()).toEqual(ids.sort());
  for (const key of keys)
    expect((await sendHold(service, quote_id, { key })).isReplayed).toBeTrue();
  await until("everything is ready again", async () => (await readiness()).status === 200);
});

test("calls do not hang while Redis hangs, and its return needs no restart", async () => {
  const booking = await someBooking();
  const hold = await newHold(service, stayRequest(hotel));
  const toBook = await newHold(service, stayRequest(hotel));
  const { quote_id } = await newQuote(service, stayRequest(hotel));
  const [key, bookingKey] = [newKey(), newKey()];
  const { redis, supervisor } = service.pids;
  // Who would replace it looks away.
  process.kill(supervisor!, "SIGSTOP");
  process.kill(redis!, "SIGSTOP");
  try {
    const startedMs = performance.now();
    const answers = Promise.all([
      sendHold(service, quote_id, { key }),
      sendHold(service, "qt_not_seen_before"),
      service.api("POST", "/v1/quotes", { body: stayRequest(hotel) }),
      service.api("POST", `/v1/holds/${hold.hold_id}/extend`),
      readiness(),
    ]);
    const booked = sendBooking(service, toBook, { key: bookingKey });
    await expectReads(hold, booking);
    for (const answer of await answers) expectUnavailable(answer);
    expect(performance.now() - startedMs).toBeLessThan(ANSWER_MS);
    const ready = (await readiness()).refused("upstream_unavailable");
    expect(ready.detail).toMatchObject({ upstream: "redis", status: "down" });
    expect([503, 504]).toContain((await booked).status);
  } finally {
    process.kill(redis!, "SIGCONT");
    process.kill(supervisor!, "SIGCONT");
  }
  const again = await insist(() => sendHold(service, quote_id, { key }));
  const { hold_id } = again.ok<Hold>(201).data;
  expect(await otherHolds(quote_id)).toEqual([hold_id]);
  const found = await insist(() => sendBooking(service, toBook, { key: bookingKey }));
  found.ok(201);
  expect(service.pids.redis).toBe(redis!);
});

test("a killed engine, worker or api is restarted without loss of acknowledged writes", async () => {
  for (const name of ["engine", "worker", "api-1"] as const) {
    const hold = await newHold(service, stayRequest(hotel));
    const pid = service.pids[name]!;
    process.kill(pid, "SIGKILL");
    await until(`${name} is back`, async () => {
      const isBack = service.pids[name] !== pid && isRunning(service.pids[name]!);
      return (
        isBack &&
        (await readiness().then(
          ({ status }) => status === 200,
          () => false,
        ))
      );
    });
    const { data } = (await service.api("GET", `/v1/holds/${hold.hold_id}`)).ok<Hold>();
    expect(data).toMatchObject({ state: "held", expires_at: hold.expires_at });
    (await sendBooking(service, hold)).ok(201);
  }
});

test("readiness reports a dead engine at its next check", async () => {
  const { supervisor, engine } = service.pids;
  // Who would start it again looks away.
  process.kill(supervisor!, "SIGSTOP");
  try {
    expect((await readiness()).status).toBe(200);
    process.kill(engine!, "SIGKILL");
    await until("it is gone", () => !isRunning(engine!));
    // Looks are a second apart; a post of the dead would be believed for five.
    await until("it is told", async () => (await readiness()).status === 503, 4_000);
    const { detail } = (await readiness()).refused("upstream_unavailable");
    expect(detail).toMatchObject({ upstream: "engine", status: "down" });
  } finally {
    process.kill(supervisor!, "SIGCONT");
  }
  await until("everything is ready again", async () => (await readiness()).status === 200);
});

const BAD_SETTINGS = {
  PORT: "http",
  BASE_URL: "localhost",
  DOCS_URL: "ftp://docs.example",
  SITE_URL: "https://site.example/?a=b",
  REDIS_URL: "http://redis.example",
  REDIS_MAXMEMORY_MB: "lots",
  API_PROCESSES: "0",
  LANES: "1.5",
  OAUTH_ISSUER: "issuer",
  HOLD_TTL_S: "-1",
  QUOTE_TTL_S: "15 minutes",
  PAYMENT_PROVIDER: "bank",
  WEBHOOKS_ALLOW_PRIVATE: "yes",
  LOG_LEVEL: "loud",
  DEMO: "please",
} as const;
const BAD_KEYS = { RECEIPT_KEY: "short", MASTER_KEY: "x y", HMAC_KEY: "é", CREDENTIAL_PEPPER: "1" };

test("a start with bad settings names each of them without its value and exits with 78", async () => {
  const directory = mkdtempSync(join(tmpdir(), "innkeep-bad-"));
  for (const settings of [BAD_SETTINGS, BAD_KEYS]) {
    const env = { DATA_DIR: directory, PORT: "0", ...settings };
    const { message, exitCode } = await service.startSecond(env);
    expect(exitCode).toBe(78);
    const lines = message.split("\n").filter((line) => /^ {2}[A-Z_]+: expected /.test(line));
    const named = lines.map((line) => line.trim().split(":")[0]);
    expect(named.sort()).toEqual(Object.keys(settings).sort());
    for (const value of ["docs.example", "redis.example", "short", "x y"]) {
      expect(message).not.toContain(value);
    }
  }
  rmSync(directory, { recursive: true });
});

test("a second start on the same data names the process of the first", async () => {
  const { message, exitCode } = await service.startSecond({ PORT: "0" });
  expect(exitCode).toBe(78);
  expect(message).toContain(`in use by process ${service.pids.supervisor}`);
  (await readiness()).ok();
});

test("Ctrl-C stops everything within 10 s; a booking in progress is refused with a retry", async () => {
  const hold = await newHold(service, stayRequest(hotel));
  const held = await newHold(service, stayRequest(hotel));
  const [key, token] = [newKey(), "tok_test_slow_9s"];
  const running = sendBooking(service, hold, { key, token });
  await until("the payment is open", async () => {
    const { data } = (await service.api("GET", `/v1/holds/${hold.hold_id}`)).ok<Hold>();
    return data.state === "confirming";
  });
  const { pids } = service;
  const ended = service.end("SIGINT");
  const { retry_after, next_actions, detail } = (await running).refused("payment_timeout");
  expect(retry_after).toBe(5);
  expect(detail).toEqual({ hold_id: hold.hold_id, payment_id: expect.stringMatching(/^pay_/) });
  expect(steps(next_actions)).toEqual(["retry POST /v1/bookings"]);
  expect(await ended).toBe(0);
  for (const [name, pid] of Object.entries(pids)) {
    expect({ name, isRunning: isRunning(pid) }).toEqual({ name, isRunning: false });
  }
  await service.restart();
  const found = await sendBooking(service, hold, { key, token });
  const { payment } = found.ok<Booking>(201).data;
  const db = new Database(join(service.dataDir, "sandbox-provider.db"), { readonly: true });
  const charges = db
    .query("SELECT state FROM charges WHERE ref LIKE ?")
    .all(`%${payment!.payment_id}`);
  db.close();
  expect(charges).toEqual([{ state: "captured" }]);
  const { data } = (await service.api("GET", `/v1/holds/${held.hold_id}`)).ok<Hold>();
  expect(data).toMatchObject({ state: "held", expires_at: held.expires_at });
});
