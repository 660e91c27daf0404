/** Booking authorizations: who asks, who decides, and that one booking uses each. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  approveAuthorization,
  grantAuthorization,
  revokeAuthorization,
  setAuthorizationPolicy,
} from "../../../test/support/authorizations.ts";
import {
  AGENT,
  beginBooking,
  createProperty,
  frozenQuote,
  NOON,
  OTHER_AGENT,
  OTHER_TENANT,
  paymentResult,
  placeHold,
  promoteProperty,
  propertyTree,
  roomType,
  stayIn,
} from "../../../test/support/builders.ts";
import { given } from "../../../test/support/given.ts";
import type { Authorization } from "../authorization.ts";
import type { BeginBooking } from "../commands.ts";
import type { FrozenQuote } from "../price/quote.ts";
import { INVALID_REASONS, invalidReason } from "./use.ts";

const TREE = propertyTree({ room_types: [roomType({ default_inventory: 40 })] });
const HOUR_MS = 3_600_000;
const TTL_MS = 24 * HOUR_MS;
const DEAR = frozenQuote(TREE);
const LIMIT = { amount: DEAR.total - 1, currency: "EUR" };
const LIMITED = { limits: { max_open_holds: null, max_booking_amount: LIMIT } };

/** The price of a stay of another length. */
const DUE = { total: DEAR.total, due_now: DEAR.total };

type World = ReturnType<typeof given>;

function opened(): World {
  return given(createProperty(TREE), promoteProperty(TREE));
}

function held(world: World, over: Partial<FrozenQuote> = {}) {
  const quote = frozenQuote(TREE, { created_at: world.stamp, ...over });
  const placed = world.when(placeHold(quote, { ttl_ms: 7 * TTL_MS }));
  return { hold_id: placed.text("hold_id"), quote_id: quote.quote_id };
}

/** Books a new hold above the agent's limit. */
function book(world: World, over: Partial<BeginBooking> = {}, quote: Partial<FrozenQuote> = {}) {
  return world.when(beginBooking(held(world, quote), { ...LIMITED, ...over }));
}

/** The detail of a refusal with that code. */
function detailOf(came: ReturnType<typeof book>, code: string) {
  expect(came.outcome).toMatchObject({ ok: false, code });
  return (came.outcome as { readonly detail: Readonly<Record<string, unknown>> }).detail;
}

function requested(world: World): string {
  const came = book(world).recorded("authorization.requested");
  return detailOf(came, "authorization_required").authorization_id as string;
}

/** A world with one authorization in a state; it is expired when that is said. */
function inState(state: Authorization["state"], isExpired = false) {
  const world = opened();
  const id = requested(world);
  if (state !== "pending") {
    const decision = state === "revoked" ? revokeAuthorization : approveAuthorization;
    world.when(decision(id));
  }
  if (state === "consumed") book(world, { authorization_id: id }).recorded(...USED);
  if (isExpired) world.at(NOON + TTL_MS);
  return { world, id };
}

const USED = ["payment.pending", "authorization.consumed"];

test("a refused booking opens a request in its own row; the same booking names it again", () => {
  const world = opened();
  const came = book(world).recorded("authorization.requested");
  expect(came.decision.phase).toBe("sealed");
  const detail = detailOf(came, "authorization_required");
  expect(detail).toMatchObject({
    ...{ policy: "max_booking_amount", threshold: LIMIT, amount: DEAR.total, currency: "EUR" },
    ...{ state: "pending", approval_expires_at: new Date(NOON + TTL_MS).toISOString() },
  });
  const { authorization_id } = detail;
  const again = book(world).refused("authorization_required", { authorization_id });
  expect(again.decision.phase).toBe("sealed");
  world.when(approveAuthorization(`${authorization_id}`));
  book(world).refused("authorization_required", { authorization_id, state: "approved" });
  const ofOther = { traveler: { hash: "traveler-2", iss: "https://id.example.com" } };
  expect(detailOf(book(world, ofOther), "authorization_required").authorization_id).not.toBe(
    authorization_id,
  );
});

