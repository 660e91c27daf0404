/**
 * The doors through which routes come to what lies at a property: by id or as a list, always as far
 * as the caller may see it. No route looks up by itself what a caller names (`app.test.ts`).
 */
import type { Booking, Hold } from "../../engine/core/records.ts";
import { type SearchScope, visibleProperties } from "../../engine/core/search.ts";
import type { PropertyEntry } from "../../engine/core/state.ts";
import { type Caller, seenBy, sightOf } from "../../engine/core/visibility.ts";
import { type Refusal, refuse } from "../http/answer.ts";
import type { Call } from "../http/call.ts";

/** The caller as visibility is asked with. */
function callerOf({ principal }: Call): Caller {
  const { tenant_id, mode, kind, agent_id, property_ids } = principal;
  return { tenant_id, mode, actor: { kind, id: agent_id }, property_ids };
}

/** The caller as searches ask for it. */
export function scopeOf(call: Call): SearchScope {
  return { ...callerOf(call), nowMs: call.context.engineNow() };
}

/** A hold by its id, or why the caller may not have it. */
export function holdOf(call: Call, hold_id: string): Hold | Refusal {
  const { state, records } = call.context.replica;
  const hold = state.holds.get(hold_id) ?? records.hold(hold_id);
  const unknown = { code: "hold_not_found", detail: { hold_id } } as const;
  const seen = seenBy(callerOf(call), hold, ({ quote }) => quote.property_id, unknown);
  return "code" in seen ? refuse(seen.code, seen.detail) : seen;
}

/** A booking by its id, or why the caller may not have it. */
export function bookingOf(call: Call, booking_id: string): Booking | Refusal {
  const booking = call.context.replica.records.booking(booking_id);
  const unknown = { code: "booking_not_found", detail: { booking_id } } as const;
  const seen = seenBy(callerOf(call), booking, ({ property_id }) => property_id, unknown);
  return "code" in seen ? refuse(seen.code, seen.detail) : seen;
}

/** The id of the property that is named by its id or slug; an unknown name is as good as an id. */
export function propertyId({ principal, context }: Call, idOrSlug: string): string {
  return context.replica.state.propertyNamed(principal, idOrSlug)?.tree.id ?? idOrSlug;
}

/** A property by its id or slug, whatever its state, or why the caller may not have it. */
export function propertyOf(call: Call, idOrSlug: string): PropertyEntry | Refusal {
  return propertyIn(call, idOrSlug, () => true);
}

/** The same of one that is on sale: any other is as good as unknown. */
export function livePropertyOf(call: Call, idOrSlug: string): PropertyEntry | Refusal {
  return propertyIn(call, idOrSlug, ({ state }) => state === "live");
}

function propertyIn(
  call: Call,
  idOrSlug: string,
  isMeant: (property: PropertyEntry) => boolean,
): PropertyEntry | Refusal {
  const { principal, context } = call;
  const found = context.replica.state.propertyNamed(principal, idOrSlug);
  const property = found && isMeant(found) ? found : null;
  const unknown = { code: "property_not_found", detail: { property_id: idOrSlug } } as const;
  const seen = seenBy(callerOf(call), property, ({ tree }) => tree.id, unknown);
  return "code" in seen ? refuse(seen.code, seen.detail) : seen;
}

/** Every property that the caller may reach, whatever its state, newest first. */
export function propertiesOf(call: Call): PropertyEntry[] {
  const { principal, context } = call;
  const caller = callerOf(call);
  const own = context.replica.state.tenants.get(principal.tenant_id)?.properties[principal.mode];
  const seen = [...(own?.values() ?? [])].filter((property) => {
    return sightOf(caller, property, property.tree.id) === "visible";
  });
  return seen.reverse();
}

/** Those of them that are on sale. */
export function livePropertiesOf(call: Call): PropertyEntry[] {
  return visibleProperties(call.context.replica.state, scopeOf(call)).reverse();
}
