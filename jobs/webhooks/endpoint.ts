/**
 * An endpoint: where a tenant wants its events, and which of them. Endpoints are kept by the
 * control plane, which this folder does not know; the worker sees them through `EndpointBook`.
 */
import type { Realm } from "../../engine/core/supply.ts";
import { OTA_FORMATS } from "../../feeds/changed-cells.ts";

/** What is sent: the events as they are, or messages of what they have changed, for a partner. */
export const FORMATS = ["json", ...OTA_FORMATS] as const;
export type Format = (typeof FORMATS)[number];

/** What messages for a partner need to be told. */
export interface OtaTerms {
  /** How the partner knows the sender; null where the address says it. */
  readonly requestor_id: string | null;
}

/** `paused`: its events wait. `disabled`: it gets none until somebody resumes it. */
export type EndpointState = "active" | "paused" | "disabled";

export interface Endpoint extends Realm {
  readonly endpoint_id: string;
  readonly url: string;
  readonly format: Format;
  /** Null where events are sent as they are. */
  readonly ota: OtaTerms | null;
  /** Null: every kind. Those of a message follow from its format. */
  readonly kinds: readonly string[] | null;
  /** Null: events of every property, and those of none. */
  readonly property_ids: readonly string[] | null;
  /** `booking:bkg_…`; null: every subject. */
  readonly subjects: readonly string[] | null;
  /** The tenant's own, sent with every delivery. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the events may show beyond ids and amounts: `bookings:read` lets guest data through. */
  readonly scopes: readonly string[];
  readonly max_in_flight: number;
  /** Null: as fast as it answers. */
  readonly max_per_s: number | null;
  /**
   * `per_subject`: one event of a subject at a time, in their order. So it is of every message,
   * whose subject is the property: an older one never overtakes.
   */
  readonly ordering: "none" | "per_subject";
  readonly state: EndpointState;
  /** `whsec_…`, all that sign now, newest first. */
  readonly secrets: readonly string[];
  /** Events after this row of the journal are its. */
  readonly after_row: number;
  /** Counts its changes, from 1. */
  readonly version: number;
}

/** Where the worker learns of endpoints, and tells what became of them. */
export interface EndpointBook {
  /** As they are now, or were half a second ago; the same list while nothing has changed. */
  all(): readonly Endpoint[];
  /** Looks now for what has changed; costs next to nothing when that is nothing. */
  refresh(): void;
  /**
   * Disables an endpoint and tells the tenant, once: one that is active, for `backlog` one that is
   * paused. Throws SQLITE_BUSY as every
   * write of the control plane may: what made it fail comes again with the next event.
   */
  disable(endpoint_id: string, reason: "gone" | "failing" | "backlog"): void;
  /**
   * To be called when an endpoint has taken an event: tells the tenant, once, where it had been
   * disabled before, and costs nothing where it had not. Throws as `disable`.
   */
  recovered(endpoint_id: string): void;
}

/** Whether an endpoint may be shown what lies at this property; null: at none. */
export function isShown({ property_ids }: Endpoint, property_id: string | null): boolean {
  return property_ids === null || (property_id !== null && property_ids.includes(property_id));
}

/** What decides of an event who gets it. */
interface Addressed extends Realm {
  readonly type: string;
  readonly subject: { readonly type: string; readonly id: string };
}

/** Whether the event, which lies at this property, is one that the endpoint asked for. */
export function matches(endpoint: Endpoint, event: Addressed, property_id: string | null): boolean {
  const { tenant_id, mode, kinds, subjects } = endpoint;
  if (event.tenant_id !== tenant_id || event.mode !== mode) return false;
  if (kinds !== null && !kinds.includes(event.type)) return false;
  if (!isShown(endpoint, property_id)) return false;
  const { type, id } = event.subject;
  return subjects === null || subjects.includes(`${type}:${id}`);
}

/**
 * The `seq` of the last of these that the endpoint may want, as far as their kinds tell; null when
 * it wants none.
 */
export function lastWanted(
  { kinds }: Pick<Endpoint, "kinds">,
  events: readonly { readonly type: string; readonly seq: number }[],
): number | null {
  return events.findLast(({ type }) => kinds === null || kinds.includes(type))?.seq ?? null;
}