test("a request is for the agent, traveler, room type, dates and at most that amount", () => {
  const world = opened();
  const id = requested(world);
  // Ids sort by time: the first request is the oldest whatever their random parts are.
  world.at(NOON + 1);
  const differing: Partial<FrozenQuote>[] = [
    { stay: stayIn(31, 2) },
    { total: DEAR.total + 1, due_now: DEAR.total },
  ];
  for (const other of differing) {
    const came = book(world, {}, other).recorded("authorization.requested");
    expect(came.event("authorization.requested").authorization_id).not.toBe(id);
  }
  const cheaper = { total: DEAR.total - 1, due_now: 0 };
  const limits = { max_open_holds: null, max_booking_amount: { amount: 1, currency: "EUR" } };
  book(world, { limits }, cheaper).refused("authorization_required", { authorization_id: id });
});

test("an agent has at most twenty requests waiting; one that has expired does not count", () => {
  const world = opened();
  for (let nth = 0; nth < 20; nth += 1) {
    book(world, {}, { ...DUE, stay: stayIn(30 + nth, 1) }).recorded("authorization.requested");
  }
  const more = { ...DUE, stay: stayIn(60, 1) };
  const detail = { policy: "max_pending_authorizations", limit: 20, open: 20 };
  const refused = book(world, {}, more).refused("rate_limited", detail);
  expect(refused.outcome).toMatchObject({ retry_after: TTL_MS / 1000 });
  expect(refused.decision.phase).toBe("transient");
  world.at(NOON + TTL_MS);
  book(world, {}, more).recorded("authorization.requested");
});

test("an agent has at most 500 authorizations that no booking has used, granted ones too", () => {
  const world = opened();
  const grant = () => grantAuthorization(TREE, { ttl_s: TTL_MS / 1000 });
  for (let nth = 0; nth < 500; nth += 1) {
    world.when(grant()).recorded("authorization.requested", "authorization.approved");
  }
  const detail = { policy: "max_live_authorizations", limit: 500, open: 500 };
  world.when(grant()).refused("rate_limited", detail);
  book(world, {}, { ...DUE, stay: stayIn(60, 1) }).refused("rate_limited", detail);
  world.at(NOON + TTL_MS);
  world.when(grant()).recorded("authorization.requested", "authorization.approved");
});

test("an approved authorization is used once: booking, payment and event name the approver", () => {
  const { world, id } = inState("approved");
  const begun = book(world, { authorization_id: id }).recorded(...USED);
  const approval = {
    ...{ authorization_id: id, approved_by: "agt_ops" },
    approved_at: new Date(NOON).toISOString(),
  };
  expect(begun.event("payment.pending").authorization).toEqual(approval);
  const { payment_id, booking_id, hold_id } = begun.event("payment.pending");
  expect(begun.event("authorization.consumed")).toEqual({
    ...{ authorization_id: id, hold_id, booking_id, payment_id },
  });
  const second = book(world, { authorization_id: id });
  second.refused("booking_authorization_invalid", { reason: "already_consumed" });
  const done = world.when(paymentResult(payment_id, "captured"));
  done.recorded("payment.captured", "booking.confirmed");
  expect(done.event("booking.confirmed").authorization).toEqual(approval);
  expect(world.records.booking(booking_id)?.authorization).toEqual(approval);
  expect(world.records.payment(payment_id)?.authorization).toEqual(approval);
});

test("when nothing is due, the row of the confirmation consumes it", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE), setAuthorizationPolicy());
  const { data } = world.when(grantAuthorization(TREE));
  const authorization_id = `${data.authorization_id}`;
  const booked = book(world, { authorization_id }, { due_now: 0 });
  booked.recorded("booking.confirmed", "authorization.consumed");
  expect(booked.event("booking.confirmed").authorization?.approved_by).toBe("agt_ops");
  expect(world.records.authorization(authorization_id)?.used?.payment_id).toBeNull();
});

test.each(["declined", "cancelled", "provider_error"] as const)(
  "%s: the failed payment gives it back in its row, unless it has expired",
  (result) => {
    const { world, id } = inState("approved");
    const first = book(world, { authorization_id: id }).event("payment.pending");
    const failed = world.when(paymentResult(first.payment_id, result));
    failed.recorded("payment.failed", "authorization.returned");
    expect(world.records.authorization(id)).toMatchObject({ state: "approved", used: null });
    const second = book(world, { authorization_id: id }).event("payment.pending");
    world.at(NOON + TTL_MS);
    world.when(paymentResult(second.payment_id, result)).recorded("payment.failed");
    expect(world.records.authorization(id)?.state).toBe("consumed");
  },
);

