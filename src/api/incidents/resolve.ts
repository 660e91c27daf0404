/** Acting on an oversell incident: the command of each way out, and where its refusals lead. */
import type { ResolveIncident } from "../../../engine/core/commands.ts";
import type { OversellIncident } from "../../../engine/core/oversell-incident.ts";
import { IdOrCodeLookup } from "../../../engine/core/properties/lookup-by-id-or-code.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import { GET_BOOKING, GET_INCIDENT } from "../../actions/steps.ts";
import { invalid, type Refusal, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute } from "../../http/execute.ts";
import type { FieldError } from "../../http/validate.ts";
import { ariOf } from "../ari/requests.ts";
import { refusedChange, stayChange } from "../bookings/modification.ts";
import { sealedNote } from "../bookings/personal-fields.ts";
import { bookingOf, incidentOf, propertyOf } from "../visible.ts";
import { decided } from "./decided.ts";
import type { ResolveRequest } from "./requests.ts";

type Resolving = Call<ResolveRequest, "id">;

/** Decides `POST /v1/admin/oversell-incidents/{id}/resolve` and shows the incident after it. */
export async function resolve(call: Resolving): Promise<Success | Refusal> {
  const { action, booking_id, compensation, ari, note } = call.body;
  const incident_id = call.params.id;
  const priced = moveOf(call);
  if (priced && "ok" in priced && call.key === null) return atIncident(priced, incident_id);
  const move = priced && "ok" in priced ? refusedChange(priced) : priced;
  const meta = commandMeta(call);
  const command: ResolveIncident = {
    ...{ ...meta, type: "ResolveIncident", incident_id, action },
    ...(booking_id !== undefined && { booking_id }),
    ...(move && { move }),
    ...(compensation !== undefined && { compensation }),
    ...(ari && { ari: ariOf(ari) }),
    ...sealedNote(call, meta, note),
  };
  const answer = await execute(call, command, decided(false));
  return answer.ok ? answer : atIncident(answer, incident_id);
}

/** What may be refused of the call on the booking that an action makes. */
export const BOOKING_REFUSALS = [
  ...(["booking_not_found", "booking_not_modifiable", "booking_not_cancellable"] as const),
  ...(["booking_modification_price_change", "allocation_failed", "allotment_exhausted"] as const),
  ...(["room_type_not_found", "rate_plan_not_found", "policy_not_found_for_rate_plan"] as const),
  ...(["no_capturable_payment", "payment_not_refundable", "refund_exceeds_remaining"] as const),
] as const;

/**
 * A refusal that leads back to the incident and to the booking: the calls that usually follow would
 * refund or search, and leave the guest where there is no room.
 */
function atIncident(refusal: Refusal, incident_id: string): Refusal {
  if (!BOOKING_REFUSALS.some((code) => code === refusal.code)) return refusal;
  const hints = { ...refusal.hints, incident_id };
  const isKnown = refusal.code !== "booking_not_found";
  return { ...refusal, hints, recovery: [GET_INCIDENT, ...(isKnown ? [GET_BOOKING] : [])] };
}

/** The move of a booking at its price; null for other actions, or when the engine refuses it. */
function moveOf(call: Resolving): ResolveIncident["move"] | Refusal | null {
  const { booking_id, to } = call.body;
  if (booking_id === undefined || to === undefined) return null;
  const booking = bookingOf(call, booking_id);
  const incident = incidentOf(call, call.params.id);
  if ("code" in booking) return booking;
  if ("code" in incident) return incident;
  const property = propertyOf(call, incident.property_id);
  if ("code" in property) return property;
  const problem = moveProblem(call, property, incident);
  if (problem) return problem;
  const stay = stayChange(call, { ...to, difference: "waive" }, booking);
  if (stay !== null && "ok" in stay) return inBody(stay);
  return { stay, base_version: booking.version };
}

/** A guest moves to another room type of the same property. */
function moveProblem(
  { body }: Resolving,
  property: PropertyEntry,
  { room_type_id }: OversellIncident,
): Refusal | null {
  const room = new IdOrCodeLookup(property.tree).room(body.to?.room_type_id ?? "");
  if (room === null || "candidates" in room || room.id !== room_type_id) return null;
  const message = "is the room type that is oversold";
  return invalid([{ path: "/to/room_type_id", message, expected: "another room type" }]);
}

/** Errors of a changed stay, at the members of this body that they come from. */
function inBody(refusal: Refusal): Refusal {
  const { field_errors } = refusal.detail as { readonly field_errors?: readonly FieldError[] };
  if (field_errors === undefined) return refusal;
  const at = (path: string) => (path.startsWith("/stay") ? "/booking_id" : `/to${path}`);
  return invalid(field_errors.map((error) => ({ ...error, path: at(error.path) })));
}
