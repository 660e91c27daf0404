/**
 * Operators who work off oversold nights, mostly on incidents that are open. Their calls have keys,
 * so each leaves a row: the model sees whether a hold expired, and ended the incident, before it.
 */
import { dateOf, dayOf } from "../../engine/core/calendar.ts";
import type { Command, ResolveIncident } from "../../engine/core/commands.ts";
import {
  acknowledgeIncident,
  moveTo,
  resolveIncident,
  scanOversell,
} from "../support/incidents.ts";
import { CALLERS, type Metas, TREES } from "./callers.ts";
import type { ModelBooking, ModelIncident, ModelLedger } from "./model-ledger.ts";
import type { Random } from "./random.ts";

const DAY_MS = 86_400_000;

export class IncidentClients {
  readonly #random: Random;
  readonly #ledger: ModelLedger;
  readonly #metas: Metas;

  constructor(random: Random, ledger: ModelLedger, metas: Metas) {
    this.#random = random;
    this.#ledger = ledger;
    this.#metas = metas;
  }

  /** One call on an incident, or a scan. */
  next(now: number): Command {
    const random = this.#random;
    const all = [...this.#ledger.incidents.values()];
    const open = all.filter(({ state }) => state === "open" || state === "acknowledged");
    if (random.chance(open.length > 0 ? 8 : 30)) return this.#cut(now);
    const some = open.length > 0 && random.chance(85) ? open : all.slice(-8);
    const incident = some.length > 0 && random.chance(97) ? random.pick(some) : null;
    const ways = { scan: 20, acknowledge: 15, accept: 12, cancel: 20, move: 25, restore: 12 };
    const way = random.weighted(ways);
    if (way === "scan") return this.#scan(incident, now);
    const realm = incident && random.chance(96) ? incident : random.pick(CALLERS);
    const { tenant_id, mode } = realm;
    const meta = this.#metas.of({ tenant_id, mode, actor: CALLERS[3]!.actor });
    const id = incident?.id ?? "osi_unknown";
    if (way === "acknowledge") return { ...acknowledgeIncident(id), ...meta };
    const resolve = (over: Parameters<typeof resolveIncident>[1]) => {
      return resolveIncident(id, { ...meta, ...over });
    };
    switch (way) {
      case "accept":
        return resolve({ action: "accept" });
      case "restore":
        return resolve({ action: "restore_capacity", ari: this.#rooms(incident, now) });
      case "cancel": {
        const booking_id = this.#guest(incident)?.id ?? "bkg_unknown";
        return resolve({ action: "cancel_with_refund", booking_id });
      }
      case "move":
        return resolve(this.#move(incident));
    }
  }

  /** Rooms that go out of order under guests, or once more. */
  #cut(now: number): Command {
    const random = this.#random;
    const booked = [...this.#ledger.bookings.values()].filter(({ state }) => state === "confirmed");
    const isOfGuest = random.chance(60) && booked.length > 0;
    const taken = (isOfGuest ? booked : [...this.#ledger.open]).slice(-8);
    if (taken.length === 0) return this.#scan(null, now);
    const { quote, tenant_id, mode } = taken[random.below(taken.length)]!;
    const { property_id, room_type_id, stay } = quote;
    const range = { from: stay.check_in, to: dateOf(dayOf(stay.check_out) - 1) };
    const units = random.pick([{ capacity: 0 }, { capacity: 1 }, { out_of_order: 3 }]);
    const meta = this.#metas.of({ tenant_id, mode, actor: CALLERS[3]!.actor });
    const ari = { inventory: [{ room_type_id, ...range, ...units }] };
    return { ...meta, type: "UpdateAri", property_id, ari };
  }

  #scan(incident: ModelIncident | null, now: number): Command {
    const random = this.#random;
    const { caller, tree } = random.pick(TREES);
    const { tenant_id, mode } = random.chance(95) ? caller : random.pick(CALLERS);
    const meta = this.#metas.of({ tenant_id, mode, actor: CALLERS[3]!.actor });
    const day = Math.floor(now / DAY_MS) + random.below(7);
    const room = { property_id: tree.id, room_type_id: random.pick(tree.room_types).id };
    if (!incident || random.chance(40)) return scanOversell({ ...room, date: dateOf(day) }, meta);
    const { property_id, room_type_id, firstDay } = incident;
    const own = { ...meta, tenant_id: incident.tenant_id, mode: incident.mode };
    return scanOversell({ property_id, room_type_id, date: dateOf(firstDay) }, own);
  }

  /** Rooms for everybody, for some, or fewer than before. */
  #rooms(incident: ModelIncident | null, now: number): NonNullable<ResolveIncident["ari"]> {
    const random = this.#random;
    if (random.chance(10)) return {};
    const first = incident?.firstDay ?? Math.floor(now / DAY_MS);
    const end = incident?.endDay ?? first + 1;
    const room_type_id = incident?.room_type_id ?? TREES[0]!.tree.room_types[0]!.id;
    const range = { room_type_id, from: dateOf(first), to: dateOf(end - 1) };
    const capacity = random.pick([0, 1, 2, 3, 4, 9]);
    return { inventory: [{ ...range, capacity, out_of_order: 0 }] };
  }

  /** Mostly a booking in the room type; sometimes any. */
  #guest(incident: ModelIncident | null): ModelBooking | undefined {
    const random = this.#random;
    const all = [...this.#ledger.bookings.values()];
    const here = all.filter(({ quote }) => quote.room_type_id === incident?.room_type_id);
    const some = here.length > 0 && random.chance(90) ? here.slice(-6) : all.slice(-6);
    return some.length > 0 && random.chance(97) ? random.pick(some) : undefined;
  }

  #move(incident: ModelIncident | null): Parameters<typeof resolveIncident>[1] {
    const random = this.#random;
    const booking = this.#guest(incident);
    const tree = TREES.find(({ tree: { id } }) => id === incident?.property_id)?.tree;
    const other = tree?.room_types.find(({ id }) => id !== incident?.room_type_id);
    if (!booking || !other) return { action: "cancel_with_refund", booking_id: "bkg_unknown" };
    const { stay } = moveTo(booking.quote, other.id, random.pick(other.rate_plans).id);
    const base_version = booking.version - (random.chance(5) ? 1 : 0);
    const goodwill = { compensation: random.between(1, 90_000) };
    return {
      action: random.pick(["relocate", "upgrade"] as const),
      booking_id: booking.id,
      move: { stay, base_version },
      ...(random.chance(30) && goodwill),
    };
  }
}
