/** The button that books an offer: a plain form, which holds the room and leads to its payment. */
import { blockingReasons } from "../../../engine/core/availability/availability.ts";
import type { StayOffer } from "./offers.ts";
import { queryFor } from "./stay-request.ts";
import { choiceOf, type Sale, type View } from "./view.ts";

/** Name of the field that makes a repeated click one hold. */
export const PAGE_KEY_FIELD = "page_key";

/** Whether the offer can be booked on the page. */
export function isBookable(view: View, offer: StayOffer): boolean {
  return view.sale !== null && isSold(view, view.sale, offer);
}

/** The form; nothing for an offer that cannot be booked on the page. */
export function BookButton({ view, offer }: { readonly view: View; readonly offer: StayOffer }) {
  const { sale } = view;
  return sale !== null && isSold(view, sale, offer) ? (
    <BookForm view={view} sale={sale} offer={offer} />
  ) : null;
}

/** A ceiling may keep from the seller what the partner may sell. */
function isSold({ asked, todayDay }: View, { seller, isPayable }: Sale, each: StayOffer): boolean {
  const { checkInDay, nights } = asked;
  const party = { adults: each.adults, children: [] };
  const query = { checkInDay, nights, party, agentId: seller.agent_id, todayDay };
  return isPayable(each.price.due_now) && blockingReasons(each.offer, query).length === 0;
}

interface BookFormOf {
  readonly view: View;
  readonly sale: Sale;
  readonly offer: StayOffer;
}

function BookForm({ view, sale, offer }: BookFormOf) {
  const { query, asked, words } = view;
  const { roomType, plan } = offer.offer;
  const fields = queryFor(query, { ...asked, adults: offer.adults }, choiceOf(offer));
  return (
    <form class="buy" method="post" action={sale.to}>
      {[...fields, [PAGE_KEY_FIELD, sale.pageKey] as const].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit">
        {words.book}
        <span class="sr">{`: ${roomType.name}, ${plan.name}`}</span>
      </button>
    </form>
  );
}
