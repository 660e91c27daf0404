/** The command that books a hold: for an agent with a traveler's consent, or for the property. */
import type { BeginBooking } from "../../../engine/core/commands.ts";
import type { Traveler } from "../../../engine/core/parties.ts";
import { missingForPayments } from "../../../jobs/payments/providers.ts";
import { PAYMENT_BUDGET_MS } from "../../../jobs/payments/settling.ts";
import type { DelegationGrant } from "../../access/auth/delegation.ts";
import { guestHashes } from "../../access/privacy/guest.ts";
import { encryptFields, travelerHash } from "../../access/privacy/personal-data.ts";
import { type Refusal, refuse, type Success } from "../../http/answer.ts";
import { type Call, commandMeta } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";
import { execute } from "../../http/execute.ts";
import { agentLimits } from "../callers.ts";
import { BOOKED } from "./render.ts";
import type { BookingRequest } from "./requests.ts";

/** What all bodies of a booking have. */
type Booked = Pick<BookingRequest, "hold_id" | "quote_id" | "guest" | "special_requests">;

type HowBooked = Pick<BeginBooking, "method" | "billing_country" | "authorization_id" | "desk"> & {
  /** Absent where nothing is paid. */
  readonly provider_token?: string;
};

/** The traveler of a consent. */
export function travelerFrom(
  { keys }: Pick<Context, "keys">,
  { iss, sub }: DelegationGrant,
): Traveler & { readonly sub: string } {
  return { hash: travelerHash(keys.hmac, iss, sub), iss, sub };
}

/** Books the hold of the body by this consent. */
export async function bookHold(
  call: Call<Booked>,
  grant: DelegationGrant,
  { provider_token, ...how }: HowBooked,
): Promise<Success | Refusal> {
  const { body, context } = call;
  const meta = commandMeta(call);
  // Refused before anything is journaled: no provider could capture the payment.
  const missing = provider_token === undefined ? null : missingForPayments(context.config);
  if (missing !== null) return refuse("service_not_configured", { missing });
  const { sub, ...traveler } = travelerFrom(context, grant);
  const { primary, additional } = body.guest;
  const { encrypted, wrapped_key } = encryptFields(
    context.keys.encryption,
    { tenant_id: meta.tenant_id, command: meta.key! },
    {
      guest: JSON.stringify({ primary, ...(additional ? { additional } : {}) }),
      traveler_sub: sub,
      ...(provider_token === undefined ? {} : { provider_token }),
      ...(body.special_requests ? { special_requests: body.special_requests } : {}),
    },
  );
  const command = {
    ...meta,
    type: "BeginBooking" as const,
    hold_id: body.hold_id,
    quote_id: body.quote_id,
    limits: agentLimits(call),
    consent: grant.consent,
    traveler,
    ...how,
    encrypted,
    wrapped_key,
    guest: guestHashes(context.keys.hmac, meta.tenant_id, primary),
  };
  return execute(call, command, BOOKED, { deadlineMs: PAYMENT_BUDGET_MS });
}
