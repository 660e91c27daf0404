/**
 * Goal: no forged delegation token ever books or cancels. Method: every named forgery and a sample
 * of mutants, through HTTP on both gated routes, for a hold and a booking that a good token could
 * have used; in the end one does.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { addIssuer } from "../../src/access/control/issuers.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { Random } from "../sim/random.ts";
import type { Answer } from "../support/answer.ts";
import {
  type Booking,
  bookingBody,
  createHotel,
  type Hold,
  type Hotel,
  newHold,
  newKey,
  sendBooking,
  stayRequest,
} from "../support/client.ts";
import { Forger, ISS } from "../support/forger.ts";
import { FORGERIES } from "../support/forgeries.ts";
import { Service, until } from "../support/service.ts";
import { Mutants } from "../support/token-mutants.ts";
import { Oracle } from "../support/token-oracle.ts";

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const SAMPLE = 200;
const PARALLEL = 16;
const HTTP_TOKEN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

let service: Service;
let agent: DemoAgent;
let hotel: Hotel;
let hold: Hold;
let bookingId: string;
let forger: Forger;
/** Key sets that an issuer names by address; nobody may ask for them. */
let keyServer: ReturnType<typeof Bun.serve>;
let keyRequests = 0;

function nowS(): number {
  return Math.floor(Date.now() / 1000);
}

beforeAll(async () => {
  service = await Service.start();
  const { delegation, tenant_id, second_tenant } = service.demo;
  [agent] = (await service.newAgents([{}])) as [DemoAgent];
  forger = await Forger.open(delegation.aud, agent.agent_id, nowS);
  keyServer = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => {
      keyRequests += 1;
      return Response.json({ keys: [forger.esPublic] });
    },
  });
  service.control((store) => {
    forger.register(store, tenant_id, second_tenant.tenant_id);
    for (const iss of remoteAddresses()) {
      const terms = { name: iss, allowed_audiences: [delegation.aud], jwks_url: iss };
      addIssuer(store, { tenant_id, mode: "live" }, { iss, ...terms });
    }
  });
  await until("the issuers are known", async () => {
    return (await service.api("GET", "/.well-known/delegation-issuers")).text.includes(ISS);
  });
  hotel = await createHotel(service);
  hold = await newHold(service, stayRequest(hotel), { agent });
  const booked = await newHold(service, stayRequest(hotel), { agent });
  const terms = { agent, delegation: await forger.sign() };
  const answer = await sendBooking(service, booked, terms);
  bookingId = answer.ok<Booking>(201).data.booking_id;
});
afterAll(async () => {
  await keyServer?.stop(true);
  await service?.stop();
});

function remoteAddresses(): string[] {
  const { port } = keyServer;
  const hosts = ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "127.1"];
  return hosts.flatMap((host) => [`https://${host}:${port}/jwks`, `http://${host}:${port}/jwks`]);
}

function send(path: string, token: string, body: unknown): Promise<Answer> {
  const headers = { "idempotency-key": newKey(), "x-delegated-user": token };
  return service.api("POST", path, { agent, headers, body });
}

function book(token: string): Promise<Answer> {
  return send("/v1/bookings", token, bookingBody(hold));
}

function cancel(token: string): Promise<Answer> {
  return send(`/v1/bookings/${bookingId}/cancel`, token, {});
}

/** A refusal of the token in the words of `Forgery.expected`. */
function worded(answer: Answer): string {
  if (answer.status === 401 && answer.text.includes('"delegation_issuer_unknown"')) {
    answer.refused("delegation_issuer_unknown");
    return "issuer_unknown";
  }
  const { reason, claim, ...rest } = answer.refused("delegation_invalid").detail;
  expect(rest).toEqual({});
  return claim === undefined ? String(reason) : `${reason} ${claim}`;
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>) {
  const queue = [...items];
  const drain = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, drain));
}

async function expectUntouched(): Promise<void> {
  const held = await service.api("GET", `/v1/holds/${hold.hold_id}`, { agent });
  expect(held.ok<Hold>().data.state).toBe("held");
  const booking = await service.api("GET", `/v1/bookings/${bookingId}`, { agent });
  expect(booking.ok<Booking>().data.state).toBe("confirmed");
}

test(`${FORGERIES.length} forgeries are refused for bookings and cancellations, each for its reason`, async () => {
  await inParallel(FORGERIES, async ({ expected, name, token }) => {
    const forged = await token(forger);
    const answers = await Promise.all([book(forged), cancel(forged)]);
    const found = `${name}: ${answers.map(worded).join(", ")}`;
    expect(found).toBe(`${name}: ${expected}, ${expected}`);
  });
  await expectUntouched();
});

