/** Erasure of guests' data: of one booking, or of every booking of an e-mail address. */
import { type Static, Type } from "@sinclair/typebox";
import { NoOutcome } from "../../../jobs/lanes/submitter.ts";
import { guestHash } from "../../access/privacy/guest.ts";
import { action, permitted } from "../../actions/next-action.ts";
import type { Refusal, Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import { execute, partMeta, type Rendering, submitPart, unavailable } from "../../http/execute.ts";
import { route } from "../../http/route.ts";
import { Id, Instant, listOf, named, orNull, Seq } from "../../http/schema/answer-parts.ts";
import {
  BodyKey,
  called,
  closed,
  describedAs,
  Email,
  EmptyBody,
} from "../../http/schema/request-parts.ts";
import { json } from "../../http/validate.ts";
import { BOOKING_ID } from "../parameters.ts";
import { ItemError } from "../properties/admin-responses.ts";
import { bookingIdsOf } from "../visible.ts";
import { admin, ITEMS_MAX, tooMany } from "./lists.ts";

const ERASED: Rendering<"guest_erased"> = {
  kind: "guest_erased",
  answer({ may }, { data, trace_id }) {
    const path = `/v1/bookings/${encodeURIComponent(data.booking_id)}`;
    return { data, actions: permitted([action("get", "GET", path)], may), trace_id };
  },
};

function eraseOne(call: Call<unknown, "id">): Promise<Success | Refusal> {
  const { id: booking_id } = call.params;
  return execute(call, { ...commandMeta(call), type: "EraseGuest", booking_id }, ERASED);
}

const EraseBody = called(
  "GuestErasure",
  closed({
    email: describedAs(Email, "the guest's e-mail address, in any case"),
    idempotency_key: BodyKey,
  }),
);

/** Each booking by itself: one that still needs its guest does not keep the others. */
async function eraseAll(call: Call<Static<typeof EraseBody>>): Promise<Success | Refusal> {
  const { principal, context, body } = call;
  const hash = guestHash(context.keys.hmac, principal.tenant_id, "email", body.email);
  const ids = bookingIdsOf(call, { guest: { kind: "email", hash } }, ITEMS_MAX + 1);
  if (ids.length > ITEMS_MAX) return tooMany("/email", "bookings");
  const items = [];
  for (const booking_id of ids) {
    const meta = partMeta(call, booking_id, { booking_id });
    try {
      const command = { ...meta, type: "EraseGuest", booking_id } as const;
      const outcome = await submitPart(call, command, "guest_erased");
      if (outcome.ok) items.push({ ...outcome.data, seq: undefined });
      else {
        const { code, detail } = outcome;
        items.push({ booking_id, erased_at: null, error: { code, detail } });
      }
    } catch (error) {
      if (error instanceof NoOutcome) return unavailable(error);
      throw error;
    }
  }
  return { ok: true, data: { items } };
}

const Erased = named("ErasedGuest", "A booking whose guest's data is erased.", {
  booking_id: Id,
  erased_at: Instant,
  seq: orNull(Seq),
});
const Item = named("GuestErasureItem", "A booking of the address.", {
  booking_id: Id,
  erased_at: orNull(Instant),
  error: Type.Optional(ItemError),
});

export const eraseRoutes = [
  route({
    id: "admin_erase_guest",
    tag: "Desk",
    method: "POST",
    path: "/v1/admin/bookings/:id/erase-guest",
    summary: "Erase a guest's data of a booking",
    description:
      "Deletes the key of the guest's data: name, address, requests, notes and payment token of " +
      "the booking cannot be read any more, in no copy of the journal. Stay, money, receipts and " +
      "audit stay. Refused while the stay is to come or a refund is open. Nothing brings it back.",
    access: { kinds: ["operator"], scope: "admin:bookings", touches: "properties" },
    params: { id: BOOKING_ID },
    key: "accepted",
    body: json(EmptyBody),
    isBodyOptional: true,
    success: { status: 200, description: "The erasure.", data: Erased },
    errors: ["booking_not_found", "resource_access_denied", "conflict"],
    handle: eraseOne,
  }),
  route({
    id: "admin_erase_guests",
    tag: "Desk",
    method: "POST",
    path: "/v1/admin/guests/erase",
    summary: "Erase a guest's data of all bookings",
    description:
      "Every booking of the address with access, each as by `erase-guest`. `items` has those that " +
      "were erased, and the others with the reason (`error`): call again when they are settled.",
    access: admin("guests"),
    key: "accepted",
    body: json(EraseBody),
    readsReplica: true,
    success: { status: 200, description: "The bookings of the address.", data: listOf(Item) },
    errors: ["upstream_unavailable"],
    handle: eraseAll,
  }),
];
