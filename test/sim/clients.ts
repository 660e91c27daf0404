/**
 * What clients ask for: mostly sensible, often too late, sometimes somebody else's. Several agents
 * share few rooms, so that they get in each other's way.
 */
import { dateOf } from "../../engine/core/calendar.ts";
import type { Command, CommandMeta, ReplaceProperty } from "../../engine/core/commands.ts";
import type { BoundClaims, Consent } from "../../engine/core/consent.ts";
import type { Notice } from "../../engine/core/events/event.ts";
import type { FrozenQuote } from "../../engine/core/price/quote.ts";
import type { AriUpdate, Mode, PropertyTree, RoomType } from "../../engine/core/supply.ts";
import {
  archiveProperty,
  beginBooking,
  cancelBooking,
  createProperty,
  deleteProperty,
  extendHold,
  frozenQuote,
  OTHER_TENANT,
  placeHold,
  promoteProperty,
  propertyTree,
  ratePlan,
  releaseHold,
  replaceProperty,
  roomType,
  suspendProperty,
  TENANT,
  updateAri,
} from "../support/builders.ts";
import type { ModelLedger } from "./model-ledger.ts";
import type { Random } from "./random.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Stays begin on one of this many days and are at most four nights long. */
const CHECK_IN_DAYS = 5;

interface Caller {
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly actor: CommandMeta["actor"];
}

const CALLERS: readonly Caller[] = [
  { tenant_id: TENANT, mode: "live", actor: { kind: "agent", id: "agt_ann" } },
  { tenant_id: TENANT, mode: "live", actor: { kind: "agent", id: "agt_ann" } },
  { tenant_id: TENANT, mode: "live", actor: { kind: "agent", id: "agt_bob" } },
  { tenant_id: TENANT, mode: "live", actor: { kind: "operator", id: "agt_ops" } },
  { tenant_id: TENANT, mode: "test", actor: { kind: "agent", id: "agt_tess" } },
  { tenant_id: OTHER_TENANT, mode: "live", actor: { kind: "agent", id: "agt_zoe" } },
];

/** Agents that tokens were issued to. */
const AUTHORIZED = ["agt_ann", "agt_ann", "agt_bob"] as const;

function plansOf(room: string) {
  const terms = { currency: "EUR", extra_adult_per_night: 0 };
  return [
    ratePlan({ ...terms, id: `${room}-flex`, code: "FLEX" }),
    ratePlan({ ...terms, id: `${room}-early`, code: "EARLY" }),
  ];
}

function treeOf(id: string, inventories: readonly number[]): PropertyTree {
  const room_types = inventories.map((default_inventory, i) => {
    const room = `${id}-room${i}`;
    return roomType({ id: room, default_inventory, rate_plans: plansOf(room) });
  });
  return propertyTree({ id, slug: id, room_types });
}

const NOTICE: Notice = {
  type: "credential.rotated",
  data: {
    agent_id: "agt_ann",
    credential_id: "crd_2",
    previous_credential_id: "crd_1",
    retire_at: "2027-01-01T00:00:00.000Z",
  },
};

const TREES: readonly { readonly caller: Caller; readonly tree: PropertyTree }[] = [
  { caller: CALLERS[3]!, tree: treeOf("harbour", [3, 1]) },
  { caller: CALLERS[4]!, tree: treeOf("sandbox", [2]) },
  { caller: CALLERS[5]!, tree: treeOf("elsewhere", [2]) },
];

export class Clients {
  readonly #random: Random;
  readonly #ledger: ModelLedger;
  readonly #quotes: FrozenQuote[] = [];
  #made = 0;

  constructor(random: Random, ledger: ModelLedger) {
    this.#random = random;
    this.#ledger = ledger;
  }

