/**
 * Goal: an audit describes a booking completely in published terms, and anybody with the answer
 * alone can verify it. Method: one real service; each audit is validated against the OpenAPI schema
 * of its events, and its chain is computed again from the answer.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../../engine/core/canonical.ts";
import type { PublicKey } from "../../engine/writer/receipt-key-pair.ts";
import { ROUTES } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { openApiDocument } from "../../src/publish/openapi/document.ts";
import { contractFaults } from "../openapi/contract-check.ts";
import { Recorder } from "../openapi/recorder.ts";
import type { Receipt } from "../support/answer.ts";
import {
  type Booking,
  createHotel,
  type Hotel,
  newBooking,
  newHold,
  newKey,
  newQuote,
  sendBooking,
  sendCancel,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { Service } from "../support/service.ts";

let service: Service;
let hotel: Hotel;
let auditor: DemoAgent;

beforeAll(async () => {
  service = await Service.start();
  hotel = await createHotel(service);
  const terms = { kind: "operator", scopes: ["admin:audit"] } as const;
  [auditor] = (await service.newAgents([terms])) as [DemoAgent];
});
afterAll(() => service.stop());

interface AuditEvent {
  readonly seq: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly prev_hash: string | null;
  readonly hash: string;
}

interface Audit {
  readonly booking_id: string;
  readonly traveler: { readonly iss: string; readonly sub: string | null };
  readonly events: readonly AuditEvent[];
}

/** The audit as published, its chain computed again. */
async function auditOf(bookingId: string): Promise<Audit> {
  const on = new Recorder(service);
  const { data } = (await on.call("GET", `/v1/bookings/${bookingId}/audit`)).ok<Audit>();
  expect(on.all.flatMap(contractFaults)).toEqual([]);
  let previous: string | null = null;
  for (const { hash, ...hashed } of data.events) {
    expect(hashed.prev_hash).toBe(previous);
    expect(hash).toBe(`sha256:${createHash("sha256").update(canonicalJson(hashed)).digest("hex")}`);
    previous = hash;
  }
  return data;
}

test("the audit shows the hold's quote as the client received it", async () => {
  const quote = await newQuote(service, stayRequest(hotel));
  const hold = (await sendHold(service, quote.quote_id)).ok<{ hold_id: string }>(201).data;
  const booked = await sendBooking(service, { ...hold, quote_id: quote.quote_id });
  const { booking_id } = booked.ok<Booking>(201).data;
  const [first] = (await auditOf(booking_id)).events;
  const { availability: _now, ...terms } = quote as unknown as Record<string, object>;
  const { display: _asked, ...price_breakdown } = terms.price_breakdown as Record<string, unknown>;
  expect(first?.type).toBe("hold.created");
  expect(first?.data.quote).toEqual({
    ...terms,
    price_breakdown,
    created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:]{8}\.\d{3}Z$/),
  });
});

test("the chain holds the issuer of the consent; the traveler's identity is beside it", async () => {
  const hold = await newHold(service, stayRequest(hotel));
  const booked = (await sendBooking(service, hold)).ok<Booking>(201).data;
  const { booking_id, traveler } = booked as Booking & Pick<Audit, "traveler">;
  (await sendCancel(service, booking_id)).ok();
  const audit = await auditOf(booking_id);
  expect(audit.traveler).toEqual(traveler);
  expect(audit.traveler.sub).toBe("traveler-1");
  const vouched = audit.events.filter(({ data }) => "iss" in data);
  expect(vouched.map(({ type }) => type)).toEqual([
    "payment.pending",
    "booking.confirmed",
    "booking.cancelled",
  ]);
  for (const { data } of vouched) expect(data.iss).toBe(traveler.iss);
  expect(JSON.stringify(audit.events)).not.toContain("traveler-1");
});

test("a payment that failed or was long without a verdict stays in the audit", async () => {
  const [failed, silent] = [
    await newHold(service, stayRequest(hotel)),
    await newHold(service, stayRequest(hotel)),
  ];
  const key = newKey();
  const token = "tok_test_timeout_then_captured";
  const asked = sendBooking(service, silent, { key, token });
  (await sendBooking(service, failed, { token: "tok_test_declined" })).refused("payment_failed");
  const again = (await sendBooking(service, failed)).ok<Booking>(201).data;
  const types = (await auditOf(again.booking_id)).events.map(({ type }) => type);
  expect(types).toContainValues(["payment.failed", "payment.captured"]);
  (await asked).refused("payment_timeout");
  const found = await sendBooking(service, silent, { key, token });
  const { booking_id } = found.ok<Booking>(201).data;
  const told = (await auditOf(booking_id)).events.map(({ type }) => type);
  expect(told.slice(0, 3)).toEqual(["hold.created", "payment.pending", "payment.unknown"]);
});

