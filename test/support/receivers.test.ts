/**
 * Goal: the receivers that tests of webhooks rely on accept exactly what the public library
 * verifies, and each misbehaves in its own way. Method: real deliveries end with the reason that an
 * operator sees.
 */
import { afterEach, expect, test } from "bun:test";
import { sendOnce } from "../../jobs/webhooks/send/send.ts";
import { selfSigned } from "./certificate.ts";
import { type Behaviour, Receiver } from "./receivers.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

const receivers: Receiver[] = [];
const ids: string[] = [];
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop();
});

function startReceiver(...terms: Parameters<typeof Receiver.start>): Receiver {
  const receiver = Receiver.start(...terms);
  receivers.push(receiver);
  return receiver;
}

function send({ url }: Receiver, { id = "evt_1", secret = SECRET, timeoutMs = 2_000 } = {}) {
  if (!ids.includes(id)) ids.push(id);
  const seq = ids.indexOf(id) + 1;
  const body = JSON.stringify({ id, type: "ari.changed", seq, prev_seq: seq - 1, data: {} });
  const addressee = { url, headers: {}, secrets: [secret] };
  return sendOnce(addressee, { id, body }, { allowPrivate: true, timeoutMs });
}

test("signed requests are kept, also those from before the secret, and no others", async () => {
  const receiver = startReceiver("hooks");
  expect(await send(receiver, { id: "evt_early" })).toMatchObject({ ok: true, status: 204 });
  receiver.trust(SECRET);
  expect(await send(receiver)).toMatchObject({ ok: true, status: 204 });
  expect(receiver.ids).toEqual(["evt_early", "evt_1"]);
  expect(receiver.arrivals[1]).toMatchObject({
    id: "evt_1",
    type: "ari.changed",
    seq: 2,
    prev_seq: 1,
  });
  expect(receiver.faults).toEqual([]);
  expect(await send(receiver, { secret: OTHER_SECRET })).toMatchObject({ status: 401 });
  receiver.trust(OTHER_SECRET);
  expect(await send(receiver, { id: "evt_2" })).toMatchObject({ status: 401 });
  expect(receiver.ids).toEqual(["evt_early", "evt_1"]);
  expect(receiver.faults).toEqual([
    "evt_1: WebhookVerificationError: No matching signature found",
    "evt_2: WebhookVerificationError: No matching signature found",
  ]);
});

const OUTCOMES: readonly [Behaviour, object][] = [
  ["slow", { ok: true, status: 204 }],
  ["dripping", { ok: true, status: 200 }],
  ["huge", { ok: true, status: 200, excerpt: "x".repeat(1024) }],
  ["failing", { ok: false, reason: "http_5xx" }],
  ["gone", { ok: false, reason: "gone" }],
  ["redirecting", { ok: false, reason: "too_many_redirects", status: 302 }],
  ["silent", { ok: false, reason: "timeout" }],
  ["dead", { ok: false, reason: "connect" }],
  ["ok", { ok: true, status: 204 }],
];

test("each receiver misbehaves as configured until the next change", async () => {
  const receiver = startReceiver("hooks");
  receiver.trust(SECRET);
  const seen: unknown[] = [];
  for (const [behaviour] of OUTCOMES) {
    await receiver.behave(behaviour);
    seen.push(await send(receiver, { id: behaviour, timeoutMs: 1_500 }));
  }
  expect(seen).toMatchObject(OUTCOMES.map(([, outcome]) => outcome));
  const arrived = OUTCOMES.map(([behaviour]) => behaviour as string);
  expect(receiver.ids).toEqual(arrived.filter((behaviour) => behaviour !== "dead"));
});

test("one that flaps fails every other delivery, and none more than twice", async () => {
  const receiver = startReceiver("hooks");
  receiver.trust(SECRET);
  await receiver.behave("flapping");
  const ids = ["evt_1", "evt_2", "evt_1", "evt_2", "evt_1", "evt_1"];
  const seen: (number | null)[] = [];
  for (const id of ids) seen.push((await send(receiver, { id })).status);
  expect(seen).toEqual([503, 204, 503, 204, 204, 204]);
});

test("the certificate of an untrusted receiver is refused", async () => {
  const receiver = startReceiver("hooks", selfSigned("localhost"));
  expect(receiver.url).toStartWith("https://localhost:");
  expect(await send(receiver)).toMatchObject({ ok: false, reason: "tls" });
});
