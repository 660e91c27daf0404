/**
 * Goal: the canonical flows of the contract work end to end over HTTP, and every success body has
 * exactly the members that the contract and the domain give it. Method: one real service; the
 * proofs an agent gets (receipts, hash chain) are recomputed from what it sees.
 */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { dateOf, todayIn } from "../../engine/core/calendar.ts";
import { canonicalJson } from "../../engine/core/canonical.ts";
import type { PublicKey } from "../../engine/writer/receipt-key-pair.ts";
import { keysOf, type Receipt, steps } from "../support/answer.ts";
import {
  type Booking,
  createHotel,
  type Hold,
  newBooking,
  newHold,
  newQuote,
  type Quote,
  sendBooking,
  sendCancel,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { follow } from "../support/follow.ts";
import { type QuotedTerms, rowAt } from "../support/quoted-terms.ts";
import { until, WHOLE_DEMO } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile(WHOLE_DEMO);
const hotel = await createHotel(service);

const QUOTE_KEYS = [
  ...["availability", "expires_at", "guests", "hotel_id", "policy_snapshot", "price_breakdown"],
  ...["quote_id", "rate_plan_id", "room_type_id", "stay"],
];
const HOLD_KEYS = [
  ...["expires_at", "hold_id", "other_live_holds", "property_id", "quote_id", "room_type_id"],
  ...["seq", "state", "stay"],
];
const BOOKING_KEYS = [
  ...["booking_id", "confirmation_code", "created_at", "guests", "hold_id", "payment"],
  ...["policy_snapshot", "price_breakdown", "property_id", "quote_id", "rate_plan_id"],
  ...["room_type_id", "seq", "state", "stay", "traveler", "version"],
];
const BOOKING_READ_KEYS = [
  ...BOOKING_KEYS.filter((name) => name !== "seq"),
  ...["authorization", "cancellation", "guest", "history", "no_show", "receipts", "refunds"],
  "special_requests",
].sort();
const BREAKDOWN_KEYS = [
  ...["currency", "due_at_property", "due_later", "due_now", "fees", "hash", "minor_unit"],
  ...["nights", "per_night_average", "room_subtotal", "rounding", "taxes", "total"],
];
const SNAPSHOT_KEYS = [
  ...["after_last_tier", "anchor", "cancellation_kind", "captured_at", "child_policy_text"],
  ...["description", "fee_basis", "hash", "modification", "no_show", "policy_version"],
  ...["refundability", "tiers", "timezone"],
];
const RECEIPT_KEYS = [
  ...["algorithm", "issued_at", "issuer", "kid", "kind", "payload_hash", "signature"],
  ...["signatures", "subject"],
];

function sha256(value: unknown): string {
  return `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex")}`;
}

function verify(receipt: object) {
  return service.api("POST", "/v1/receipts/verify", { agent: null, body: receipt });
}

/** Whether a receipt's public signature holds, by the published keys and WebCrypto alone. */
async function holdsWithoutUs(receipt: Receipt): Promise<boolean> {
  const { keys } = (await service.api("GET", "/.well-known/jwks.json", { agent: null })).json as {
    keys: readonly PublicKey[];
  };
  const [{ alg, kid, signature } = { alg: "", kid: "", signature: "" }] = receipt.signatures;
  const jwk = keys.find((key) => key.kid === kid);
  expect(alg).toBe("ES256");
  expect(keysOf(jwk)).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const key = await crypto.subtle.importKey("jwk", { ...jwk }, curve, false, ["verify"]);
  const { issued_at, issuer, kind, subject } = receipt;
  const signed = Buffer.from(canonicalJson({ issued_at, issuer, kind, subject }));
  const hash = { name: "ECDSA", hash: "SHA-256" };
  return crypto.subtle.verify(hash, key, Buffer.from(signature, "base64url"), signed);
}

/** A receipt has the contract's form and verifies, whole or in parts, but not when changed. */
async function expectProof(receipt: Receipt | undefined, kind: string): Promise<Receipt> {
  expect(keysOf(receipt)).toEqual(RECEIPT_KEYS);
  const { issued_at, issuer, subject, signature, kid } = receipt!;
  expect(receipt).toMatchObject({ kind, algorithm: "HS256", kid: "receipt-v1" });
  expect(receipt!.payload_hash).toBe(sha256({ issued_at, issuer, kind, subject }));
  const verdict = { valid: true, kind, subject, issued_at, issuer, kid };
  expect((await verify(receipt!)).ok().data).toEqual(verdict);
  expect((await verify({ kind, subject, issued_at, issuer, signature })).ok().data).toEqual(
    verdict,
  );
  const changed = [
    { ...receipt, issued_at: issued_at.replace("T", "t") },
    { ...receipt, subject: { ...subject, added: 1 } },
    { ...receipt, issuer: `${issuer}/` },
    { ...receipt, payload_hash: `sha256:${"0".repeat(64)}` },
    { ...receipt, kid: "receipt-v2" },
    { ...receipt, signature: `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}` },
    { ...receipt, signatures: [{ ...receipt!.signatures[0], kid }] },
  ];
  expect(await holdsWithoutUs(receipt!)).toBeTrue();
  expect(await holdsWithoutUs({ ...receipt!, kind: "refund" })).toBeFalse();
  for (const each of changed) expect((await verify(each)).faults()).toEqual(["/signature"]);
  return receipt!;
}

interface AuditEvent {
  readonly seq: number;
  readonly type: string;
  readonly data: { readonly quote?: { readonly created_at: string } };
  readonly prev_hash: string | null;
  readonly hash: string;
}

/** The events of an audit, after their chain was recomputed from what the client sees. */
async function auditOf(bookingId: string): Promise<readonly AuditEvent[]> {
  const answer = await service.api("GET", `/v1/bookings/${bookingId}/audit`);
  const { data } = answer.ok<{ booking_id: string; events: readonly AuditEvent[] }>();
  expect(keysOf(data)).toEqual(["booking_id", "events", "traveler"]);
  let previous: AuditEvent | null = null;
  for (const event of data.events) {
    const { hash, ...hashed } = event;
    expect(keysOf(hashed)).toEqual(
      ["actor", "at", "data", "prev_hash", "seq", "trace_id", "type"].sort(),
    );
    expect(event.prev_hash).toBe(previous?.hash ?? null);
    expect(hash).toBe(sha256(hashed));
    expect(event.seq).toBeGreaterThan(previous?.seq ?? 0);
    previous = event;
  }
  expect(data.events[0]?.data.quote).toHaveProperty("created_at");
  return data.events;
}

test("a room is quoted, held, extended, booked, audited, cancelled and paid back", async () => {
  const request = stayRequest(hotel);
  const quoted = (await service.api("POST", "/v1/quotes", { body: request })).ok<Quote>(201);
  expect(keysOf(quoted.data)).toEqual(QUOTE_KEYS);
  expect(keysOf(quoted.data.availability)).toEqual(["sellable"]);
  expect(quoted.expires_at).toBe(quoted.data.expires_at);
  expect(steps(quoted.next_actions)).toEqual(["create_hold POST /v1/holds"]);

  const held = (await follow(service, quoted.next_actions[0]!)).ok<Hold>(201);
  const { hold_id, quote_id } = held.data;
  expect(keysOf(held.data)).toEqual(HOLD_KEYS);
  expect(held.data).toMatchObject({ state: "held", other_live_holds: [] });
  expect(held.expires_at).toBe(held.data.expires_at);
  expect(steps(held.next_actions)).toEqual([
    "confirm POST /v1/bookings",
    `extend POST /v1/holds/${hold_id}/extend`,
    `release POST /v1/holds/${hold_id}/release`,
    `get GET /v1/holds/${hold_id}`,
    "confirm POST /v1/checkout/sessions",
  ]);
  const [confirm, extend, , get] = held.next_actions;

  const extended = (await follow(service, extend!)).ok<Hold>();
  const addedMs = Date.parse(extended.data.expires_at) - Date.parse(held.data.expires_at);
  expect(addedMs).toBe(900_000);
  const read = (await follow(service, get!)).ok<Hold>();
  expect(read.data).toMatchObject({ state: "held", expires_at: extended.data.expires_at });

  const booked = (await follow(service, confirm!)).ok<Booking>(201);
  const { booking_id } = booked.data;
  expect(keysOf(booked.data)).toEqual(BOOKING_KEYS);
  expect(booked.data).toMatchObject({ state: "confirmed", hold_id, quote_id, version: 1 });
  expect(booked.data).toHaveProperty("payment.state", "captured");
  expect(booked.data.confirmation_code).toMatch(/^[A-Z0-9]{8}$/);
  expect(booked.expires_at).toBeUndefined();
  expect(steps(booked.next_actions)).toEqual([
    `get GET /v1/bookings/${booking_id}`,
    `get_audit GET /v1/bookings/${booking_id}/audit`,
    `cancel POST /v1/bookings/${booking_id}/cancel`,
  ]);
  await expectProof(booked.receipt, "booking_confirmed");

  const shown = (await follow(service, booked.next_actions[0]!)).ok().data;
  expect(keysOf(shown)).toEqual(BOOKING_READ_KEYS);
  expect(keysOf(shown.price_breakdown as object)).toEqual(BREAKDOWN_KEYS);
  expect(keysOf(shown.policy_snapshot as object)).toEqual(SNAPSHOT_KEYS);
  expect(shown).toMatchObject({
    traveler: { sub: "traveler-1" },
    guest: { primary: { full_name: "Ada Lovelace", email: "ada@example.com" } },
    receipts: [booked.receipt],
    refunds: [],
    cancellation: null,
  });
  await cancelAndCheck(booking_id);
});

async function cancelAndCheck(bookingId: string): Promise<void> {
  const path = `/v1/bookings/${bookingId}`;
  const terms = (await service.api("GET", `${path}/cancellation-quote`)).ok().data;
  const zero = { amount: 0, currency: "EUR" };
  expect(terms).toMatchObject({ fee: zero, refund: { amount: 20_000 }, tier_index: 0 });

  const why = { reason_code: "plans_changed", note: "The conference moved." };
  const answer = await sendCancel(service, bookingId, { body: why });
  const cancelled = answer.ok<{ refund: { refund_id: string } }>();
  const { data, receipt, next_actions } = cancelled;
  expect(keysOf(data)).toEqual(["booking_id", "cancelled_at", "fee", "policy", "refund", "state"]);
  expect(data).toMatchObject({ state: "cancelled", fee: zero, policy: { tier_index: 0 } });
  expect(data.refund).toMatchObject({ amount: 20_000, state: "succeeded" });
  const refundPath = `${path}/refunds/${data.refund.refund_id}`;
  expect(steps(next_actions)).toEqual([
    `get GET ${path}`,
    `get_audit GET ${path}/audit`,
    `get_refund GET ${refundPath}`,
  ]);
  const voided = await expectProof(receipt, "booking_cancelled");
  const refund = (await service.api("GET", refundPath)).ok();
  expect(refund.data).toMatchObject({ amount: 20_000, state: "succeeded", booking_id: bookingId });
  await expectProof(refund.receipt, "refund_issued");

  const shown = (await service.api("GET", path)).ok().data;
  expect(shown).toMatchObject({
    state: "cancelled",
    payment: { state: "refunded", refunded: 20_000 },
    cancellation: { fee: zero, refund: { amount: 20_000 }, ...why },
  });
  expect(shown.receipts).toContainEqual(voided);
  const types = (await auditOf(bookingId)).map(({ type }) => type);
  expect(types.slice(0, 3)).toEqual(["hold.created", "hold.extended", "payment.pending"]);
  for (const type of ["payment.captured", "booking.confirmed", "booking.cancelled"]) {
    expect(types).toContain(type);
  }
  expect(types.at(-1)).toBe("refund.succeeded");
  const again = (await sendCancel(service, bookingId)).refused("booking_not_cancellable");
  expect(again.detail).toMatchObject({ state: "cancelled", refund_id: data.refund.refund_id });
}

interface WithTerms {
  readonly policy_snapshot: QuotedTerms & { readonly anchor: string; readonly description: string };
}

interface CancellationQuoted {
  readonly fee: { readonly amount: number };
  readonly next_cutoff_at: string | null;
}

/** Asks what a cancellation costs, at an instant where one is given. */
async function costOf(bookingId: string, at?: string): Promise<CancellationQuoted> {
  const query = at === undefined ? "" : `?${new URLSearchParams({ at })}`;
  const path = `/v1/bookings/${bookingId}/cancellation-quote${query}`;
  return (await service.api("GET", path)).ok<CancellationQuoted>().data;
}

test("the terms of a booking name the fee of every instant, before the anchor and after it", async () => {
  const { booking_id } = await newBooking(service, stayRequest(hotel));
  const shown = (await service.api("GET", `/v1/bookings/${booking_id}`)).ok<WithTerms>().data;
  const { anchor, ...terms } = shown.policy_snapshot;
  const edges = [terms.tiers[0]!.cutoff_at, anchor].map((edge) => Date.parse(edge));
  const fees: number[] = [];
  for (const atMs of edges.flatMap((ms) => [ms - 1, ms])) {
    const { fee, next_cutoff_at } = await costOf(booking_id, new Date(atMs).toISOString());
    const row = rowAt(terms, atMs);
    expect([row.fee, row.cutoff_at ?? null]).toEqual([fee.amount, next_cutoff_at]);
    fees.push(fee.amount);
  }
  expect(fees).toEqual([0, 10_000, 10_000, 20_000]);
});

test("a quote made after the anchor names the no-show fee, and its cancellation costs it", async () => {
  // A zone whose midnight is hours away.
  const isDayInUtc = Math.abs(new Date().getUTCHours() - 12) < 6;
  const timezone = isDayInUtc ? "UTC" : "Pacific/Auckland";
  const late = await createHotel(service, { timezone, checkinTime: "00:00" });
  const today = todayIn(timezone, Date.now());
  const stay = { check_in: dateOf(today), check_out: dateOf(today + 2) };
  const body = { ...stayRequest(late), stay };
  const quoted = await service.api("POST", "/v1/quotes", { body });
  const { quote_id, policy_snapshot } = quoted.ok<Quote & WithTerms>(201).data;
  const penalty = { kind: "percentage", bps: 10_000 };
  expect(policy_snapshot).toMatchObject({
    after_last_tier: { cutoff_at: null, penalty, fee: 20_000, refund: 0 },
    no_show: { penalty, fee: 20_000 },
    description: "Non-refundable: the prepaid amount is kept.",
  });
  expect(rowAt(policy_snapshot, Date.now()).fee).toBe(20_000);

  const hold = (await sendHold(service, quote_id)).ok<Hold>(201).data;
  const booked = (await sendBooking(service, hold)).ok<Booking & WithTerms>(201);
  const { booking_id } = booked.data;
  expect(booked.data.policy_snapshot).toEqual(policy_snapshot);
  const cancel = booked.next_actions.find(({ rel }) => rel === "cancel")!;
  const fee = { amount: 20_000, currency: "EUR" };
  const refund = { amount: 0, currency: "EUR" };
  expect(cancel.cost).toEqual({ fee, refund, until: null });
  expect(await costOf(booking_id)).toMatchObject({ fee, refund, next_cutoff_at: null });
  const cancelled = (await sendCancel(service, booking_id)).ok().data;
  expect(cancelled).toMatchObject({ fee, refund: null, policy: { tier_index: 2 } });
});

test("the parts of a price add up, and another currency only changes what is shown", async () => {
  interface Line {
    readonly amount: number;
    readonly included_in_rate: boolean;
  }
  interface Priced {
    readonly price_breakdown: {
      readonly nights: readonly { readonly subtotal: number }[];
      readonly taxes: readonly Line[];
      readonly fees: readonly Line[];
      readonly due_later: readonly { readonly amount: number }[];
      readonly display: { readonly total: number; readonly fx_rate: string } | null;
    } & Readonly<
      Record<
        "room_subtotal" | "total" | "due_now" | "due_at_property" | "per_night_average",
        number
      >
    >;
  }
  const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0);
  const body = { stay: stayRequest(hotel).stay, guests: { adults: 2, children: [{ age: 8 }] } };
  const found = (await service.api("POST", "/v1/search", { body })).ok();
  expect(found.next_actions).toHaveLength(5);
  for (const { rel, body_hint } of found.next_actions) {
    expect(rel).toBe("quote");
    const quotes = await Promise.all(
      ["", "?currency=USD", "?currency=XAU"].map(async (query) =>
        (await service.api("POST", `/v1/quotes${query}`, { body: body_hint })).ok<Priced>(201),
      ),
    );
    const [plain, dollars, gold] = quotes.map(({ data }) => data.price_breakdown);
    const { nights, taxes, fees, room_subtotal, total, due_now, due_at_property } = plain!;
    const onTop = [...taxes, ...fees].filter((line) => !line.included_in_rate);
    expect(room_subtotal + sum(onTop.map(({ amount }) => amount))).toBe(total);
    const later = sum(plain!.due_later.map(({ amount }) => amount));
    expect(due_now + later + due_at_property).toBe(total);
    expect(sum(nights.map(({ subtotal }) => subtotal))).toBe(room_subtotal);
    expect([plain!.display, gold!.display]).toEqual([null, null]);
    expect(dollars!.display).toMatchObject({ currency: "USD", source: "admin_table" });
    expect(dollars!.display!.total).toBeGreaterThan(0);
    expect(dollars!.total).toBe(total);
  }
});