interface Anchor {
  readonly kind: string;
  readonly issuer: string;
  readonly issued_at: string;
  readonly subject: { readonly seq: number; readonly hash: string; readonly mode: string };
  readonly signatures: Receipt["signatures"];
}

async function anchorAt(seq?: number): Promise<Anchor> {
  const on = new Recorder(service);
  const path = `/v1/admin/audit/anchor${seq === undefined ? "" : `?seq=${seq}`}`;
  const { data } = (await on.call("GET", path, { agent: auditor })).ok<Anchor>();
  expect(on.all.flatMap(contractFaults)).toEqual([]);
  expect(await isSigned(data)).toBeTrue();
  expect(await isSigned({ ...data, subject: { ...data.subject, seq: 1e6 } })).toBeFalse();
  return data;
}

/** By the published keys and WebCrypto alone. */
async function isSigned({ signatures, ...anchor }: Anchor): Promise<boolean> {
  const published = await service.api("GET", "/.well-known/jwks.json", { agent: null });
  const { keys } = published.json as { keys: readonly PublicKey[] };
  const jwk = keys.find(({ kid }) => kid === signatures[0]?.kid);
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const key = await crypto.subtle.importKey("jwk", { ...jwk }, curve, false, ["verify"]);
  const { issued_at, issuer, kind, subject } = anchor;
  const signed = Buffer.from(canonicalJson({ issued_at, issuer, kind, subject }));
  const signature = Buffer.from(signatures[0]!.signature, "base64url");
  return crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, signature, signed);
}

test("a saved anchor matches its number as long as no event is changed", async () => {
  const kept = await anchorAt();
  expect(kept).toMatchObject({ kind: "audit_anchor", subject: { mode: "live" } });
  const { booking_id } = await newBooking(service, stayRequest(hotel));
  const { events } = await auditOf(booking_id);
  const last = events.at(-1)!.seq;
  const later = await anchorAt();
  expect(later.subject.seq).toBeGreaterThanOrEqual(last);
  expect(later.subject.hash).not.toBe(kept.subject.hash);
  expect((await anchorAt(kept.subject.seq)).subject).toEqual(kept.subject);
  expect((await anchorAt(last)).subject.seq).toBe(last);
  await service.restart();
  expect((await anchorAt(kept.subject.seq)).subject).toEqual(kept.subject);
  const operator = { agent: auditor };
  for (const seq of ["0", "-1", "x", "1e3", "99999999"]) {
    const answer = await service.api("GET", `/v1/admin/audit/anchor?seq=${seq}`, operator);
    expect(answer.faults()).toEqual(["?seq"]);
  }
  (await service.api("GET", "/v1/admin/audit/anchor")).refused("principal_kind_not_allowed");
});

test("a saved anchor proves that events were cut and their numbers reused", async () => {
  const engine = join(service.dataDir, "engine");
  const older = join(service.dataDir, "older-engine");
  await service.end("SIGTERM");
  cpSync(engine, older, { recursive: true });
  await service.restart();
  await newBooking(service, stayRequest(hotel));
  const kept = await anchorAt();

  await service.end("SIGTERM");
  rmSync(engine, { recursive: true });
  cpSync(older, engine, { recursive: true });
  await service.restart();
  const cut = await anchorAt();
  expect(cut.subject.seq).toBeLessThan(kept.subject.seq);
  await newBooking(service, stayRequest(hotel));
  const changed = await anchorAt(kept.subject.seq);
  expect(changed.subject.seq).toBe(kept.subject.seq);
  expect(changed.subject.hash).not.toBe(kept.subject.hash);
});

test("every type of event has a schema of its own in the document", () => {
  const { components } = openApiDocument(ROUTES.published, readConfig({})) as {
    components: { schemas: Record<string, Record<string, unknown>> };
  };
  const { AuditEvent: any } = components.schemas as Record<
    string,
    { oneOf: { $ref: string }[]; discriminator: { mapping: Record<string, string> } }
  >;
  const { mapping } = any!.discriminator;
  expect(any!.oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(mapping));
  for (const [type, ref] of Object.entries(mapping)) {
    const schema = components.schemas[ref.replace("#/components/schemas/", "")];
    expect(schema?.properties).toHaveProperty("type", { type: "string", enum: [type] });
  }
});
