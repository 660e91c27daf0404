/** Changes of supply in the simulation: nights, trees, drafts, exchange rates. */
import { dateOf, dayOf } from "../../engine/core/calendar.ts";
import type { Command, ReplaceProperty } from "../../engine/core/commands.ts";
import type { Notice } from "../../engine/core/events/event.ts";
import type { NamedAri, PropertyTree, RoomType } from "../../engine/core/supply.ts";
import {
  archiveProperty,
  createProperty,
  deleteProperty,
  promoteProperty,
  replaceProperty,
  suspendProperty,
  updateAri,
} from "../support/builders.ts";
import { CALLERS, type Caller, type Metas, TREES, treeOf } from "./callers.ts";
import type { ModelLedger } from "./model-ledger.ts";
import type { Random } from "./random.ts";

const DAY_MS = 86_400_000;

const NOTICE: Notice = {
  type: "credential.rotated",
  data: {
    agent_id: "agt_ann",
    credential_id: "crd_2",
    previous_credential_id: "crd_1",
    retire_at: "2027-01-01T00:00:00.000Z",
  },
};

export class SupplyClients {
  readonly #random: Random;
  readonly #ledger: ModelLedger;
  readonly #metas: Metas;

  constructor(random: Random, ledger: ModelLedger, metas: Metas) {
    this.#random = random;
    this.#ledger = ledger;
    this.#metas = metas;
  }

  /** Values of nights, mostly for a property of the caller. */
  ari(now: number): Command {
    const random = this.#random;
    const { caller, tree } = random.pick([TREES[0]!, ...TREES]);
    const by = random.chance(95) ? caller : random.pick(CALLERS);
    const first = Math.floor(now / DAY_MS) + random.below(6);
    const range = { from: dateOf(first), to: dateOf(first + random.below(5)) };
    const room_type_id = random.chance(3) ? "room-none" : random.pick(tree.room_types).id;
    const ari: NamedAri = this.#update(range, room_type_id);
    const meta = this.#metas.keyedOrNot({ ...by, actor: CALLERS[3]!.actor });
    const last = this.#ledger.seqs.get(`${by.tenant_id} ${by.mode}`) ?? 0;
    if (!random.chance(25)) return updateAri(tree, ari, meta);
    return updateAri(tree, ari, {
      ...meta,
      if_unchanged_since: Math.max(0, last - random.below(8)),
    });
  }

  #update(range: { from: string; to: string }, room_type_id: string): NamedAri {
    const random = this.#random;
    const base = { ...range, room_type_id };
    const kinds = { inventory: 40, left: 8, restriction: 20, clear: 10, ceiling: 20, none: 2 };
    switch (random.weighted(kinds)) {
      case "none":
        return {};
      case "inventory": {
        const capacity = random.pick([null, 0, 1, 2, 3, 4]);
        const extra = random.chance(30)
          ? { out_of_order: random.pick([null, 1, 2]), overbooking_limit: random.pick([null, 1]) }
          : {};
        return { inventory: [{ ...base, capacity, ...extra }] };
      }
      case "left": {
        const rate_plan_id = random.chance(40) ? `${room_type_id}-flex` : null;
        return { units_left: [{ ...base, rate_plan_id, left: random.below(3) }] };
      }
      case "clear": {
        const none = { stop_sell: null, cta: null, ctd: null, min_los_arrival: null };
        const ofDays = { min_advance_days: null, max_advance_days: null, los_pattern: null };
        return { restrictions: [{ ...base, ...none, ...ofDays, min_stay_through: null }] };
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
          { min_advance_days: 2 },
          { max_advance_days: 3 },
          { los_pattern: "YNY" },
        ]);
        const rate_plan_id = random.chance(50) ? `${room_type_id}-flex` : null;
        const days = random.chance(30) ? { days_of_week: ["fri", "sat"] as const } : {};
        return { restrictions: [{ ...base, ...days, rate_plan_id, ...fields }] };
      }
      case "ceiling": {
        const rate_plan_id = random.chance(40) ? `${room_type_id}-flex` : null;
        const agent_id = random.chance(40) ? "agt_ann" : null;
        const ceiling = random.pick([null, null, 0, 1, 2]);
        const days_before = random.below(4);
        const release = random.pick([
          ...[null, { strategy: "none" }, { strategy: "rolling", days_before }],
          { strategy: "fixed", at: dateOf(dayOf(range.from) - days_before) },
        ] as const);
        const released = ceiling !== null && random.chance(30) ? { release } : {};
        return { ceilings: [{ ...base, rate_plan_id, agent_id, ceiling, ...released }] };
      }
    }
  }

  /** Supply that is there already, drafts that come and go, and exchange rates. */
  supply(): Command {
    const random = this.#random;
    const { caller, tree } = random.pick(TREES);
    const meta = this.#metas.of(caller);
    const ways = { id: 2, slug: 2, draft: 8, edit: 12, promote: 6, suspend: 2, fx: 2, notice: 2 };
    switch (random.weighted(ways)) {
      case "id":
        return createProperty(tree, meta);
      case "slug":
        return createProperty(
          { ...treeOf(`${tree.id}-${this.#metas.made}`, [1]), slug: tree.slug },
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
    switch (
      random.weighted({
        same: 1,
        name: 1,
        slug: 1,
        room: 1,
        plan: 1,
        currency: 1,
        geo: 1,
        stock: 4,
      })
    ) {
      case "same":
        return tree;
      case "name":
        return { ...tree, name: `No. ${this.#metas.made}` };
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
      case "stock":
        return withRoom({ ...rooms[at]!, default_inventory: random.between(1, 2) });
    }
  }

  /** Mostly made from the version that there is, whatever the caller has seen. */
  #replace(caller: Caller, tree: PropertyTree): ReplaceProperty {
    const random = this.#random;
    const version = this.#ledger.supply.properties.get(tree.id)?.version ?? 0;
    const seen = random.pick([null, null, version, version - 1]);
    return replaceProperty(tree, {
      ...this.#metas.of(caller),
      base_version: random.chance(90) ? version : version - 1,
      expected_version: seen,
      dry_run: random.chance(5),
    });
  }

  /** Few drafts under fewer slugs. */
  #draft(): Command {
    const random = this.#random;
    const caller = CALLERS[3]!;
    const meta = this.#metas.of(caller);
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
