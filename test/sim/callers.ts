/** Who calls in the simulation, for which properties, and what every command carries. */
import type { CommandMeta } from "../../engine/core/commands.ts";
import type { Mode, PropertyTree } from "../../engine/core/supply.ts";
import { OTHER_TENANT, propertyTree, ratePlan, roomType, TENANT } from "../support/builders.ts";
import type { Random } from "./random.ts";

export interface Caller {
  readonly tenant_id: string;
  readonly mode: Mode;
  readonly actor: CommandMeta["actor"];
}

export const CALLERS: readonly Caller[] = [
  { tenant_id: TENANT, mode: "live", actor: { kind: "agent", id: "agt_ann" } },
  { tenant_id: TENANT, mode: "live", actor: { kind: "agent", id: "agt_ann" } },
  { tenant_id: TENANT, mode: "live", actor: { kind: "agent", id: "agt_bob" } },
  { tenant_id: TENANT, mode: "live", actor: { kind: "operator", id: "agt_ops" } },
  { tenant_id: TENANT, mode: "test", actor: { kind: "agent", id: "agt_tess" } },
  { tenant_id: OTHER_TENANT, mode: "live", actor: { kind: "agent", id: "agt_zoe" } },
];

/** Of every operator; many act as the operator itself. */
export const PEOPLE = ["psn_eva", "psn_max"] as const;
const BY_PERSON_PERCENT = 40;

function plansOf(room: string) {
  const terms = { currency: "EUR", extra_adult_per_night: 0 };
  return [
    ratePlan({ ...terms, id: `${room}-flex`, code: "FLEX" }),
    ratePlan({ ...terms, id: `${room}-early`, code: "EARLY" }),
  ];
}

/** A property with one room type per number of units. */
export function treeOf(id: string, inventories: readonly number[]): PropertyTree {
  const room_types = inventories.map((default_inventory, i) => {
    const room = `${id}-room${i}`;
    return roomType({ id: room, default_inventory, rate_plans: plansOf(room) });
  });
  return propertyTree({ id, slug: id, room_types });
}

export const TREES: readonly { readonly caller: Caller; readonly tree: PropertyTree }[] = [
  { caller: CALLERS[3]!, tree: treeOf("harbour", [3, 1]) },
  { caller: CALLERS[4]!, tree: treeOf("sandbox", [2]) },
  { caller: CALLERS[5]!, tree: treeOf("elsewhere", [2]) },
];

/** Makes what every command carries. */
export class Metas {
  readonly #random: Random;
  /** How many were made. */
  made = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Trace and bytes that no other command of this run has. */
  readonly unique = (): Pick<CommandMeta, "trace_id" | "random"> => {
    this.made += 1;
    return { trace_id: `trace-${this.made}`, random: this.#random.hex() };
  };

  of(caller: Caller): CommandMeta {
    const { tenant_id, mode } = caller;
    const actor = this.#actorOf(caller);
    const docs = "https://docs.example.com";
    const body_hash = this.#random.hex();
    return { tenant_id, mode, actor, docs, key: this.#random.hex(), body_hash, ...this.unique() };
  }

  /** An operator acts by one of its people, or by itself. */
  #actorOf({ actor }: Caller): CommandMeta["actor"] {
    const isPerson = actor.kind === "operator" && this.#random.chance(BY_PERSON_PERCENT);
    return isPerson ? { ...actor, person_id: this.#random.pick(PEOPLE) } : actor;
  }

  /** A key is optional here: the api then makes one up, and a refusal is not stored under it. */
  keyedOrNot(caller: Caller): CommandMeta {
    const meta = this.of(caller);
    return this.#random.chance(30) ? { ...meta, is_anonymous: true } : meta;
  }
}
