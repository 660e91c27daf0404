/** What a change of a booking would do, in each way that the API allows. */
import type { Static } from "@sinclair/typebox";
import { DIFFERENCES, type Difference } from "../../../engine/core/refund-words.ts";
import type { ModificationQuote } from "../../api/bookings/responses.ts";
import { type ApiError, ask } from "../frame/api.ts";
import { type Hotels, placeNames } from "../frame/hotels.ts";
import { Amount, Fact, Signed, StayFacts } from "../frame/parts.tsx";
import type { Visit } from "../frame/visit.ts";
import type { Booking, Change } from "./change-typed.ts";

type Preview = Static<typeof ModificationQuote>;

export interface Way {
  /** What becomes of another price; null when the booking's own terms allow the change. */
  readonly difference: Difference | null;
  readonly preview: Preview;
}

export interface Ways {
  /** Why the booking's own terms do not allow it; null when they do. */
  readonly refusal: ApiError | null;
  readonly ways: readonly Way[];
}

function previewOf(visit: Visit<"id">, change: Change, difference: Difference | null) {
  const body = { ...change, ...(difference && { difference }) };
  const { params } = visit.call;
  return ask<Preview>(visit, { id: "get_modification_quote", params, body });
}

/** The preview by the booking's own terms; when they refuse it, those that the refusal offers. */
export async function waysOf(visit: Visit<"id">, change: Change): Promise<Ways> {
  const plain = await previewOf(visit, change, null);
  if (plain.ok) return { refusal: null, ways: [{ difference: null, preview: plain.data }] };
  const offered = plain.error.next_actions.map(({ body_hint }) => body_hint?.difference);
  const ways: Way[] = [];
  for (const difference of DIFFERENCES.filter((each) => offered.includes(each))) {
    const found = await previewOf(visit, change, difference);
    if (found.ok) ways.push({ difference, preview: found.data });
  }
  return { refusal: plain.error, ways };
}

/** What a person has seen of a preview, to be compared when it is confirmed. */
export function seenOf({ preview }: Way): string {
  const { price_breakdown: price, refund, version } = preview;
  return [version, price?.total, price?.due_at_property, refund.amount].join(" ");
}

const WAYS: Readonly<Record<Difference, string>> = {
  refund: "Give the difference back",
  waive: "Keep the former price",
  at_property: "Charge the difference at the hotel",
};

/** What the button of a way does. */
export function labelOf({ difference }: Way): string {
  return difference === null ? "Change the booking" : WAYS[difference];
}

interface PreviewOf {
  readonly booking: Booking;
  readonly hotels: Hotels;
  readonly way: Way;
}

/** The stay and the money after the change. */
export function PreviewFacts({ booking, hotels, way: { preview } }: PreviewOf) {
  const { property_id } = booking;
  const { stay, guests, price_breakdown: price, refund, difference } = preview;
  const { room, plan } = placeNames(hotels, { property_id, ...preview });
  return (
    <dl>
      <StayFacts stay={stay} guests={guests} />
      <Fact name="Room">
        <bdi>{room}</bdi>, <bdi>{plan}</bdi>
      </Fact>
      {price && (
        <Fact name="Total">
          <Amount amount={price.total} currency={price.currency} />
        </Fact>
      )}
      {difference && (
        <Fact name="Difference in price">
          <Signed {...difference} />
        </Fact>
      )}
      <Fact name="Refunded now">
        <Amount {...refund} />
      </Fact>
      {price && (
        <Fact name="Due at the property">
          <Amount amount={price.due_at_property} currency={price.currency} />
        </Fact>
      )}
    </dl>
  );
}
