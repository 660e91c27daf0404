/** Goal: a receipt verifies by its four public fields and the signature, and only so. */
import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { calculateJwkThumbprint } from "jose";
import { canonicalJson } from "../core/canonical.ts";
import {
  publicReceiptKeys,
  type ReceiptCandidate,
  type ReceiptKeys,
  signReceipt,
  verifyReceipt,
} from "./receipts.ts";

const keys: ReceiptKeys = {
  active: "receipt-v2",
  keys: { "receipt-v1": Buffer.alloc(32, 1), "receipt-v2": Buffer.alloc(32, 2) },
};
const content = {
  kind: "booking_confirmed",
  issuer: "https://innkeep.example",
  issued_at: "2026-12-01T10:00:00.000Z",
  subject: { booking_id: "bkg_1", amount: 34200, currency: "EUR", é: "ü" },
} as const;
const receipt = signReceipt(keys, content);
const older = signReceipt({ ...keys, active: "receipt-v1" }, content);
const [signed] = receipt.signatures as [NonNullable<typeof receipt.signatures>[number]];
const respelled = { ...signed, signature: `${signed.signature}=` };
const presented: ReceiptCandidate = { ...content, signature: receipt.signature };

test("a receipt carries the algorithm, the active kid, its payload hash and the signature", () => {
  expect(receipt).toMatchObject({ ...content, algorithm: "HS256", kid: "receipt-v2" });
  expect(receipt.payload_hash).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test("the signature is the HMAC of the RFC 8785 form of the four fields", () => {
  const canonical =
    '{"issued_at":"2026-12-01T10:00:00.000Z","issuer":"https://innkeep.example",' +
    '"kind":"booking_confirmed","subject":{"amount":34200,"booking_id":"bkg_1",' +
    '"currency":"EUR","é":"ü"}}';
  const expected = createHmac("sha256", Buffer.alloc(32, 2)).update(canonical).digest("base64url");
  expect(receipt.signature).toBe(expected);
});

test("the four fields and the signature verify without kid, whichever key signed", () => {
  expect(verifyReceipt(keys, presented)).toEqual({ valid: true, kid: "receipt-v2" });
  const candidate = { ...content, signature: older.signature };
  expect(verifyReceipt(keys, candidate)).toEqual({ valid: true, kid: "receipt-v1" });
});

test("a whole receipt verifies, and the order of the subject's members does not matter", () => {
  expect(verifyReceipt(keys, receipt).valid).toBe(true);
  const subject = Object.fromEntries(Object.entries(content.subject).reverse());
  expect(verifyReceipt(keys, { ...presented, subject }).valid).toBe(true);
});

test.each<[string, Partial<ReceiptCandidate>]>([
  ["kind", { kind: "booking_cancelled" }],
  ["issuer", { issuer: "https://innkeep.example/" }],
  ["issued_at", { issued_at: "2026-12-01T10:00:00Z" }],
  ["an amount", { subject: { ...content.subject, amount: 34201 } }],
  ["an amount's type", { subject: { ...content.subject, amount: "34200" } }],
  ["an added fact", { subject: { ...content.subject, note: "x" } }],
  ["a lone surrogate", { subject: { booking_id: "\ud800" } }],
  ["the signature", { signature: receipt.signature.replace(/^./, (c) => (c === "A" ? "B" : "A")) }],
  ["another spelling of the signature", { signature: `${receipt.signature}=` }],
  ["an empty signature", { signature: "" }],
  ["an older kid", { kid: "receipt-v1" }],
  ["a kid of no key set", { signatures: [{ ...signed, kid: "receipt-v2" }] }],
  ["the algorithm of the public signature", { signatures: [{ ...signed, alg: "none" }] }],
  ["the public signature of another key", { signatures: [...older.signatures!] }],
  ["a public signature beside the right one", { signatures: [signed, ...older.signatures!] }],
  ["another spelling of the public signature", { signatures: [respelled] }],
  ["a cut public signature", { signatures: [{ ...signed, signature: "AAAA" }] }],
  ["an unknown kid", { kid: "constructor" }],
  ["the algorithm", { algorithm: "none" }],
  ["the payload hash", { payload_hash: `sha256:${"0".repeat(64)}` }],
])("a changed receipt does not verify: %s", (_name, change) => {
  expect(verifyReceipt(keys, { ...presented, ...change })).toEqual({ valid: false, kid: null });
});

test("the published key alone verifies a receipt, also one of a retired key", async () => {
  const published = publicReceiptKeys(keys);
  expect(published.map(({ alg, use }) => ({ alg, use }))).toEqual([
    { alg: "ES256", use: "sig" },
    { alg: "ES256", use: "sig" },
  ]);
  expect(JSON.stringify(published)).not.toContain('"d"');
  const { issued_at, issuer, kind, subject } = content;
  const canonical = Buffer.from(canonicalJson({ issued_at, issuer, kind, subject }));
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  for (const { signatures } of [receipt, older]) {
    const [{ kid, signature }] = signatures as [typeof signed];
    const jwk = published.find((key) => key.kid === kid);
    expect(kid).toBe(await calculateJwkThumbprint(jwk!));
    const key = await crypto.subtle.importKey("jwk", { ...jwk }, curve, false, ["verify"]);
    const verifies = (bytes: Buffer<ArrayBuffer>) =>
      crypto.subtle.verify(
        { name: "ECDSA", hash: "SHA-256" },
        key,
        Buffer.from(signature, "base64url"),
        bytes,
      );
    expect(await verifies(canonical)).toBeTrue();
    expect(await verifies(Buffer.from(`${canonical} `))).toBeFalse();
  }
});

test("a key has one key pair, however often and wherever it is derived", () => {
  const copy = { active: "receipt-v1", keys: { "receipt-v1": Buffer.alloc(32, 1) } };
  expect(publicReceiptKeys(copy)).toEqual(publicReceiptKeys(keys).slice(1));
  expect(publicReceiptKeys(copy)[0]?.kid).toBe("do_Se-C9RMX1DC66J3WwQQI40VJwDREXlKUyvXuv6tI");
});

test("signing without the active key is refused", () => {
  expect(() => signReceipt({ ...keys, active: "toString_" }, content)).toThrow("no receipt key");
});
