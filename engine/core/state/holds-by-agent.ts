/** Open holds by agent, as slots. An agent gets a number at its first hold and keeps it. */
import type { Hold } from "../records.ts";
import { SlotLists } from "./slots.ts";

type Owner = Pick<Hold, "tenant_id" | "agent_id">;

export class HoldsByAgent {
  /** By tenant and agent. */
  readonly #numbers = new Map<string, Map<string, number>>();
  /** By number. */
  readonly #counts: number[] = [];
  readonly #lists = new SlotLists();

  add(owner: Owner, slot: number): void {
    const agent = this.#numberOf(owner) ?? this.#learn(owner);
    this.#counts[agent]! += 1;
    this.#lists.add(agent, slot);
  }

  remove(slot: number): void {
    const agent = this.#lists.remove(slot);
    this.#counts[agent]! -= 1;
  }

  /** How many open holds an agent has. */
  countOf(owner: Owner): number {
    const agent = this.#numberOf(owner);
    return agent === undefined ? 0 : this.#counts[agent]!;
  }

  /** Slots, oldest first. */
  of(owner: Owner): number[] {
    const agent = this.#numberOf(owner);
    return agent === undefined ? [] : this.#lists.oldestFirst(agent);
  }

  #numberOf({ tenant_id, agent_id }: Owner): number | undefined {
    return this.#numbers.get(tenant_id)?.get(agent_id);
  }

  #learn({ tenant_id, agent_id }: Owner): number {
    const ofTenant = this.#numbers.get(tenant_id) ?? new Map<string, number>();
    this.#numbers.set(tenant_id, ofTenant);
    const agent = this.#counts.length;
    ofTenant.set(agent_id, agent);
    this.#counts.push(0);
    return agent;
  }
}