test("a payment whose verdict comes after a day gives a longer authorization back", () => {
  const world = given(createProperty(TREE), promoteProperty(TREE));
  const { data } = world.when(grantAuthorization(TREE, { ttl_s: 3 * 86_400 }));
  const begun = book(world, { authorization_id: `${data.authorization_id}` });
  world.at(NOON + TTL_MS).due();
  while (world.due() !== null);
  const late = world.when(paymentResult(begun.text("payment_id"), "declined"));
  late.recorded("payment.failed", "authorization.returned");
});

/** What each command comes to in each state: the event, or the reason of the refusal. */
const TABLE: readonly (readonly [Authorization["state"], boolean, string, string, string])[] = [
  ["pending", false, "authorization.approved", "authorization.revoked", "pending_approval"],
  ["pending", true, "expired", "expired", "expired"],
  ["approved", false, "approved", "authorization.revoked", "payment.pending"],
  ["approved", true, "expired", "expired", "expired"],
  ["consumed", false, "consumed", "consumed", "already_consumed"],
  ["consumed", true, "consumed", "consumed", "already_consumed"],
  ["revoked", false, "revoked", "revoked", "revoked"],
  ["revoked", true, "revoked", "revoked", "revoked"],
];

test.each(TABLE)("%s, expired %p: approve %s, revoke %s, book %s", (state, over, ...come) => {
  const [approve, revoke, use] = come;
  for (const [command, expected] of [
    [approveAuthorization, approve],
    [revokeAuthorization, revoke],
  ] as const) {
    const { world, id } = inState(state, over);
    const came = world.when(command(id));
    if (expected.includes(".")) came.recorded(expected);
    else {
      const detail = { reason: "authorization_state", authorization_id: id, state: expected };
      came.refused("conflict", detail);
    }
  }
  const { world, id } = inState(state, over);
  const came = book(world, { authorization_id: id });
  if (use.includes(".")) came.recorded(...USED);
  else came.refused("booking_authorization_invalid", { reason: use, authorization_id: id });
});

test("the requester cannot approve; unknown and foreign ids are not found", () => {
  const world = opened();
  const id = requested(world);
  const asker = { actor: { kind: "operator", id: AGENT } } as const;
  const own = { reason: "own_request", authorization_id: id };
  world.when(approveAuthorization(id, asker)).refused("conflict", own);
  const forItself = grantAuthorization(TREE, { ...asker });
  world.when(forItself).refused("conflict", { reason: "own_request", agent_id: AGENT });
  for (const foreign of [{ tenant_id: OTHER_TENANT }, { mode: "test" as const }]) {
    const detail = { authorization_id: id };
    const refused = world.when(approveAuthorization(id, foreign));
    refused.refused("booking_authorization_not_found", detail);
  }
  world.when(revokeAuthorization("aut_x")).refused("booking_authorization_not_found");
  const elsewhere = { property_ids: ["another"] };
  world.when(approveAuthorization(id, elsewhere)).refused("resource_access_denied");
  world.when(approveAuthorization(id)).recorded("authorization.approved");
});

test("an operator approves another amount, and the note has a key of its own", () => {
  const world = opened();
  const id = requested(world);
  const note = { encrypted: { note: "sealed" }, wrapped_key: "wrapped" };
  const approved = world.when(approveAuthorization(id, { max_amount: 5_000, note }));
  expect(approved.decision.subjectKey).toMatchObject({ booking_id: id, wrapped_key: "wrapped" });
  expect(approved.data).toMatchObject({ state: "approved", max_amount: 5_000, currency: "EUR" });
  expect(world.records.authorization(id)?.note?.encrypted).toEqual(note.encrypted);
  const dear = book(world, { authorization_id: id });
  dear.refused("booking_authorization_invalid", { reason: "amount_exceeded" });
});