test("a released hold gives its unit back; releasing again answers the first time", async () => {
  const small = await createHotel(service, { units: [1] });
  const quote = await newQuote(service, stayRequest(small));
  const { data } = (await sendHold(service, quote.quote_id)).ok<Hold>(201);
  (await sendHold(service, quote.quote_id)).refused("allocation_failed");
  const path = `/v1/holds/${data.hold_id}/release`;
  const released = (await service.api("POST", path)).ok();
  expect(keysOf(released.data)).toEqual(["hold_id", "released_at", "state"]);
  expect(released.data.state).toBe("released");
  expect(steps(released.next_actions)).toEqual(["quote POST /v1/quotes", "search POST /v1/search"]);
  for (const action of released.next_actions) {
    (await follow(service, action)).ok(action.rel === "quote" ? 201 : 200);
  }
  expect((await service.api("POST", path)).ok().data).toEqual(released.data);
  const other = (await sendHold(service, quote.quote_id)).ok<Hold>(201).data;
  const late = (await sendBooking(service, data)).refused("hold_not_active");
  expect(late.detail).toMatchObject({ hold_id: data.hold_id, state: "released" });
  (await sendBooking(service, other)).ok(201);
});

test("a second hold on the same quote names the first and offers its release", async () => {
  const first = await newHold(service, stayRequest(hotel));
  const second = (await sendHold(service, first.quote_id)).ok<
    Hold & { other_live_holds: readonly string[] }
  >(201);
  expect(second.data.other_live_holds).toEqual([first.hold_id]);
  const release = `release POST /v1/holds/${first.hold_id}/release`;
  expect(steps(second.next_actions)).toContain(release);
});

