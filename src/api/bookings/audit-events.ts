/**
 * The events of a booking as clients see them, a schema per type. Members are only ever
 * added: clients keep hashes over them.
 */

import { type TProperties, Type } from "@sinclair/typebox";
import { AUTHORIZATION_EVENTS } from "../../../engine/core/events/authorizations.ts";
import { BOOKING_EVENTS } from "../../../engine/core/events/bookings.ts";
import type { Declaration } from "../../../engine/core/events/declaration.ts";
import { HOLD_EVENTS } from "../../../engine/core/events/holds.ts";
import { INCIDENT_EVENTS } from "../../../engine/core/events/incidents.ts";
import { PAYMENT_EVENTS, REFUND_EVENTS } from "../../../engine/core/events/payments.ts";
import { called } from "../../http/schema/annotations.ts";
import { Actor, Hash, Instant, named, orNull, Seq } from "../../http/schema/answer-parts.ts";
import { schemasOf, typeNameOf } from "../events/wire.ts";

const Issuer = Type.String({ description: "The issuer of the traveler's token." });
/** What audits add to the data of an event. */
const CONSENT: Readonly<Record<string, TProperties>> = {
  "payment.pending": { iss: Issuer },
  "booking.confirmed": { iss: Issuer },
  "booking.cancelled": { iss: Type.Optional(Issuer) },
};

function eventOf([type, { meaning, data, dataName }]: [string, Declaration]) {
  const name = typeNameOf(type);
  const members = Type.Object({ ...schemasOf(data), ...CONSENT[type] });
  return named(`Audited${name}`, meaning, {
    seq: Seq,
    type: Type.Literal(type),
    at: Instant,
    actor: Actor,
    trace_id: Type.String(),
    data: dataName === undefined ? members : called(`Audited${dataName}Data`, members),
    prev_hash: orNull(Hash),
    hash: Hash,
  });
}

const OVERSELL = {
  "inventory.oversell_action_taken": INCIDENT_EVENTS["inventory.oversell_action_taken"],
};
const USES = {
  "authorization.consumed": AUTHORIZATION_EVENTS["authorization.consumed"],
  "authorization.returned": AUTHORIZATION_EVENTS["authorization.returned"],
};
/** Notes are the property's own: agents read audits. */
const { "booking.note_added": _note, ...OF_BOOKINGS } = BOOKING_EVENTS;
const AUDITED = {
  ...{ ...HOLD_EVENTS, ...PAYMENT_EVENTS, ...OF_BOOKINGS, ...REFUND_EVENTS },
  ...USES,
  ...OVERSELL,
};

/** Any of them; `type` says which. */
export const AuditEvent = Type.Union(Object.entries<Declaration>(AUDITED).map(eventOf), {
  $id: "AuditEvent",
  description:
    "`hash` is the SHA-256 of the canonical JSON (RFC 8785) of the other members, `prev_hash` " +
    "that of the previous event.",
  discriminator: { propertyName: "type" },
});
