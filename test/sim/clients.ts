/**
 * What clients ask for: mostly sensible, often too late, sometimes somebody else's. Several agents
 * share few rooms, so that they get in each other's way.
 */
import { dateOf, dayOf } from "../../engine/core/calendar.ts";
import type { Command } from "../../engine/core/commands.ts";
import type { BoundClaims, Consent } from "../../engine/core/consent.ts";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import type { Realm } from "../../engine/core/supply.ts";
import {
  beginBooking,
  cancelBooking,
  createProperty,
  extendHold,
  frozenQuote,
  placeHold,
  promoteProperty,
  releaseHold,
} from "../support/builders.ts";
import { AuthorizingClients } from "./authorizing-clients.ts";
import { CALLERS, type Caller, type Metas, PEOPLE, TREES } from "./callers.ts";
import { IncidentClients } from "./incident-clients.ts";
import type { ModelBooking, ModelLedger } from "./model-ledger.ts";
import type { Random } from "./random.ts";
import { SupplyClients } from "./supply-clients.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Stays begin on one of this many days and are at most four nights long. */
const CHECK_IN_DAYS = 5;

/** Agents that tokens were issued to. */
const AUTHORIZED = ["agt_ann", "agt_ann", "agt_bob"] as const;

export class Clients {
  readonly #random: Random;
  readonly #ledger: ModelLedger;
  readonly #quotes: FrozenQuote[] = [];
  readonly #metas: Metas;
  readonly #supply: SupplyClients;
  readonly #authorizing: AuthorizingClients;
  readonly #incidents: IncidentClients;

  constructor(random: Random, ledger: ModelLedger, metas: Metas) {
    this.#random = random;
    this.#ledger = ledger;
    this.#metas = metas;
    this.#supply = new SupplyClients(random, ledger, metas);
    this.#authorizing = new AuthorizingClients(random, ledger, metas);
    this.#incidents = new IncidentClients(random, ledger, metas);
  }

