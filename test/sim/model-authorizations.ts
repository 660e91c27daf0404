/** What booking authorizations come to: asked for, decided, used, given back. */
import type {
  ApproveAuthorization,
  BeginBooking,
  CommandMeta,
  GrantAuthorization,
  RevokeAuthorization,
  SetAuthorizationPolicy,
} from "../../engine/core/commands.ts";
import type { Row } from "../../engine/core/events/event.ts";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import { check, same } from "./check.ts";
import {
  dataOf,
  type Expected,
  isForeign,
  keyOf,
  type ModelAuthorization,
  type ModelHold,
  type ModelLedger,
  type ModelPayment,
  refused,
  succeeded,
} from "./model-ledger.ts";

type Deciding = GrantAuthorization | ApproveAuthorization | RevokeAuthorization;

const PENDING_MAX = 20;
const NO_POLICY = { required_when: "never", over: null, ttl_s: 86_400, tolerance_bps: 0 } as const;

function realmOf({ tenant_id, mode }: Pick<CommandMeta, "tenant_id" | "mode">): string {
  return `${tenant_id} ${mode}`;
}

/** `PUT /v1/admin/authorization-policy`. */
export function expectPolicy(command: SetAuthorizationPolicy, ledger: ModelLedger): Expected {
  const { required_when, over, ttl_s, tolerance_bps } = command;
  return succeeded(command, "authorization_policy", {
    events: ["authorization_policy.changed"],
    has: { required_when, over },
    apply: () => {
      ledger.policies.set(realmOf(command), { required_when, over, ttl_s, tolerance_bps });
    },
  });
}

function isOpen({ state, expiresAt }: ModelAuthorization, stamp: number): boolean {
  return (state === "pending" || state === "approved") && stamp < expiresAt;
}

function isForStay({ place }: ModelAuthorization, quote: FrozenQuote): boolean {
  return place === placeOf(quote.property_id, quote);
}

function placeOf(
  property: string,
  { room_type_id, stay }: Pick<FrozenQuote, "room_type_id" | "stay">,
) {
  return [property, room_type_id, stay.check_in, stay.check_out].join(" ");
}

/** The rule that a booking breaks, or null. */
function ruleOf(command: BeginBooking, quote: FrozenQuote, stamp: number, ledger: ModelLedger) {
  const policy = command.desk ? undefined : ledger.policies.get(realmOf(command));
  const { required_when, over } = policy ?? NO_POLICY;
  const isAbove = (limit: { amount: number; currency: string } | null) =>
    limit !== null && (limit.currency !== quote.currency || quote.total > limit.amount);
  if (isAbove(command.limits.max_booking_amount)) return "max_booking_amount";
  if (required_when === "always") return "always";
  if (required_when === "over_amount" && isAbove(over)) return "over_amount";
  const { tiers, after, no_show, anchor_ms } = quote.fees;
  const later = tiers.find(({ until_ms }) => stamp < until_ms)?.fee ?? after;
  const fee = stamp >= anchor_ms ? no_show : later;
  const keepsAll = quote.due_now > 0 && fee === quote.due_now;
  return required_when === "non_refundable" && keepsAll ? "non_refundable" : null;
}

/** The authorization that the booking uses, null for none, or what it is refused with. */
export function expectAuthorized(
  command: BeginBooking,
  hold: ModelHold,
  stamp: number,
  ledger: ModelLedger,
): ModelAuthorization | Expected | null {
  const { quote } = hold;
  const { authorization_id: id, actor, traveler } = command;
  const rule = ruleOf(command, quote, stamp, ledger);
  if (id === undefined) return rule && expectRequest(command, hold, rule, stamp, ledger);
  const found = ledger.authorizations.get(id);
  const problems: [string, boolean][] = [
    ["unknown", !found || realmOf(found) !== realmOf(command)],
    ["agent_mismatch", found?.agent_id !== actor.id],
    ["revoked", found?.state === "revoked"],
    ["already_consumed", found?.state === "consumed"],
    ["expired", found !== undefined && stamp >= found.expiresAt],
    ["pending_approval", found?.state === "pending"],
    ["traveler_mismatch", found?.traveler !== null && found?.traveler !== traveler.hash],
    ["scope_mismatch", !found || !isForStay(found, quote)],
    ["currency_mismatch", found?.currency !== quote.currency],
    ["amount_exceeded", !found || quote.total > found.maxAmount],
  ];
  const [reason] = problems.find(([, isMet]) => isMet) ?? [];
  if (reason === undefined) return found!;
  return refused(command, "booking_authorization_invalid", { reason, hold_id: hold.id });
}