test("a grant is approved at once, for offers that exist", () => {
  const world = opened();
  const made = world.when(grantAuthorization(TREE));
  made.recorded("authorization.requested", "authorization.approved");
  const { request } = grantAuthorization(TREE);
  const at = (over: Partial<typeof request>) =>
    world.when(grantAuthorization(TREE, { request: { ...request, ...over } }));
  world.when(grantAuthorization(TREE, { has_agent: false })).refused("agent_not_found");
  at({ hotel_id: "nowhere" }).refused("property_not_found");
  at({ room_type_id: "nothing" }).refused("room_type_not_found");
  at({ rate_plan_id: "nothing" }).refused("rate_plan_not_found");
});

test("the policy decides which bookings need one, beside the agent's own limit", () => {
  const unlimited = { limits: { max_open_holds: null, max_booking_amount: null } };
  const under = (policy: Parameters<typeof setAuthorizationPolicy>[0], over = {}) => {
    const world = given(
      createProperty(TREE),
      promoteProperty(TREE),
      setAuthorizationPolicy(policy),
    );
    const came = book(world, unlimited, over);
    return came.outcome.ok ? null : detailOf(came, "authorization_required").policy;
  };
  const over = (amount: number, currency = "EUR") =>
    ({ required_when: "over_amount", over: { amount, currency } }) as const;
  expect(under({ required_when: "never" })).toBeNull();
  expect(under({ required_when: "always" })).toBe("always");
  expect(under(over(DEAR.total))).toBeNull();
  expect(under(over(DEAR.total - 1))).toBe("over_amount");
  expect(under(over(DEAR.total, "USD"))).toBe("over_amount");
  const strict = { fees: { ...DEAR.fees, tiers: [], after: DEAR.due_now } };
  expect(under({ required_when: "non_refundable" })).toBeNull();
  expect(under({ required_when: "non_refundable" }, strict)).toBe("non_refundable");
  expect(under({ required_when: "non_refundable" }, { due_now: 0 })).toBeNull();
  expect(under({ required_when: "always", mode: "test" })).toBeNull();
});

test("the policy's life and tolerance are those of the request's time", () => {
  const world = opened();
  world.when(setAuthorizationPolicy({ ttl_s: 300, tolerance_bps: 250 }));
  const { max_amount, expires_at } = book(world).event("authorization.requested");
  expect(max_amount).toBe(DEAR.total + DEAR.total * 0.025);
  expect(expires_at).toBe(new Date(NOON + 300_000).toISOString());
});

test("an authorization of the time when the clock was ahead keeps its remaining time", () => {
  const { world, id } = inState("approved");
  world.at(NOON + HOUR_MS).when(setAuthorizationPolicy());
  world.correctClock(NOON - HOUR_MS);
  const { expires_at } = world.records.authorization(id)!;
  expect(expires_at - world.stamp).toBe(TTL_MS - HOUR_MS);
});

test("of several reasons the first in the published order is told", () => {
  const world = opened();
  const whole = world.when(grantAuthorization(TREE));
  const found = world.records.authorization(whole.text("authorization_id"))!;
  const quote = frozenQuote(TREE);
  const faults = fc.subarray([...INVALID_REASONS]);
  fc.assert(
    fc.property(faults, (some) => {
      const has = (reason: (typeof INVALID_REASONS)[number]) => some.includes(reason);
      const states = { revoked: "revoked", already_consumed: "consumed" } as const;
      // A state excludes the others: of several the first counts.
      const state = has("revoked")
        ? states.revoked
        : has("already_consumed")
          ? states.already_consumed
          : has("pending_approval")
            ? "pending"
            : "approved";
      const bad: Authorization = {
        ...found,
        state,
        ...(has("unknown") && { tenant_id: OTHER_TENANT }),
        ...(has("agent_mismatch") && { agent_id: OTHER_AGENT }),
        ...(has("expired") && { expires_at: NOON }),
        traveler_hash: has("traveler_mismatch") ? "traveler-2" : "traveler-1",
        ...(has("scope_mismatch") && { room_type_id: "another" }),
        ...(has("currency_mismatch") && { currency: "USD" }),
        ...(has("amount_exceeded") && { max_amount: quote.total - 1 }),
      };
      const first = INVALID_REASONS.find(has) ?? null;
      expect(invalidReason(bad, beginBooking({ hold_id: "", quote_id: "" }), { quote }, NOON)).toBe(
        first,
      );
    }),
    { numRuns: 1_000 },
  );
  expect(INVALID_REASONS).toHaveLength(10);
});