  /** Trace and bytes that no other command of this run has. */
  readonly unique = (): Pick<CommandMeta, "trace_id" | "random"> => {
    this.#made += 1;
    return { trace_id: `trace-${this.#made}`, random: this.#random.hex() };
  };

  #meta(caller: Caller): CommandMeta {
    const { tenant_id, mode, actor } = caller;
    const docs = "https://docs.example.com";
    const body_hash = this.#random.hex();
    return { tenant_id, mode, actor, docs, key: this.#random.hex(), body_hash, ...this.unique() };
  }

  /** Creates the properties, then puts them on sale. */
  opening(): Command[] {
    return [
      ...TREES.map(({ caller, tree }) => createProperty(tree, this.#meta(caller))),
      ...TREES.map(({ caller, tree }) => promoteProperty(tree, this.#meta(caller))),
    ];
  }

  /** One request. */
  next(now: number): Command {
    const random = this.#random;
    switch (
      random.weighted({
        ...{ hold: 42, book: 24, extend: 9, release: 7, cancel: 9, desk: 9, ari: 9, supply: 3 },
      })
    ) {
      case "hold":
        return this.#placeHold(random.pick(CALLERS), now);
      case "book":
        return this.book(this.#holdId());
      case "extend": {
        const holdId = random.chance(60) ? this.#mostExtended() : this.#holdId();
        return extendHold(holdId, this.#keyedOrNot(this.#userOf(holdId)));
      }
      case "release": {
        const holdId = this.#holdId();
        return releaseHold(holdId, this.#keyedOrNot(this.#userOf(holdId)));
      }
      case "cancel":
        return this.#cancel();
      case "desk":
        return this.#atDesk();
      case "ari":
        return this.#ari(now);
      case "supply":
        return this.#supply();
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
        ...this.#meta(this.#userOf(holdId)),
        limits: { max_open_holds: null, max_booking_amount: limit },
        traveler: {
          hash: random.pick(["traveler-1", "traveler-2"]),
          iss: "https://id.example.com",
        },
        ...(random.chance(2) ? { authorization_id: "aut_1" } : {}),
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

  /** The same request once more: as it was, tried again by the client, or changed. */
  again(command: Command): Command {
    const ways = { duplicate: 40, retry: 40, body: 10, agent: 10 };
    switch (this.#random.weighted(ways)) {
      case "duplicate":
        return command;
      case "retry":
        return { ...command, ...this.unique() };
      case "body":
        return { ...command, ...this.unique(), body_hash: this.#random.hex() };
      case "agent":
        return { ...command, ...this.unique(), actor: { kind: "agent", id: "agt_mallory" } };
    }
  }

  /** A key is optional here: the api then makes one up, and a refusal is not stored under it. */
  #keyedOrNot(caller: Caller): CommandMeta {
    const meta = this.#meta(caller);
    return this.#random.chance(30) ? { ...meta, is_anonymous: true } : meta;
  }

  #placeHold(caller: Caller, now: number): Command {
    const random = this.#random;
    const meta = this.#meta(caller);
    const limits = {
      max_open_holds: random.chance(30) ? random.between(1, 4) : null,
      max_booking_amount: null,
    };
    if (random.chance(3)) {
      const missing = random.pick(["quote_not_found", "quote_expired"] as const);
      const quote = this.#quote(caller, now);
      return { ...placeHold(quote, { ...meta, limits, missing }), quote: null };
    }
    const reuses = this.#quotes.length > 0 && random.chance(35);
    const quote = reuses ? random.pick(this.#quotes.slice(-12)) : this.#quote(caller, now);
    const owner = CALLERS.find(({ actor }) => actor.id === quote.agent_id) ?? caller;
    const by = random.chance(15) ? caller : owner;
    const ttl_ms = random.chance(25) ? random.between(1_000, 60_000) : 900_000;
    return placeHold(quote, { ...meta, ...by, ttl_ms, limits });
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
    const meta = { ...this.#keyedOrNot(caller), traveler, consent };
    return cancelBooking(booking?.id ?? "bkg_unknown", meta);
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
    const meta = this.#keyedOrNot({ tenant_id, mode, actor: CALLERS[3]!.actor });
    const command = { ...meta, booking_id: booking?.id ?? "bkg_unknown" };
    const ways = { CancelAtDesk: 20, CheckInGuest: 35, RecordNoShow: 20, CompleteStay: 25 };
    const type = random.weighted(ways);
    if (type === "CancelAtDesk") return { ...command, type, waives_fee: random.chance(50) };
    return { ...command, type };
  }

  #ari(now: number): Command {
    const random = this.#random;
    const { caller, tree } = random.pick([TREES[0]!, ...TREES]);
    const by = random.chance(95) ? caller : random.pick(CALLERS);
    const first = Math.floor(now / DAY_MS) + random.below(6);
    const range = { from: dateOf(first), to: dateOf(first + random.below(5)) };
    const room_type_id = random.chance(3) ? "room-none" : random.pick(tree.room_types).id;
    const ari: AriUpdate = this.#update(range, room_type_id);
    return updateAri(tree, ari, this.#keyedOrNot({ ...by, actor: CALLERS[3]!.actor }));
  }

  #update(range: { from: string; to: string }, room_type_id: string): AriUpdate {
    const random = this.#random;
    const base = { ...range, room_type_id };
    switch (random.weighted({ inventory: 48, restriction: 20, clear: 10, ceiling: 20, none: 2 })) {
      case "none":
        return {};
      case "inventory": {
        const capacity = random.pick([null, 1, 2, 3, 4]);
        const extra = random.chance(30)
          ? { out_of_order: random.pick([null, 1, 2]), overbooking_limit: random.pick([null, 1]) }
          : {};
        return { inventory: [{ ...base, capacity, ...extra }] };
      }
      case "clear": {
        const none = { stop_sell: null, cta: null, ctd: null, min_los_arrival: null };
        return { restrictions: [{ ...base, ...none, min_stay_through: null }] };
      }
      case "restriction": {
        const fields = random.pick([
          { stop_sell: true },
          { cta: true },
          { ctd: true },
          { min_los_arrival: 2 },
          { max_los_arrival: 3 },
          { min_stay_through: 2 },
          { max_stay_through: 3 },
        ]);
        const rate_plan_id = random.chance(50) ? `${room_type_id}-flex` : null;
        const days = random.chance(30) ? { days_of_week: ["fri", "sat"] as const } : {};
        return { restrictions: [{ ...base, ...days, rate_plan_id, ...fields }] };
      }
      case "ceiling": {
        const rate_plan_id = random.chance(40) ? `${room_type_id}-flex` : null;
        const agent_id = random.chance(40) ? "agt_ann" : null;
        const ceiling = random.pick([null, null, 0, 1, 2]);
        return { ceilings: [{ ...base, rate_plan_id, agent_id, ceiling }] };
      }
    }
  }

  /** Supply that is there already, drafts that come and go, and exchange rates. */
  #supply(): Command {
    const random = this.#random;
    const { caller, tree } = random.pick(TREES);
    const meta = this.#meta(caller);
    const ways = { id: 2, slug: 2, draft: 8, edit: 12, promote: 6, suspend: 2, fx: 2, notice: 2 };
    switch (random.weighted(ways)) {
      case "id":
        return createProperty(tree, meta);
      case "slug":
        return createProperty(
          { ...treeOf(`${tree.id}-${this.#made}`, [1]), slug: tree.slug },
          meta,
        );
      case "draft":
        return this.#draft();
      case "edit":
        return this.#replace(caller, this.#edited(tree));
      case "promote":
        return promoteProperty(tree, meta);
      case "suspend":
        return suspendProperty(tree, meta);
      case "fx":
        return { ...meta, type: "SetFxRates", base: "EUR", rates: { USD: "1.0800" } };
      case "notice":
        return { ...meta, type: "RecordNotice", notice: NOTICE };
    }
  }

  /** One thing is another than at first; what was before is as at first again. */
  #edited(tree: PropertyTree): PropertyTree {
    const random = this.#random;
    const rooms = tree.room_types;
    const at = random.below(rooms.length);
    const withRoom = (room: RoomType) => ({ ...tree, room_types: rooms.with(at, room) });
    switch (random.pick(["same", "name", "slug", "room", "plan", "currency", "geo"] as const)) {
      case "same":
        return tree;
      case "name":
        return { ...tree, name: `No. ${this.#made}` };
      case "slug":
        return { ...tree, slug: `${tree.slug}-by-the-sea` };
      case "room":
        return { ...tree, room_types: rooms.toSpliced(at, rooms.length > 1 ? 1 : 0) };
      case "plan":
        return withRoom({ ...rooms[at]!, rate_plans: rooms[at]!.rate_plans.slice(0, 1) });
      case "currency": {
        const [plan, ...others] = rooms[at]!.rate_plans;
        return withRoom({ ...rooms[at]!, rate_plans: [{ ...plan!, currency: "USD" }, ...others] });
      }
      case "geo":
        return { ...tree, geo: null };
    }
  }

  /** Mostly made from the version that there is, whatever the caller has seen. */
  #replace(caller: Caller, tree: PropertyTree): ReplaceProperty {
    const random = this.#random;
    const version = this.#ledger.supply.properties.get(tree.id)?.version ?? 0;
    const seen = random.pick([null, null, version, version - 1]);
    return replaceProperty(tree, {
      ...this.#meta(caller),
      base_version: random.chance(90) ? version : version - 1,
      expected_version: seen,
      dry_run: random.chance(5),
    });
  }

  /** Few drafts under fewer slugs. */
  #draft(): Command {
    const random = this.#random;
    const caller = CALLERS[3]!;
    const meta = this.#meta(caller);
    const n = random.below(4);
    const tree = { ...treeOf(`draft-${n}`, [1, 2]), slug: `spare-${n % 2}` };
    switch (random.weighted({ create: 9, edit: 8, remove: 5, promote: 5, archive: 4 })) {
      case "create":
        // Every second one lacks what a promotion asks for.
        return createProperty(random.chance(50) ? tree : { ...tree, geo: null }, meta);
      case "edit":
        return this.#replace(caller, { ...this.#edited(tree), slug: `spare-${random.below(3)}` });
      case "remove":
        return deleteProperty(tree, meta);
      case "promote":
        return promoteProperty(tree, meta);
      case "archive":
        return archiveProperty(tree, meta);
    }
  }
}
