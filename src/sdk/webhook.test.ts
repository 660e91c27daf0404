/** Webhooks signed by the reference library of Standard Webhooks, verified by the SDK. */
import { expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { verifyWebhook, WebhookError } from "./index.ts";

const SECRET = `whsec_${btoa("0123456789abcdef0123456789abcdef")}`;
const OTHER = `whsec_${btoa("fedcba9876543210fedcba9876543210")}`;
const BODY = JSON.stringify({ id: "evt_1", type: "booking.confirmed", data: { name: "Señal" } });

function signed(at = new Date(), secret = SECRET) {
  return {
    "Webhook-Id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("evt_1", at, BODY),
  };
}

function faultOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "none",
    (error: unknown) => (error instanceof WebhookError ? error.message : `another: ${error}`),
  );
}

test("a genuine webhook is accepted, with its headers in any form", async () => {
  const headers = signed();
  const request = new Request("http://localhost/", { method: "POST", headers, body: BODY });
  for (const source of [headers, new Headers(headers), request]) {
    expect(await verifyWebhook(source, BODY, SECRET)).toMatchObject({ id: "evt_1" });
  }
  expect(await verifyWebhook(headers, new TextEncoder().encode(BODY), SECRET)).toBeObject();
});

test("during a rotation webhooks signed with either secret are accepted", async () => {
  const both = `${new Webhook(OTHER).sign("evt_1", new Date(), BODY)} ${signed()["webhook-signature"]}`;
  const headers = { ...signed(), "webhook-signature": both };
  expect(await verifyWebhook(headers, BODY, SECRET)).toBeObject();
  expect(await verifyWebhook(signed(), BODY, [OTHER, SECRET])).toBeObject();
});

test("altered, old or foreign webhooks are refused", async () => {
  const headers = signed();
  expect(await faultOf(verifyWebhook(headers, `${BODY} `, SECRET))).toContain("no signature");
  expect(await faultOf(verifyWebhook(headers, BODY, OTHER))).toContain("no signature");
  const { "webhook-signature": _, ...unsigned } = headers;
  expect(await faultOf(verifyWebhook(unsigned, BODY, SECRET))).toContain("is missing");
  const old = signed(new Date(Date.now() - 301_000));
  expect(await faultOf(verifyWebhook(old, BODY, SECRET))).toContain("300 s off");
  expect(await verifyWebhook(old, BODY, SECRET, { toleranceS: 600 })).toBeObject();
  const short = { ...headers, "webhook-signature": "v1,AAAA v2,x" };
  expect(await faultOf(verifyWebhook(short, BODY, SECRET))).toContain("no signature");
});