  /** Creates the properties, then puts them on sale. */
  opening(): Command[] {
    return [
      ...TREES.map(({ caller, tree }) => createProperty(tree, this.#metas.of(caller))),
      ...TREES.map(({ caller, tree }) => promoteProperty(tree, this.#metas.of(caller))),
    ];
  }

  /** One request. */
  next(now: number): Command {
    const random = this.#random;
    switch (
      random.weighted({
        ...{ hold: 42, book: 24, extend: 9, release: 7, cancel: 9, desk: 9, ari: 9, supply: 6 },
        ...{ refund: 8, modify: 9, authorize: 11, incident: 8 },
      })
    ) {
      case "hold":
        return this.#placeHold(random.pick(CALLERS), now);
      case "book":
        return this.book(this.#holdId());
      case "extend": {
        const holdId = random.chance(60) ? this.#mostExtended() : this.#holdId();
        return extendHold(holdId, this.#metas.keyedOrNot(this.#userOf(holdId)));
      }
      case "release": {
        const holdId = this.#holdId();
        return releaseHold(holdId, this.#metas.keyedOrNot(this.#userOf(holdId)));
      }
      case "cancel":
        return this.#cancel();
      case "desk":
        return this.#atDesk();
      case "modify":
        return this.#modify(now);
      case "refund":
        return this.#refund();
      case "authorize":
        return this.#authorizing.next();
      case "incident":
        return this.#incidents.next(now);
      case "ari":
        return this.#supply.ari(now);
      case "supply":
        return this.#supply.supply();
    }
  }

  /** A booking of a hold. */
  book(holdId: string): Command {
    const random = this.#random;
    const hold = this.#ledger.holds.get(holdId);
    const limit = random.chance(6) ? { amount: random.below(60_000), currency: "EUR" } : null;
    const quoteId = random.chance(4) ? "qt_another" : (hold?.quote.quote_id ?? "qt_none");
    return beginBooking(
      { hold_id: holdId, quote_id: quoteId },
      {
        ...this.#metas.of(this.#userOf(holdId)),
        limits: { max_open_holds: null, max_booking_amount: limit },
        traveler: {
          hash: random.pick(["traveler-1", "traveler-2"]),
          iss: "https://id.example.com",
        },
        ...this.#authorizing.named(hold),
        ...(random.chance(10) && { desk: { pays_at_property: random.chance(70) } }),
        consent: this.#consent(holdId, hold?.quote.total ?? 0),
      },
    );
  }

  /** Mostly an unbound token; else one that is bound, well or badly, or has run out. */
  #consent(holdId: string, total: number): Consent {
    const random = this.#random;
    if (random.chance(80)) return { claims: {} };
    const claims: BoundClaims = {
      ...(random.chance(25) ? { azp: random.pick(AUTHORIZED) } : {}),
      ...(random.chance(25) ? { client_id: random.pick(AUTHORIZED) } : {}),
      ...(random.chance(25) ? { hold_id: random.pick([holdId, "hld_another"]) } : {}),
      ...(random.chance(25) ? { max_amount: total + random.between(-1, 1) } : {}),
    };
    return { claims, ...(random.chance(15) ? { is_expired: true } : {}) };
  }

  /** The same request once more: as it was, tried again, sent by a colleague, or changed. */
  again(command: Command): Command {
    const ways = { duplicate: 40, retry: 30, colleague: 10, body: 10, agent: 10 };
    switch (this.#random.weighted(ways)) {
      case "duplicate":
        return command;
      case "retry":
        return { ...command, ...this.#metas.unique() };
      case "colleague": {
        const { actor } = command;
        const by = actor.kind === "operator" ? { person_id: this.#random.pick(PEOPLE) } : {};
        return { ...command, ...this.#metas.unique(), actor: { ...actor, ...by } };
      }
      case "body":
        return { ...command, ...this.#metas.unique(), body_hash: this.#random.hex() };
      case "agent":
        return { ...command, ...this.#metas.unique(), actor: { kind: "agent", id: "agt_mallory" } };
    }
  }

  #placeHold(caller: Caller, now: number): Command {
    const random = this.#random;
    const limits = {
      max_open_holds: random.chance(30) ? random.between(1, 4) : null,
      max_booking_amount: null,
    };
    if (random.chance(3)) {
      const missing = random.pick(["quote_not_found", "quote_expired"] as const);
      const quote = this.#quote(caller, now);
      const meta = { ...this.#metas.of(caller), limits, missing };
      return { ...placeHold(quote, meta), quote: null };
    }
    const reuses = this.#quotes.length > 0 && random.chance(35);
    const quote = reuses ? random.pick(this.#quotes.slice(-12)) : this.#quote(caller, now);
    const owner = CALLERS.find(({ actor }) => actor.id === quote.agent_id) ?? caller;
    const by = random.chance(15) ? caller : owner;
    const ttl_ms = random.chance(25) ? random.between(1_000, 60_000) : 900_000;
    return placeHold(quote, { ...this.#metas.of(by), ttl_ms, limits });
  }

  #quote({ tenant_id, mode, actor }: Caller, now: number): FrozenQuote {
    const random = this.#random;
    const { tree } = TREES.find(
      ({ caller }) => caller.tenant_id === tenant_id && caller.mode === mode,
    )!;
    const room = random.pick(tree.room_types);
    const first = Math.floor(now / DAY_MS) + random.below(CHECK_IN_DAYS);
    const nights = random.between(1, 4);
    const nightly = Array.from({ length: nights }, () => random.between(5_000, 20_000));
    const total = nightly.reduce((sum, amount) => sum + amount, 0);
    const dueNow = random.pick([total, total, total, Math.floor(total / 3), 0]);
    const anchorMs = first * DAY_MS + 13 * HOUR_MS;
    const tiers = random.chance(70)
      ? [{ until_ms: anchorMs - random.below(72) * HOUR_MS, fee: 0 }]
      : [];
    const after = Math.floor((dueNow * random.below(101)) / 100);
    const quote = frozenQuote(tree, {
      ...{ tenant_id, mode, agent_id: actor.id, nightly, total, due_now: dueNow },
      quote_id: `qt_${random.hex()}`,
      room_type_id: room.id,
      rate_plan_id: random.pick(room.rate_plans).id,
      stay: { check_in: dateOf(first), check_out: dateOf(first + nights) },
      guests: { adults: random.chance(3) ? 5 : 2, children: [] },
      room_subtotal: total,
      created_at: now,
      fees: {
        ...{ tiers, after, no_show: random.pick([dueNow, after]), anchor_ms: anchorMs },
        anchor: new Date(anchorMs).toISOString(),
      },
    });
    this.#quotes.push(quote);
    return quote;
  }

  /** Mostly one that is open; sometimes a finished one, or none at all. */
  #holdId(): string {
    const random = this.#random;
    const open = [...this.#ledger.open];
    if (open.length > 0 && random.chance(80)) return random.pick(open).id;
    const all = [...this.#ledger.holds.keys()].slice(-25);
    return all.length > 0 && random.chance(95) ? random.pick(all) : "hld_unknown";
  }

  #mostExtended(): string {
    const open = [...this.#ledger.open].sort((a, b) => b.extensions - a.extensions);
    return open[0]?.id ?? this.#holdId();
  }

  /** Mostly the agent that placed the hold, sometimes somebody else. */
  #userOf(holdId: string): Caller {
    const agentId = this.#ledger.holds.get(holdId)?.agent_id;
    const owner = CALLERS.find(({ actor }) => actor.id === agentId);
    return owner && this.#random.chance(85) ? owner : this.#random.pick(CALLERS);
  }

  #cancel(): Command {
    const random = this.#random;
    const all = [...this.#ledger.bookings.values()].slice(-15);
    const booking = all.length > 0 && random.chance(97) ? random.pick(all) : null;
    const isOwn = booking && random.chance(85);
    const caller: Caller = isOwn
      ? { ...booking, actor: { kind: "agent", id: booking.agent_id } }
      : random.pick(CALLERS);
    const hash = booking && random.chance(92) ? booking.traveler : "traveler-9";
    const traveler = { hash, iss: "https://id.example.com" };
    const consent = this.#consent(booking?.holdId ?? "hld_any", 0);
    const meta = { ...this.#metas.keyedOrNot(caller), traveler, consent };
    return cancelBooking(booking?.id ?? "bkg_unknown", meta);
  }

  /** A change of a stay: mostly to nights nearby, at the same price or with a difference. */
  #modify(now: number): Command {
    const random = this.#random;
    const all = [...this.#ledger.bookings.values()];
    const confirmed = all.filter(({ state }) => state === "confirmed");
    const here = all.filter(({ state }) => state === "checked_in");
    const changeable = random.chance(40) && here.length > 0 ? here : confirmed;
    const some = changeable.length > 0 && random.chance(85) ? changeable : all;
    const booking = some.length > 0 && random.chance(97) ? random.pick(some.slice(-15)) : null;
    const owner = booking ?? { ...random.pick(CALLERS), agent_id: "agt_ann" };
    const { tenant_id, mode } = owner;
    const caller = { tenant_id, mode, actor: { kind: "agent", id: owner.agent_id } } as const;
    const isHere = booking?.state === "checked_in" && random.chance(85);
    const draft = isHere ? this.#otherDeparture(booking.quote) : this.#quote(caller, now);
    const before = booking?.quote ?? draft;
    const difference = random.pick([null, null, "refund", "waive"] as const);
    const due_now = difference === "refund" ? Math.floor(before.due_now * 0.6) : before.due_now;
    const isCharged = difference !== null || random.chance(60);
    const fees = { ...before.fees, after: Math.min(before.fees.after, due_now) };
    const { room_type_id, rate_plan_id, stay, guests, nightly } = draft;
    const quote = {
      ...{ ...before, room_type_id, rate_plan_id, stay, guests, nightly, due_now },
      ...{ total: due_now + before.due_at_property, sources: draft.sources, created_at: now },
      fees: { ...fees, no_show: Math.min(fees.no_show, due_now) },
    };
    const allowed = random.pick([null, now + DAY_MS, now + DAY_MS, now + DAY_MS, now - 1]);
    return {
      ...this.#metas.keyedOrNot({ tenant_id, mode, actor: CALLERS[3]!.actor }),
      type: "ModifyBooking",
      booking_id: booking?.id ?? "bkg_unknown",
      base_version: (booking?.version ?? 1) - (random.chance(5) ? 1 : 0),
      expected_version: null,
      stay: {
        request: { hotel_id: draft.property_id, room_type_id, rate_plan_id, stay, guests },
        quote: isCharged ? quote : null,
        difference,
        priced: { total: draft.total, nights: nightly.length },
        allowed_until_ms: allowed,
      },
    };
  }

  /** The stay of a guest who goes earlier or later. */
  #otherDeparture(quote: FrozenQuote): FrozenQuote {
    const random = this.#random;
    const first = dayOf(quote.stay.check_in);
    const nights = Math.max(1, quote.nightly.length + random.between(-2, 3));
    const nightly = Array.from({ length: nights }, () => random.between(5_000, 20_000));
    const total = nightly.reduce((sum, amount) => sum + amount, 0);
    const stay = { check_in: dateOf(first), check_out: dateOf(first + nights) };
    return { ...quote, stay, nightly, total, sources: "b".repeat(nights) };
  }

  /** An operator's refund of a part or of the rest, or what becomes of a failed one. */
  #refund(): Command {
    const random = this.#random;
    const failed = [...this.#ledger.refunds.values()].filter(({ state }) => state === "failed");
    const refunds =
      failed.length > 0 && random.chance(90) ? failed : [...this.#ledger.refunds.values()];
    const { actor } = CALLERS[3]!;
    if (refunds.length > 0 && random.chance(40)) {
      const { tenant_id, mode, id: refund_id } = random.pick(refunds.slice(-6));
      const meta = { ...this.#metas.keyedOrNot({ tenant_id, mode, actor }), refund_id };
      if (random.chance(60)) return { ...meta, type: "RetryRefund" };
      return { ...meta, type: "SettleRefundElsewhere", method: "cash" };
    }
    const all = [...this.#ledger.bookings.values()].slice(-15);
    const booking = all.length > 0 && random.chance(97) ? random.pick(all) : null;
    const { tenant_id, mode } = booking && random.chance(95) ? booking : random.pick(CALLERS);
    const due = booking?.quote.due_now ?? 0;
    return {
      ...this.#metas.keyedOrNot({ tenant_id, mode, actor }),
      type: "RefundPayment",
      booking_id: booking?.id ?? "bkg_unknown",
      amount: random.chance(25) ? null : random.between(1, Math.max(1, Math.floor(due * 0.7))),
      reason: "goodwill",
    };
  }

  /** An operator at the desk, mostly of the right tenant, with a guest who is there or is not. */
  #atDesk(): Command {
    const random = this.#random;
    const all = [...this.#ledger.bookings.values()];
    const here = all.filter(({ state }) => state === "checked_in");
    const some = here.length > 0 && random.chance(40) ? here : all.slice(-15);
    const booking = some.length > 0 && random.chance(97) ? random.pick(some) : null;
    const owner = booking && random.chance(95) ? booking : random.pick(CALLERS);
    const { tenant_id, mode } = owner;
    const meta = this.#metas.keyedOrNot({ tenant_id, mode, actor: CALLERS[3]!.actor });
    const command = { ...meta, booking_id: booking?.id ?? "bkg_unknown" };
    if (random.chance(15)) return this.#byGuest(booking, owner);
    const arriving = { CancelAtDesk: 20, CheckInGuest: 35, RecordNoShow: 20 };
    const ways = { ...arriving, UndoCheckIn: 15, CompleteStay: 25 };
    if (random.chance(12)) return { ...command, type: "EraseGuest" };
    if (random.chance(15)) {
      const encrypted = random.chance(95) ? { encrypted: { note: "sealed" } } : {};
      return { ...command, type: "AddBookingNote", ...encrypted };
    }
    const type = random.weighted(ways);
    if (type === "CancelAtDesk") return { ...command, type, waives_fee: random.chance(50) };
    return { ...command, type };
  }

  /** A guest who cancels for what was shown or another amount; sometimes of another booking. */
  #byGuest(booking: ModelBooking | null, { tenant_id, mode }: Realm): Command {
    const random = this.#random;
    const id = booking && random.chance(90) ? booking.id : "bkg_unknown";
    const { due_now = 0, fees = null } = booking?.quote ?? {};
    const shown = due_now - (random.chance(50) ? 0 : (fees?.after ?? 0));
    return {
      ...this.#metas.keyedOrNot({ tenant_id, mode, actor: { kind: "guest", id } }),
      type: "CancelByGuest",
      booking_id: booking?.id ?? "bkg_unknown",
      expected_refund: shown,
    };
  }
}
