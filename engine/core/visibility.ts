/**
 * Visibility rules, in one place: used by the engine's decisions and by reads of the
 * api.
 */
import type { Rejection } from "./outcomes.ts";
import type { Actor } from "./parties.ts";
import type { Realm } from "./supply.ts";

export interface Caller extends Realm {
  readonly actor: Actor;
  /** The properties that it may reach; absent or null: all of its realm. */
  readonly property_ids?: readonly string[] | ReadonlySet<string> | null;
}

/** The owner of a record, and the booking that it belongs to. */
export interface Owned extends Realm {
  readonly agent_id: string;
  readonly booking_id?: string | null;
}

/** Whether something is of a realm. */
export function isOfRealm(of: Realm, { tenant_id, mode }: Realm): boolean {
  return of.tenant_id === tenant_id && of.mode === mode;
}

/** `hidden`: as if it did not exist. `denied`: its existence may be known. */
export type Sight = "visible" | "hidden" | "denied";

/**
 * The visibility of a property, or of an agent's record at it. Records of another tenant or mode
 * are hidden from everyone, those of another agent from agents and partners, and from a guest all
 * that are not of the own booking.
 */
export function sightOf(caller: Caller, owner: Realm & Partial<Owned>, propertyId: string): Sight {
  if (owner.tenant_id !== caller.tenant_id || owner.mode !== caller.mode) return "hidden";
  const { kind, id } = caller.actor;
  const isOwnOnly = kind === "agent" || kind === "partner";
  if (isOwnOnly && owner.agent_id !== undefined && owner.agent_id !== id) return "hidden";
  const isRecord = owner.agent_id !== undefined || owner.booking_id !== undefined;
  if (kind === "guest" && isRecord && owner.booking_id !== id) return "hidden";
  const { property_ids } = caller;
  if (property_ids === undefined || property_ids === null) return "visible";
  const isOwn =
    "has" in property_ids ? property_ids.has(propertyId) : property_ids.includes(propertyId);
  return isOwn ? "visible" : "denied";
}

/** The item that the caller named, or a refusal: `unknown` when it is hidden. */
export function seenBy<T extends Realm & Partial<Owned>>(
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