function expectRequest(
  command: BeginBooking,
  { quote, id: hold_id }: ModelHold,
  policy: string,
  stamp: number,
  ledger: ModelLedger,
): Expected {
  const { tenant_id, mode, actor, traveler } = command;
  const own = [...ledger.authorizations.values()].filter(
    (each) =>
      realmOf(each) === realmOf(command) && each.agent_id === actor.id && isOpen(each, stamp),
  );
  const fitting = own.filter(
    (each) =>
      (each.traveler ?? traveler.hash) === traveler.hash &&
      isForStay(each, quote) &&
      each.currency === quote.currency &&
      quote.total <= each.maxAmount,
  );
  const [oldest] = fitting.sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1));
  const has = { policy, amount: quote.total, hold_id };
  if (oldest) {
    const named = { ...has, authorization_id: oldest.id, state: oldest.state };
    return refused(command, "authorization_required", named);
  }
  if (own.filter(({ state }) => state === "pending").length >= PENDING_MAX) {
    return refused(command, "rate_limited", { policy: "max_pending_authorizations" });
  }
  const { ttl_s, tolerance_bps } = ledger.policies.get(realmOf(command)) ?? NO_POLICY;
  return {
    ...refused(command, "authorization_required", { ...has, state: "pending" }),
    events: ["authorization.requested"],
    key: keyOf(command),
    apply: (row) => {
      const told = dataOf(row, "authorization.requested");
      const excess = Math.round((quote.total * tolerance_bps) / 10_000);
      same(told.max_amount, quote.total + excess, "the amount of a request");
      note(ledger, {
        ...{ id: told.authorization_id, tenant_id, mode, agent_id: actor.id },
        ...{ traveler: traveler.hash, place: placeOf(quote.property_id, quote) },
        ...{ maxAmount: told.max_amount, currency: quote.currency, state: "pending" },
        ...{ expiresAt: stamp + 1000 * ttl_s, askedBy: actor.id, usedBy: null },
      });
    },
  };
}

function rank({ state }: ModelAuthorization): number {
  return state === "approved" ? 0 : 1;
}

function note(ledger: ModelLedger, made: ModelAuthorization): void {
  check(!ledger.authorizations.has(made.id), `authorization id ${made.id} was given twice`);
  ledger.authorizations.set(made.id, made);
}

/** What an operator decides. */
export function expectDecision(command: Deciding, stamp: number, ledger: ModelLedger): Expected {
  if (command.type === "GrantAuthorization") return expectGrant(command, stamp, ledger);
  const found = ledger.authorizations.get(command.authorization_id);
  const { authorization_id } = command;
  if (!found || isForeign(command, found)) {
    return refused(command, "booking_authorization_not_found", { authorization_id });
  }
  const isApproval = command.type === "ApproveAuthorization";
  const isLive = isOpen(found, stamp) && (!isApproval || found.state === "pending");
  if (!isLive) {
    const isOver = isOpen(found, Number.NEGATIVE_INFINITY) && !isOpen(found, stamp);
    const state = isOver ? "expired" : found.state;
    return refused(command, "conflict", { reason: "authorization_state", state });
  }
  const isOwn = found.askedBy === command.actor.id;
  if (isApproval && isOwn) return refused(command, "conflict", { reason: "own_request" });
  const state = isApproval ? "approved" : "revoked";
  const maxAmount = (isApproval ? command.max_amount : undefined) ?? found.maxAmount;
  return succeeded(command, "authorization", {
    events: [`authorization.${state}`],
    has: { authorization_id, state, max_amount: maxAmount },
    apply: () => {
      found.state = state;
      found.maxAmount = maxAmount;
    },
  });
}

function expectGrant(command: GrantAuthorization, stamp: number, ledger: ModelLedger): Expected {
  const { tenant_id, mode, actor, agent_id, request, traveler_hash, currency } = command;
  if (agent_id === actor.id) return refused(command, "conflict", { reason: "own_request" });
  const { hotel_id: property_id } = request;
  const gone = ledger.supply.goneOf({ ...request, property_id });
  if (gone) return refused(command, gone);
  const policy = ledger.policies.get(realmOf(command)) ?? NO_POLICY;
  const { ttl_s = policy.ttl_s } = command;
  return succeeded(command, "authorization", {
    events: ["authorization.requested", "authorization.approved"],
    has: { state: "approved", max_amount: command.max_amount },
    apply: (row) => {
      note(ledger, {
        ...{ id: dataOf(row, "authorization.requested").authorization_id, tenant_id, mode },
        ...{ agent_id, traveler: traveler_hash, place: placeOf(request.hotel_id, request) },
        ...{ maxAmount: command.max_amount, currency, state: "approved" },
        ...{ expiresAt: stamp + 1000 * ttl_s, askedBy: actor.id, usedBy: null },
      });
    },
  });
}

/** Notes that a booking uses it; one that is used is used by nothing else. */
export function consume(
  row: Row,
  authorization: ModelAuthorization | null,
  payment: ModelPayment | null,
): void {
  if (!authorization) return;
  same(authorization.state, "approved", "the state of an authorization that is used");
  const told = dataOf(row, "authorization.consumed");
  same([told.authorization_id, told.payment_id], [authorization.id, payment?.id ?? null], "use");
  authorization.state = "consumed";
  authorization.usedBy = payment;
}

/** The authorization that a failed payment gives back, or null. */
export function returnedBy(
  payment: ModelPayment,
  stamp: number,
  ledger: ModelLedger,
): ModelAuthorization | null {
  const used = [...ledger.authorizations.values()].find(({ usedBy }) => usedBy === payment);
  return used && stamp < used.expiresAt ? used : null;
}