test("a hold can be extended twice and no more", async () => {
  const hold = await newHold(service, stayRequest(hotel));
  const path = `/v1/holds/${hold.hold_id}/extend`;
  const first = (await service.api("POST", path)).ok();
  expect(steps(first.next_actions)).toContain(`extend POST ${path}`);
  const second = (await service.api("POST", path)).ok<Hold>();
  expect(steps(second.next_actions)).not.toContain(`extend POST ${path}`);
  const third = (await service.api("POST", path)).refused("conflict");
  expect(third.detail).toMatchObject({ reason: "max_extensions", extensions: 2 });
  const lifeMs = Date.parse(second.data.expires_at) - Date.parse(hold.expires_at);
  expect(lifeMs).toBe(2 * 900_000);
});

test("booked units are absent from search and quotes until they are released", async () => {
  const single = await createHotel(service, { units: [1] });
  const request = stayRequest(single);
  const search = async () => {
    const body = { destination: { type: "property", value: single.slug }, ...stayAndGuests };
    return (await service.api("POST", "/v1/search", { body })).ok<{
      results: readonly unknown[];
      misses: readonly { blocking: readonly { reason: string }[]; alternatives: unknown[] }[];
    }>();
  };
  const { stay, guests } = request;
  const stayAndGuests = { stay, guests };
  const before = { results: [{ hotel_id: single.id }], misses: [] };
  expect((await search()).data).toMatchObject(before);
  const booking = await newBooking(service, request);
  const { data, next_actions } = await search();
  const { results, misses } = data;
  expect(results).toEqual([]);
  expect(misses[0]!.blocking.map(({ reason }) => reason)).toEqual(["no_vacancy", "no_vacancy"]);
  expect(misses[0]!.alternatives.length).toBeGreaterThan(0);
  expect(next_actions.map(({ rel }) => rel)).toEqual([
    ...misses[0]!.alternatives.map(() => "quote" as const),
    "search",
  ]);
  for (const { body_hint } of next_actions.slice(0, -1)) {
    const other = (await service.api("POST", "/v1/quotes", { body: body_hint })).ok(201);
    expect(other.data.availability).toEqual({ sellable: 1 });
  }
  const unsold = (await service.api("POST", "/v1/quotes", { body: request })).ok(201);
  expect(unsold.data.availability).toMatchObject({ sellable: 0 });
  expect(unsold.next_actions.map(({ rel }) => rel)).not.toContain("create_hold");
  const requote = unsold.next_actions.find(({ rel }) => rel === "requote")!;
  const moved = (await follow(service, requote)).ok(201);
  (await follow(service, moved.next_actions[0]!)).ok(201);
  await sendCancel(service, booking.booking_id);
  expect((await search()).data.results).toHaveLength(1);
});

