/** Operators who decide about authorizations, and agents who name them when they book. */
import { REQUIRED_WHEN } from "../../engine/core/authorization-terms.ts";
import type { Command } from "../../engine/core/commands.ts";
import {
  approveAuthorization,
  revokeAuthorization,
  setAuthorizationPolicy,
} from "../support/authorizations.ts";
import { CALLERS, type Caller, type Metas } from "./callers.ts";
import type { ModelAuthorization, ModelHold, ModelLedger } from "./model-ledger.ts";
import type { Random } from "./random.ts";

export class AuthorizingClients {
  readonly #random: Random;
  readonly #ledger: ModelLedger;
  readonly #metas: Metas;

  constructor(random: Random, ledger: ModelLedger, metas: Metas) {
    this.#random = random;
    this.#ledger = ledger;
    this.#metas = metas;
  }

  /** One decision: about a request, a hold that somebody may book, or the policy. */
  next(): Command {
    const random = this.#random;
    switch (random.weighted({ approve: 40, grant: 35, revoke: 12, policy: 13 })) {
      case "approve":
        return this.#decide("approve");
      case "revoke":
        return this.#decide("revoke");
      case "grant":
        return this.#grant();
      case "policy":
        return this.#policy();
    }
  }

  /** The authorization that a booking of the hold names: mostly one for it, sometimes another. */
  named(hold: ModelHold | undefined): { readonly authorization_id?: string } {
    const random = this.#random;
    const all = [...this.#ledger.authorizations.values()];
    const own = all.filter(({ agent_id, place }) => {
      return agent_id === hold?.agent_id && place.includes(hold.quote.stay.check_in);
    });
    if (own.length > 0 && random.chance(70)) return { authorization_id: random.pick(own).id };
    if (all.length > 0 && random.chance(4)) {
      return { authorization_id: random.pick(all.slice(-20)).id };
    }
    return random.chance(1) ? { authorization_id: "aut_1" } : {};
  }

  /** An operator of a realm: sometimes one that books itself. */
  #operatorOf({ tenant_id, mode }: Pick<Caller, "tenant_id" | "mode">): Caller {
    const id = this.#random.chance(25) ? CALLERS[3]!.actor.id : "agt_boss";
    return { tenant_id, mode, actor: { kind: "operator", id } };
  }

  #decide(way: "approve" | "revoke"): Command {
    const random = this.#random;
    const all = [...this.#ledger.authorizations.values()];
    const waiting = all.filter(({ state }) => state === "pending");
    const some = waiting.length > 0 && random.chance(75) ? waiting : all.slice(-15);
    const found: ModelAuthorization | null =
      some.length > 0 && random.chance(97) ? random.pick(some) : null;
    const realm = found && random.chance(95) ? found : random.pick(CALLERS);
    const operator = this.#operatorOf(realm);
    // Whoever asked tries to approve by itself.
    const isAsker = found !== null && random.chance(8);
    const actor = isAsker ? ({ kind: "operator", id: found.agent_id } as const) : operator.actor;
    const meta = this.#metas.keyedOrNot({ ...operator, actor });
    const id = found?.id ?? "aut_unknown";
    if (way === "revoke") return revokeAuthorization(id, meta);
    const other = { max_amount: random.between(1_000, 80_000) };
    return approveAuthorization(id, { ...meta, ...(random.chance(15) ? other : {}) });
  }

  #grant(): Command {
    const random = this.#random;
    const open = [...this.#ledger.open];
    const hold = open.length > 0 ? random.pick(open) : null;
    if (hold === null) return this.#policy();
    const { property_id, room_type_id, rate_plan_id, stay, guests, total, currency } = hold.quote;
    return {
      ...this.#metas.keyedOrNot(this.#operatorOf(hold)),
      type: "GrantAuthorization",
      agent_id: hold.agent_id,
      has_agent: true,
      request: { hotel_id: property_id, room_type_id, rate_plan_id, stay, guests },
      traveler_hash: random.pick([null, "traveler-1"]),
      max_amount: total + random.pick([0, 0, 500, -1]),
      currency: random.chance(4) ? "USD" : currency,
      ...(random.chance(60) && { ttl_s: 300 }),
    };
  }

  #policy(): Command {
    const random = this.#random;
    const required_when = random.chance(60) ? "never" : random.pick(REQUIRED_WHEN);
    const amount = random.between(10_000, 60_000);
    return setAuthorizationPolicy({
      ...this.#metas.keyedOrNot(this.#operatorOf(random.pick(CALLERS))),
      required_when,
      over: required_when === "over_amount" ? { amount, currency: "EUR" } : null,
      ttl_s: random.pick([300, 300, 3_600, 86_400]),
      tolerance_bps: random.pick([0, 0, 250]),
    });
  }
}
