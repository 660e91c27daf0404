/**
 * Finds bookings by a part of a guest's name. Names are encrypted, so each is decrypted to be
 * compared: a call looks at a bounded number of them and says where to go on.
 */
import { RecordDamaged } from "../../../engine/core/record-damage.ts";
import type { Booking } from "../../../engine/core/records.ts";
import { requireScope } from "../../access/control/principal.ts";
import { hasNameParts, namePartsOf } from "../../access/privacy/name-match.ts";
import { invalid, type Refusal, refuse, type Success } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { json } from "../../http/validate.ts";
import { nextTurnEach } from "../../lib/run-in-slices.ts";
import { personalData } from "../bookings/personal-fields.ts";
import { askedProperty, bookingListOf, bookingOf } from "../visible.ts";
import { deskBooking, READS_GUESTS } from "./booking-views.ts";
import { admin, DESK_READ } from "./lists.ts";
import { checkInRange } from "./parameters.ts";
import { GuestSearchBody, type GuestSearchRequest } from "./requests.ts";
import { FoundGuests } from "./responses.ts";

/** Names that a call decrypts. */
const NAMES_MAX = 2_000;
/** Bookings that a call answers with. */
const FOUND_MAX = 100;
const CHARS_MIN = 2;

interface Names {
  readonly primary: { readonly full_name: string };
  readonly additional?: readonly { readonly full_name: string }[];
}

/** Whether one of the guests has the parts in the name; null when they cannot be read. */
function isOfGuest(call: Call, booking: Booking, parts: readonly string[]): boolean | null {
  try {
    const text = personalData(call.context, booking, ["guest"])?.guest;
    if (text === undefined) return false;
    const { primary, additional = [] } = JSON.parse(text) as Names;
    return [primary, ...additional].some(({ full_name }) => hasNameParts(full_name, parts));
  } catch (error) {
    if (!(error instanceof RecordDamaged)) throw error;
    call.context.damage.report(error);
    return null;
  }
}

/** What the filters allow, from the last booking of the answer before; or the refusal. */
function idsOf(call: Call<GuestSearchRequest>): string[] | Refusal {
  const { property_id, state, check_in_from, check_in_to, after } = call.body;
  const check_in = checkInRange(check_in_from, check_in_to);
  if (check_in && "code" in check_in) return check_in;
  const property = askedProperty(call, property_id);
  if (property && "code" in property) return property;
  const last = after === undefined ? null : bookingOf(call, after);
  if (last && "code" in last) return last;
  const asked = {
    ...(property && { property_id: property.tree.id }),
    ...(state !== undefined && { state }),
    ...(check_in && { check_in }),
  };
  return bookingListOf(call, asked, last, NAMES_MAX + 1);
}

async function search(call: Call<GuestSearchRequest>): Promise<Success | Refusal> {
  const unseen = requireScope(call.principal, READS_GUESTS);
  if (unseen) return refuse(unseen.code, unseen.detail);
  const parts = namePartsOf(call.body.guest, CHARS_MIN);
  if (parts === null) {
    const expected = `at least ${CHARS_MIN} letters or digits of the name`;
    return invalid([{ path: "/guest", message: "is too short", expected }]);
  }
  const ids = idsOf(call);
  if ("code" in ids) return ids;
  const found: Booking[] = [];
  let [searched, unreadable] = [0, 0];
  for await (const id of nextTurnEach(ids.slice(0, NAMES_MAX))) {
    searched += 1;
    const booking = bookingOf(call, id);
    const isFound = "code" in booking ? false : isOfGuest(call, booking, parts);
    if (isFound === null) unreadable += 1;
    if (isFound) found.push(booking as Booking);
    if (found.length === FOUND_MAX) break;
  }
  const next_after = searched < ids.length ? ids[searched - 1]! : null;
  const items = found.map((booking) => deskBooking(call, booking));
  return { ok: true, data: { items, searched, unreadable, next_after } };
}

export const guestSearchRoutes = [
  route({
    ...DESK_READ,
    id: "admin_search_guests",
    method: "POST",
    path: "/v1/admin/bookings/search",
    summary: "Find bookings by a part of a guest's name",
    description:
      "All parts must be in the name of one of the guests, in any order; case and accents are " +
      "ignored. Among the bookings of the filters, the last made first; dates have at most 366 " +
      `days. A call looks at ${NAMES_MAX} names at most and finds ${FOUND_MAX} bookings at most: ` +
      "`next_after` then is where the same search goes on, as `after`. Erased guests are not " +
      "found. For a whole name, an e-mail address or a code use `GET /v1/admin/bookings`. Needs " +
      "the scope `bookings:read` as well.",
    access: admin("bookings"),
    body: json(GuestSearchBody),
    success: { status: 200, description: "The bookings.", data: FoundGuests },
    errors: ["property_not_found", "booking_not_found", "resource_access_denied"],
    handle: search,
  }),
];