test("holds and quotes expire and release their units", async () => {
  await service.restart({ HOLD_TTL_S: "1", QUOTE_TTL_S: "2" });
  const single = await createHotel(service, { units: [1] });
  const request = stayRequest(single);
  const hold = await newHold(service, request);
  const path = `/v1/holds/${hold.hold_id}`;
  await until("the hold expires", async () => {
    return (await service.api("GET", path)).ok<Hold>().data.state === "expired";
  });
  const expired = { hold_id: hold.hold_id, expired_at: hold.expires_at };
  expect((await sendBooking(service, hold)).refused("hold_expired").detail).toEqual(expired);
  for (const verb of ["extend", "release"]) {
    const { detail } = (await service.api("POST", `${path}/${verb}`)).refused("hold_expired");
    expect(detail).toEqual(expired);
  }
  const { quote_id } = await newQuote(service, stayRequest(hotel));
  await until("the quote expires", async () => {
    return (await sendHold(service, quote_id)).status === 410;
  });
  const refusal = (await sendHold(service, quote_id)).refused("quote_expired");
  expect(refusal.detail).toHaveProperty("expired_at");
  expect(refusal.detail.quote_id).toBe(quote_id);
  expect(steps(refusal.next_actions)).toEqual(["requote POST /v1/quotes"]);
  const shown = (await service.api("GET", `/v1/quotes/${quote_id}`)).refused("quote_expired");
  expect(shown).toMatchObject({ detail: refusal.detail, next_actions: refusal.next_actions });
  (await follow(service, refusal.next_actions[0]!)).ok(201);
  const again = await newHold(service, request);
  expect((await sendBooking(service, again)).ok<Booking>(201).data.state).toBe("confirmed");
});
