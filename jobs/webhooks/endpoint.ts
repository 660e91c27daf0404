/**
 * A webhook endpoint of a tenant with its filters. The control plane stores endpoints; the worker
 * reads them through `EndpointBook`.
 */
import type { Realm } from "../../engine/core/supply.ts";
import { OTA_FORMATS } from "../../feeds/changed-cells.ts";

/** `json`: the events themselves. The others: messages to a partner about the changed cells. */
export const FORMATS = ["json", ...OTA_FORMATS] as const;
export type Format = (typeof FORMATS)[number];

/** Terms of messages to a partner. */
export interface OtaTerms {
  /** The partner's id of the sender; null where the address identifies it. */
  readonly requestor_id: string | null;
}

/** `paused`: events wait. `disabled`: gets no events until it is resumed. */
export type EndpointState = "active" | "paused" | "disabled";

export interface Endpoint extends Realm {
  readonly endpoint_id: string;
  readonly url: string;
  readonly format: Format;
  /** Null for `json`. */
  readonly ota: OtaTerms | null;
  /** Null: every kind. For messages the format determines the kinds. */
  readonly kinds: readonly string[] | null;
  /** Null: events of every property, and events without a property. */
  readonly property_ids: readonly string[] | null;
  /** `booking:bkg_…`; null: every subject. */
  readonly subjects: readonly string[] | null;
  /** Extra headers of the tenant, sent with every delivery. */
  readonly headers: Readonly<Record<string, string>>;
  /** `bookings:read` adds guest data to events. */
  readonly scopes: readonly string[];
  readonly max_in_flight: number;
  /** Null: unlimited. */
  readonly max_per_s: number | null;
  /**
   * `per_subject`: the events of a subject one at a time and in order. Messages always have this
   * order, with the property as subject, so that an older one never overtakes.
   */
  readonly ordering: "none" | "per_subject";
  readonly state: EndpointState;
  /** `whsec_…`, all valid signing secrets, newest first. */
  readonly secrets: readonly string[];
  /** The endpoint gets events after this row of the journal. */
  readonly after_row: number;
  /** Number of changes, from 1. */
  readonly version: number;
}

/** The worker's access to the endpoints of the control plane. */
export interface EndpointBook {
  /** At most half a second old; the same array while nothing changes. */
  all(): readonly Endpoint[];
  /** Reads changes now; cheap when nothing changed. */
  refresh(): void;
  /**
   * Disables an active endpoint, for `backlog` a paused one, and notifies the tenant once. Throws
   * SQLITE_BUSY like every write of the control plane; the next event causes another call.
   */
  disable(endpoint_id: string, reason: "gone" | "failing" | "backlog"): void;
  /**
   * Call after a successful delivery: notifies the tenant once if the endpoint was disabled before,
   * else costs nothing. Throws as `disable`.
   */
  recovered(endpoint_id: string): void;
}

/** Whether an endpoint may see data of this property; null: data without a property. */
export function isShown({ property_ids }: Endpoint, property_id: string | null): boolean {
  return property_ids === null || (property_id !== null && property_ids.includes(property_id));
}

/** The members of an event that filters use. */
interface Addressed extends Realm {
  readonly type: string;
  readonly subject: { readonly type: string; readonly id: string };
}

/** Whether the event, which is of this property, passes the endpoint's filters. */
export function matches(endpoint: Endpoint, event: Addressed, property_id: string | null): boolean {
  const { tenant_id, mode, kinds, subjects } = endpoint;
  if (event.tenant_id !== tenant_id || event.mode !== mode) return false;
  if (kinds !== null && !kinds.includes(event.type)) return false;
  if (!isShown(endpoint, property_id)) return false;
  const { type, id } = event.subject;
  return subjects === null || subjects.includes(`${type}:${id}`);
}

/** The `seq` of the last event whose kind passes the endpoint's filter; null when none does. */
export function lastWanted(
  { kinds }: Pick<Endpoint, "kinds">,
  events: readonly { readonly type: string; readonly seq: number }[],
): number | null {
  return events.findLast(({ type }) => kinds === null || kinds.includes(type))?.seq ?? null;
}
