/**
 * Goal: a key keeps what the state decided and nothing else (house rule 4), just as the
 * page of each code promises. Method: every code that a keyed call can be refused with is met under
 * a key, its cause taken away, and the same call sent again under the same key. What is never
 * sealed succeeds then, as if for the first time; what is sealed gives the very same bytes, and
 * only a new key succeeds. Codes that no scene plays say why.
 */
import { expect, test } from "bun:test";
import { isSealed, type RefusalCode } from "../../engine/core/refusals.ts";
import { ROUTES } from "../../src/app.ts";
import { refusalCodesOf } from "../../src/http/refusal-codes.ts";
import type { Answer } from "../support/answer.ts";
import {
  createHotel,
  type Hold,
  newHold,
  newKey,
  newQuote,
  sendBooking,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { LASTING } from "../support/lasting-scenes.ts";
import { PASSING } from "../support/passing-scenes.ts";
import type { Setting } from "../support/scenes.ts";
import { until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

/** Codes with a test of their own below. */
const TOLD_APART: readonly RefusalCode[] = [
  ...(["idempotency_conflict", "payment_provider_error", "service_not_configured"] as const),
  ...(["hold_expired", "quote_expired"] as const),
];

/** Codes that are not met here, and why. */
const UNTRIED: Partial<Readonly<Record<RefusalCode, string>>> = {
  internal_error: "a bug of ours: nothing that a client or an operator does provokes one",
  payment_timeout: "its key finds the outcome: payments.int.test.ts waits for it",
  policy_not_found_for_rate_plan: "a property on sale has a policy for every plan",
  room_type_not_found: "a hold's room type is its quote's, and no call takes a room type away",
  rate_plan_not_found: "a hold's plan is its quote's, and no call takes a plan away",
};

const service = await serviceOfFile({ API_PROCESSES: "1" });
const hotel = await createHotel(service);

/** Success for the first time under its key. */
function expectDone(answer: Answer): void {
  answer.ok(answer.status < 300 ? answer.status : 200);
  expect(answer.isReplayed).toBeFalse();
}

/** The bytes of a replay: a secret was shown once. */
function replayOf({ text }: Answer): string {
  return text.replace(/("secret":)"[^"]+"/, '$1null,"secret_hint":"<hint>"');
}

function expectReplay(again: Answer, first: Answer): void {
  const { status } = first;
  const text = replayOf(first);
  const replayed = again.text.replace(/("secret_hint":)"[^"]+"/, '$1"<hint>"');
  expect({ ...again, text: replayed, isReplayed: again.isReplayed }).toMatchObject({
    ...{ status, text, isReplayed: true },
  });
}

/** What the page says that `docs_url` of the refusal leads to. */
async function pageOf(answer: Answer): Promise<string> {
  const { docs_url } = answer.anyRefusal();
  const page = await service.api("GET", `${new URL(docs_url).pathname}.md`, { agent: null });
  expect(page.status).toBe(200);
  return page.text;
}

/** Meets the code under a new key, reads its page, and takes the cause away. */
async function play(setting: Setting, code: string, promise: string) {
  const { refused, mend, after = refused } = await setting(service, hotel);
  const key = newKey();
  const first = await refused(key);
  first.refused(code);
  expect(first.isReplayed).toBeFalse();
  expect(await pageOf(first)).toContain(promise);
  await mend?.();
  return { key, refused, after, first };
}

for (const [name, [code, setting]] of Object.entries(PASSING)) {
  test(`${code} is never sealed: ${name}`, async () => {
    const { key, after } = await play(setting, code, "Never sealed");
    const done = await after(key);
    expectDone(done);
    expectReplay(await after(key), done);
  });
}

for (const [name, [code, setting]] of Object.entries(LASTING)) {
  test(`${code} is sealed: ${name}`, async () => {
    const { key, refused, after, first } = await play(setting, code, "Sealed: the same request");
    expectReplay(await refused(key), first);
    expectDone(await after(newKey()));
    expectReplay(await refused(key), first);
  });
}

test("idempotency_conflict leaves the key to the request that it stands for", async () => {
  const [quote, other] = [stayRequest(hotel), stayRequest(hotel, { inDays: 40 })];
  const [mine, another] = [await newQuote(service, quote), await newQuote(service, other)];
  const key = newKey();
  const first = await sendHold(service, mine.quote_id, { key });
  first.ok(201);
  const conflict = await sendHold(service, another.quote_id, { key });
  conflict.refused("idempotency_conflict");
  expect(conflict.isReplayed).toBeFalse();
  expect(await pageOf(conflict)).toContain("Not stored: the key keeps");
  expectReplay(await sendHold(service, mine.quote_id, { key }), first);
  expectDone(await sendHold(service, another.quote_id));
});

test("payment_provider_error is never sealed: the same key is another attempt", async () => {
  const hold = await newHold(service, stayRequest(hotel));
  const key = newKey();
  const token = "tok_test_provider_error";
  const payments = new Set<unknown>();
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const answer = await sendBooking(service, hold, { key, token });
    payments.add(answer.refused("payment_provider_error").detail.payment_id);
    expect(answer.isReplayed).toBeFalse();
    expect(await pageOf(answer)).toContain("Never sealed");
  }
  expect(payments.size).toBe(3);
  expectDone(await sendBooking(service, hold));
});

/** Sends what a service without payments refuses, and what time has made void. */
async function refuseAll(hold: Hold) {
  const brief = await newHold(service, stayRequest(hotel));
  const { quote_id, expires_at } = await newQuote(service, stayRequest(hotel));
  const lastMs = Math.max(Date.parse(brief.expires_at), Date.parse(expires_at));
  await until("hold and quote are over", () => Date.now() > lastMs + 100);
  const extend = (key: string) => {
    const headers = { "idempotency-key": key };
    return service.api("POST", `/v1/holds/${brief.hold_id}/extend`, { headers });
  };
  const sends = [
    ["service_not_configured", (key: string) => sendBooking(service, hold, { key })],
    ["hold_expired", extend],
    ["quote_expired", (key: string) => sendHold(service, quote_id, { key })],
  ] as const;
  return Promise.all(
    sends.map(async ([code, send]) => {
      const key = newKey();
      const first = await send(key);
      first.refused(code);
      const page = await pageOf(first);
      expect(page.includes("Never sealed")).toBe(!isSealed(code));
      return { key, send, first };
    }),
  );
}

test("what a service is not configured for is never sealed; what time has ended is", async () => {
  const hold = await newHold(service, stayRequest(hotel));
  const brief = { HOLD_TTL_S: "1", QUOTE_TTL_S: "1" };
  await service.restart({ PAYMENT_PROVIDER: "stripe", ...brief });
  const [unpaid, ...over] = await refuseAll(hold);
  await service.restart({ PAYMENT_PROVIDER: "sandbox", HOLD_TTL_S: "", QUOTE_TTL_S: "" });
  for (const { key, send, first } of over) expectReplay(await send(key), first);
  expectDone(await unpaid!.send(unpaid!.key));
  const { hold_id } = await newHold(service, stayRequest(hotel));
  expectDone(await service.api("POST", `/v1/holds/${hold_id}/extend`));
});

test("every code that a keyed call can be refused with is met, or it is said why not", () => {
  const keyed = ROUTES.all.filter((route) => route.key !== undefined).flatMap(refusalCodesOf);
  const played = [...Object.values(PASSING), ...Object.values(LASTING)].map(([code]) => code);
  const known = [...played, ...TOLD_APART, ...Object.keys(UNTRIED)];
  expect([...new Set(known)].sort()).toEqual([...new Set<string>(keyed)].sort());
  const twice = Object.keys(UNTRIED).filter((code) =>
    [...played, ...TOLD_APART].some((one) => one === code),
  );
  expect(twice).toEqual([]);
  for (const [scenes, sealed] of [
    [PASSING, false],
    [LASTING, true],
  ] as const) {
    for (const [code] of Object.values(scenes)) {
      expect({ code, sealed: isSealed(code as RefusalCode) }).toEqual({ code, sealed });
    }
  }
});
