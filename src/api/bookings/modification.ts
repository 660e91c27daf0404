/** From a request to the change of a booking: its price, its terms, and the guest's new data. */
import { amendedQuote } from "../../../engine/core/bookings/amended-quote.ts";
import { todayOf } from "../../../engine/core/bookings/property-days.ts";
import { todayIn } from "../../../engine/core/calendar.ts";
import type { GuestChange, StayChange } from "../../../engine/core/change-terms.ts";
import type { ModifyBooking } from "../../../engine/core/commands.ts";
import type { QuoteRequest } from "../../../engine/core/price/quote.ts";
import { nightCountOf } from "../../../engine/core/price/quote-codec.ts";
import { namedOffer } from "../../../engine/core/properties/lookup-by-id-or-code.ts";
import type { Booking } from "../../../engine/core/records.ts";
import type { Offer, PropertyEntry } from "../../../engine/core/state/state.ts";
import { guestHashes } from "../../access/privacy/guest.ts";
import { invalid, type Refusal, refuse } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { Context } from "../../http/context.ts";
import { unclear } from "../quotes/routes.ts";
import { unfolded } from "../quotes/shown.ts";
import { horizonProblems, saleProblems } from "../stays.ts";
import { propertyOf } from "../visible.ts";
import type { ModificationRequest } from "./modify-requests.ts";
import { encryptMore, personalData } from "./personal-fields.ts";

/** What the command of a change has beside the booking and its caller. */
export type Change = Pick<ModifyBooking, "stay" | "guest" | "base_version" | "expected_version">;

type Asked = Call<ModificationRequest, "id">;

/** The change that a call asks for, or its refusal. */
export function changeOf(call: Asked, booking: Booking): Change | Refusal {
  const stay = stayChange(call, call.body, booking);
  if (stay !== null && "ok" in stay) return stay;
  const guest = guestChange(call, booking);
  if (guest !== null && "ok" in guest) return guest;
  const versions = { base_version: booking.version, expected_version: call.seenVersion };
  return { stay, ...(guest && { guest }), ...versions };
}

/** The engine gives the refusal, unless the key has an answer from when the change was possible. */
export function refusedChange({
  code,
  detail = {},
  hints,
}: Refusal): Change & Pick<ModifyBooking, "refused"> {
  const refused = { code, detail, ...(hints && { hints }) };
  return { stay: null, base_version: 0, expected_version: null, refused };
}

/**
 * The change of a stay that `body` asks for, at its present price; null when stay, party, room and
 * plan are kept.
 */
export function stayChange(
  call: Call,
  body: Omit<ModificationRequest, "guest" | "special_requests">,
  booking: Booking,
): StayChange | Refusal | null {
  const { context, principal } = call;
  const { quote } = booking;
  const property = propertyOf(call, booking.property_id);
  if ("code" in property) return property;
  const asked = {
    hotel_id: booking.property_id,
    room_type_id: body.room_type_id ?? quote.room_type_id,
    rate_plan_id: body.rate_plan_id ?? quote.rate_plan_id,
    stay: body.stay ?? quote.stay,
    guests: body.guests ?? quote.guests,
  };
  const offer = offerOf(body, property, asked);
  if (offer !== null && "ok" in offer) return offer;
  const room_type_id = offer?.roomType.id ?? asked.room_type_id;
  const request = { ...asked, room_type_id, rate_plan_id: offer?.plan.id ?? asked.rate_plan_id };
  if (isSame(request, quote)) return null;
  const nowMs = context.timeIn(principal);
  const inHouseDay = inHouseDayOf(booking, context, nowMs);
  // The engine refuses another arrival, and a departure that is past.
  const errors =
    inHouseDay === null
      ? saleProblems(request.stay, todayIn(property.tree.timezone, nowMs))
      : horizonProblems(request.stay, inHouseDay);
  if (errors.length > 0) return invalid(errors);
  const { allowed_until } = unfolded(context, quote).policy_snapshot.modification;
  const allowed_until_ms = allowed_until === null ? null : Date.parse(allowed_until);
  const difference = body.difference ?? null;
  if (offer === null) {
    // The engine refuses it: the booking's own room or plan is no longer there.
    const priced = { total: quote.total, nights: nightCountOf(quote) };
    return { request, quote: null, difference, priced, allowed_until_ms };
  }
  const amended = amendedQuote(offer, request, {
    ...{ quote, difference, nowMs, inHouseDay, sha256 },
  });
  if (amended === "price_not_exact") return invalid([TOO_DEAR]);
  if (typeof amended === "string") return refuse(amended, { rate_plan_id: request.rate_plan_id });
  return { ...amended, allowed_until_ms };
}

/** Today at the property, when the guest is there. */
function inHouseDayOf(booking: Booking, { replica }: Context, now: number): number | null {
  return booking.state === "checked_in" ? todayOf(booking, { state: replica.state, now }) : null;
}

const TOO_DEAR = {
  path: "/stay",
  message: "cannot be priced: the total is too large",
  expected: "fewer nights or guests",
} as const;

function sha256(text: string): string {
  return Bun.SHA256.hash(text, "hex") as string;
}

/** The offer that is asked for; null when the booking's own is gone. */
function offerOf(
  body: ModificationRequest,
  property: PropertyEntry,
  asked: QuoteRequest,
): Offer | Refusal | null {
  const { room_type_id, rate_plan_id } = asked;
  const offer = namedOffer(property, room_type_id, rate_plan_id);
  if (typeof offer !== "string") return "candidates" in offer ? invalid([unclear(offer)]) : offer;
  if (body.room_type_id === undefined && body.rate_plan_id === undefined) return null;
  const ids = { property_id: property.tree.id, room_type_id, rate_plan_id };
  return refuse(offer, ids, { hints: { requote: asked } });
}

function isSame(request: QuoteRequest, booked: Omit<QuoteRequest, "hotel_id">): boolean {
  const { stay, guests, room_type_id, rate_plan_id } = booked;
  const { hotel_id: _, ...rest } = request;
  return Bun.deepEquals(rest, { room_type_id, rate_plan_id, stay, guests });
}

/** Null in a change removes what was there. */
function withoutNulls<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as T;
}

/** Null when the guest's data is kept. */
function guestChange(call: Asked, booking: Booking): GuestChange | Refusal | null {
  const { guest: sent, special_requests } = call.body;
  if (sent === undefined && special_requests === undefined) return null;
  const { context, principal } = call;
  const personal = personalData(context, booking, ["guest", "special_requests"]);
  const erased = { booking_id: booking.booking_id, reason: "guest_erased" };
  if (personal?.guest === undefined) return refuse("booking_not_modifiable", erased);
  const guest = JSON.parse(personal.guest);
  const primary = withoutNulls({ ...guest.primary, ...sent?.primary });
  const isGuest = !Bun.deepEquals(primary, guest.primary);
  const requests = special_requests ?? personal.special_requests ?? "";
  const isRequest = requests !== (personal.special_requests ?? "");
  if (!isGuest && !isRequest) return null;
  const fields = {
    ...(isGuest && { guest: JSON.stringify({ ...guest, primary }) }),
    ...(isRequest && { special_requests: requests }),
  };
  const made = encryptMore(context, booking, fields);
  if (made === null) return refuse("booking_not_modifiable", erased);
  const hashes = guestHashes(context.keys.hmac, principal.tenant_id, primary);
  return { ...made, ...(isGuest && { hashes }) };
}
