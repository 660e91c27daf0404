/**
 * The booking of who knows its confirmation code and its guest's address. Only what is behind the
 * link of a mail to that address shows whether there is one.
 */
import type { Mode } from "../../../engine/core/supply.ts";
import type { GuestOf } from "../../access/control/guest-sessions.ts";
import { guestHash } from "../../access/privacy/guest.ts";
import type { Context } from "../../http/context.ts";
import { isGuestOf } from "../../http/guest-admission.ts";
import { codeFrom } from "../desk/parameters.ts";

const MODES: readonly Mode[] = ["live", "test"];

/** Looks in every tenant, whether or not one has it, so that the time says nothing. */
export function bookingFor(
  { replica, keys }: Pick<Context, "replica" | "keys">,
  { email, confirmation_code }: { readonly email: string; readonly confirmation_code: string },
): GuestOf | null {
  let found: GuestOf | null = null;
  const code = codeFrom(confirmation_code);
  for (const tenant_id of replica.state.tenants.keys()) {
    const email_hash = guestHash(keys.hmac, tenant_id, "email", email);
    for (const mode of MODES) {
      const asked = { tenant_id, mode, property_ids: null };
      const [booking_id = ""] = replica.records.bookings({ ...asked, confirmation_code: code }, 1);
      const of = { tenant_id, mode, booking_id, email_hash };
      if (isGuestOf(replica, of)) found ??= of;
    }
  }
  return found;
}

/** The booking of a link that was taken, while its guest has the address that the mail went to. */
export function bookingOfLink(
  { replica }: Pick<Context, "replica">,
  { booking_id, email_hash }: Pick<GuestOf, "booking_id" | "email_hash">,
): GuestOf | null {
  const booking = replica.records.booking(booking_id);
  if (booking === null) return null;
  const { tenant_id, mode } = booking;
  const of = { tenant_id, mode, booking_id, email_hash };
  return isGuestOf(replica, of) ? of : null;
}