test("the bound claims of a good token bind the booking", async () => {
  const other = worded(await book(await forger.sign({ hold_id: "hld_other" })));
  expect(other).toBe("audience_mismatch hold_id");
  const less = worded(await book(await forger.sign({ max_amount: 19_999 })));
  expect(less).toBe("audience_mismatch max_amount");
  await expectUntouched();
});

test(`${SAMPLE} mutants neither book nor cancel, seed ${SEED}`, async () => {
  const drawnS = nowS();
  const [earlier, later] = [-10, 50].map((s) => new Oracle(forger, () => drawnS + s));
  const mutants = new Mutants(new Random(SEED), forger);
  const sample: { readonly what: string; readonly token: string; readonly expected: string }[] = [];
  while (sample.length < SAMPLE) {
    const { kind, token } = await mutants.next();
    const expected = earlier!.judge(token);
    // What is about to become good is no forgery.
    if (expected.startsWith("ok") || expected !== later!.judge(token)) continue;
    const what = `${sample.length} ${kind} ${token}`;
    if (HTTP_TOKEN.test(token)) sample.push({ what, token, expected });
  }
  await inParallel(sample, async ({ what, token, expected }) => {
    const answers = await Promise.all([book(token), cancel(token)]);
    expect(`${what}: ${answers.map(worded)}`).toBe(`${what}: ${[expected, expected]}`);
  });
  await expectUntouched();
});

test("two tokens in two headers are refused as one bad token", async () => {
  const good = await forger.sign();
  const headers = new Headers({ authorization: `Bearer ${agent.secret}` });
  headers.set("content-type", "application/json");
  headers.append("x-delegated-user", good);
  headers.append("x-delegated-user", good);
  const url = `${service.baseUrl}/v1/bookings/${bookingId}/cancel`;
  const response = await fetch(url, { method: "POST", headers, body: "{}" });
  expect(response.status).toBe(401);
  expect(await response.text()).toContain('"reason":"bad_signature"');
});

test("an issuer whose keys lie inside this network is unavailable and never asked", async () => {
  for (const iss of remoteAddresses()) {
    for (const answer of [
      await book(await forger.sign({ iss })),
      await cancel(await forger.sign({ iss })),
    ]) {
      const { detail } = answer.refused("upstream_unavailable");
      expect(detail).toEqual({ upstream: "delegation_issuer_jwks", iss });
    }
  }
  expect(keyRequests).toBe(0);
  await expectUntouched();
});

test("what a good token says of the traveler may be strange, but stays readable", async () => {
  for (const text of ["\u0000", "𝔸\u202e", "x".repeat(1500), "__proto__", "<b>'\"&"]) {
    const delegation = await forger.sign({ sub: text, jti: text, other: text });
    const stay = await newHold(service, stayRequest(hotel), { agent });
    const booked = await sendBooking(service, stay, { agent, delegation });
    const path = `/v1/bookings/${booked.ok<Booking>(201).data.booking_id}`;
    const booking = (await service.api("GET", path, { agent })).ok();
    expect(booking.data.traveler).toEqual({ iss: ISS, sub: text });
    (await service.api("GET", `${path}/audit`, { agent })).ok();
    const foreign = await cancel(delegation);
    expect(foreign.refused("resource_access_denied").detail.reason).toBe("traveler_mismatch");
  }
  await expectUntouched();
});

test("a booking that is repeated with another traveler's token is the first one's, to the byte", async () => {
  for (const sub of ["traveler-1", "𝔸\u202e"]) {
    const stay = await newHold(service, stayRequest(hotel), { agent });
    const key = newKey();
    const terms = { agent, key, delegation: await forger.sign({ sub }) };
    const twins = await Promise.all([
      ...[sendBooking(service, stay, terms), sendBooking(service, stay, terms)],
      sendBooking(service, stay, { ...terms, delegation: await forger.sign({ sub: "other" }) }),
    ]);
    const later = await forger.sign({ sub: "another" });
    twins.push(await sendBooking(service, stay, { ...terms, delegation: later }));
    expect(new Set(twins.map(({ text }) => text)).size).toBe(1);
    const booked = twins[0]!.ok<Booking>(201).data;
    const path = `/v1/bookings/${booked.booking_id}`;
    const { traveler } = (await service.api("GET", path, { agent })).ok().data;
    expect(traveler).toEqual((booked as Booking & { readonly traveler: object }).traveler);
  }
  await expectUntouched();
});

test("a good token still books and cancels", async () => {
  (await book(await forger.sign({ hold_id: hold.hold_id, max_amount: 20_000 }))).ok(201);
  (await cancel(await forger.sign({}, { alg: "RS256" }))).ok();
});
