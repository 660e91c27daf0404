/**
 * Who may know of what and reach it (rules §3). The one place that answers: the engine asks it when
 * it decides a command, the edge when it reads or lists.
 */
import type { Rejection } from "./outcomes.ts";
import type { Actor } from "./parties.ts";
import type { Realm } from "./supply.ts";

/** Who asks. */
export interface Caller extends Realm {
  readonly actor: Actor;
  /** The properties it may reach; left out or null: every one of its realm. */
  readonly property_ids?: readonly string[] | ReadonlySet<string> | null;
}

/** Whose thing it is. */
export interface Owned extends Realm {
  readonly agent_id: string;
}

/** `hidden` must look as if it did not exist; `denied` may be known to exist, no more. */
export type Sight = "visible" | "hidden" | "denied";

/**
 * How a property, or what an agent has made at it, looks to the caller. Things of another tenant or
 * mode are hidden from all, those of another agent from agents and partners.
 */
export function sightOf(
  caller: Caller,
  owner: Realm & Partial<Pick<Owned, "agent_id">>,
  propertyId: string,
): Sight {
  if (owner.tenant_id !== caller.tenant_id || owner.mode !== caller.mode) return "hidden";
  const { kind, id } = caller.actor;
  const isOwnOnly = kind === "agent" || kind === "partner";
  if (isOwnOnly && owner.agent_id !== undefined && owner.agent_id !== id) return "hidden";
  const { property_ids } = caller;
  if (property_ids === undefined || property_ids === null) return "visible";
  const isOwn =
    "has" in property_ids ? property_ids.has(propertyId) : property_ids.includes(propertyId);
  return isOwn ? "visible" : "denied";
}

/** The thing that the caller has named, or what it is told instead: `unknown` when it is hidden. */
export function seenBy<T extends Realm & Partial<Pick<Owned, "agent_id">>>(
  caller: Caller,
  thing: T | null | undefined,
  propertyOf: (thing: T) => string,
  unknown: Rejection,
): T | Rejection {
  if (!thing) return unknown;
  const property_id = propertyOf(thing);
  switch (sightOf(caller, thing, property_id)) {
    case "visible":
      return thing;
    case "denied":
      return { code: "resource_access_denied", detail: { property_id } };
    case "hidden":
      return unknown;
  }
}
