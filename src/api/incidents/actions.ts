/** Next actions of oversell incidents, for operators. */
import { dateOf, dayOf } from "../../../engine/core/calendar.ts";
import type { SuccessOf } from "../../../engine/core/outcomes.ts";
import type { OversellIncident } from "../../../engine/core/oversell-incident.ts";
import type { ExcessNight, IncidentState } from "../../../engine/core/oversell-terms.ts";
import { offeredKey } from "../../actions/call-parts.ts";
import {
  action,
  type May,
  type NextAction,
  type Offer,
  offered,
  post,
} from "../../actions/next-action.ts";
import { incidentPath, readIncident } from "../oversold.ts";
import type { Candidate } from "./candidates.ts";

/** Moves that are offered. */
const MOVES_MAX = 3;

function bookingRead(bookingId: string): Offer {
  return ["get_booking", action("get", "GET", `/v1/bookings/${encodeURIComponent(bookingId)}`)];
}

const isEnded = (state: IncidentState) => state === "resolved" || state === "dismissed";

/**
 * At the incident: say that it is worked on, move the best candidates, get rooms back, accept. None
 * once its nights have passed: every call would be refused. Keys are of this reading, `atMs`, epoch
 * milliseconds: what was refused before may be possible now.
 */
export function incidentActions(
  { incident_id, state, room_type_id }: OversellIncident,
  nights: readonly ExcessNight[],
  candidates: readonly Candidate[],
  atMs: number,
  may?: May,
): NextAction[] {
  if (isEnded(state) || nights.length === 0) return offered([], may);
  const resolve = (
    rel: "confirm" | "cancel",
    body: Record<string, unknown>,
    key: string,
  ): Offer => {
    const idempotency_key = offeredKey(key, incident_id, atMs);
    const href = `${incidentPath(incident_id)}/resolve`;
    return ["admin_resolve_oversell_incident", post(rel, href, { ...body, idempotency_key })];
  };
  const key = { idempotency_key: offeredKey("acknowledge", incident_id, 1) };
  const acknowledge = post("confirm", `${incidentPath(incident_id)}/acknowledge`, key);
  const moves = candidates.flatMap(({ booking_id, alternative }) => {
    if (alternative === null) return [];
    const { room_type_id, rate_plan_id } = alternative;
    const body = { action: "relocate", booking_id, to: { room_type_id, rate_plan_id } };
    return [resolve("confirm", body, `relocate-${booking_id}`)];
  });
  const [first] = candidates;
  const cancel = { action: "cancel_with_refund", booking_id: first?.booking_id };
  const restore = {
    action: "restore_capacity",
    ari: { inventory: roomsFor(room_type_id, nights) },
  };
  return offered(
    [
      ...(state === "open" ? [["admin_acknowledge_oversell_incident", acknowledge] as const] : []),
      ...moves.slice(0, MOVES_MAX),
      resolve("confirm", restore, "restore"),
      ...(first ? [bookingRead(first.booking_id), resolve("cancel", cancel, "cancel")] : []),
      resolve("confirm", { action: "accept" }, "accept"),
    ],
    may,
  );
}

/**
 * Inventory ranges under which every listed night has a room for each unit taken: nothing out of
 * order, no overbooking, and as much capacity as is taken.
 */
function roomsFor(room_type_id: string, nights: readonly ExcessNight[]) {
  const ranges: { room_type_id: string; from: string; to: string; capacity: number }[] = [];
  for (const { date, sold, held } of nights) {
    const capacity = sold + held;
    const last = ranges.at(-1);
    const isNext = last && last.capacity === capacity && dateOf(dayOf(last.to) + 1) === date;
    if (isNext) last.to = date;
    else ranges.push({ room_type_id, from: date, to: date, capacity });
  }
  return ranges.map((range) => ({ ...range, out_of_order: 0 }));
}

/** After a call on it. */
export function decidedActions(
  { incident_id, booking_id, refund }: SuccessOf<"incident">["data"],
  may?: May,
): NextAction[] {
  const money: Offer[] = refund
    ? [["admin_get_refund", action("get_refund", "GET", `/v1/admin/refunds/${refund.refund_id}`)]]
    : [];
  const booking = booking_id === undefined ? [] : [bookingRead(booking_id)];
  return offered([readIncident(incident_id), ...booking, ...money], may);
}
