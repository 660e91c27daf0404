/** Goal: only events that Stripe signed lead to work, and only work that is ours. */
import { expect, test } from "bun:test";
import { eventBody, signatureOf } from "../../../test/support/stripe-events.ts";
import { readEvent } from "./webhook.ts";

const NOW_MS = 1_800_000_000_000;
const SECRET = "whsec_new";
const PAYMENT = { object: "payment_intent", metadata: { payment_id: "pay_1" } };

interface Sent {
  readonly type?: string;
  readonly object?: object;
  readonly secret?: string;
  readonly atMs?: number;
  readonly secrets?: readonly string[];
  readonly signature?: string;
}

function reading({ type = "payment_intent.succeeded", object = PAYMENT, ...sent }: Sent) {
  const { secret = SECRET, atMs = NOW_MS, secrets = [SECRET, "whsec_old"] } = sent;
  const text = eventBody(type, object);
  const { signature = signatureOf(text, secret, atMs) } = sent;
  return readEvent({ text, signature, secrets, nowMs: NOW_MS });
}

test.each(["succeeded", "payment_failed", "canceled", "amount_capturable_updated"])(
  "payment_intent.%s is a hint at the payment of its metadata",
  async (kind) => {
    const type = `payment_intent.${kind}`;
    expect(await reading({ type })).toEqual({ kind: "payment", id: "pay_1" });
  },
);

test.each(["updated", "failed"])("refund.%s is a hint at the refund", async (kind) => {
  const object = { object: "refund", metadata: { refund_id: "rfd_1" } };
  expect(await reading({ type: `refund.${kind}`, object })).toEqual({
    kind: "refund",
    id: "rfd_1",
  });
});

test.each(["created", "updated", "closed"])("charge.dispute.%s is read by its id", async (kind) => {
  const type = `charge.dispute.${kind}`;
  const object = { object: "dispute", id: "du_1", metadata: {} };
  expect(await reading({ type, object })).toEqual({ kind: "dispute", id: "du_1" });
});

test.each([
  ["an event about something else", { type: "customer.created" }],
  ["an intent of another system", { object: { object: "payment_intent", metadata: {} } }],
  ["a refund made by hand", { type: "refund.failed", object: { metadata: null } }],
])("%s is ignored", async (_what, sent) => {
  expect(await reading(sent)).toBe("ignored");
});

test("during a rotation both secrets sign", async () => {
  expect(await reading({ secret: "whsec_old" })).toEqual({ kind: "payment", id: "pay_1" });
});

test.each([
  ["another secret", { secret: "whsec_other" }],
  ["an old signature", { atMs: NOW_MS - 301_000 }],
  ["no signature", { signature: "" }],
  ["a signature of another body", { signature: signatureOf("{}", SECRET, NOW_MS) }],
  ["a signature of another scheme", { signature: "t=1800000000,v0=00" }],
  ["nonsense", { signature: "=,t=,v1" }],
  ["a signature without a value", { signature: "t=1800000000,v1" }],
])("%s is refused", async (_what, sent) => {
  expect(await reading(sent)).toBe("refused");
});

test("a signature is valid for five minutes", async () => {
  expect(await reading({ atMs: NOW_MS - 300_000 })).toEqual({ kind: "payment", id: "pay_1" });
});
