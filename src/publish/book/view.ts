/** What the parts of the page are made from. */
import type { FxTable } from "../../../engine/core/price/money.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import type { Links } from "../../about/links.ts";
import type { Formats } from "../../languages/formats.ts";
import type { Locale } from "../../languages/languages.ts";
import type { Words } from "../../languages/words.ts";
import type { OtherStay, StayOffers } from "./offers.ts";
import { type Asked, queryFor } from "./stay-request.ts";

export interface View {
  readonly property: PropertyEntry;
  readonly asked: Asked;
  readonly offers: StayOffers;
  readonly fx: FxTable | null;
  readonly todayDay: number;
  readonly nowMs: number;
  readonly locale: Locale;
  readonly words: Words;
  readonly formats: Formats;
  readonly query: ReadonlyMap<string, string>;
  /**
   * This page without its query, from where the browser is: it may be served below another path
   * than ours, so no address of it begins with a slash.
   */
  readonly here: string;
  /** The hotel's page, the same for everybody. */
  readonly publicUrl: string;
  readonly links: Links;
  /** What the visitor asks about the hotel; null when nothing. */
  readonly question: string | null;
}

/** Address of this hotel's page for another choice, as text of an attribute before escaping. */
export function hrefFor(
  { query, asked, here }: View,
  stay: Pick<OtherStay, "checkInDay" | "nights">,
  choice: { readonly room: string; readonly rate: string } | null,
): string {
  const { checkInDay, nights } = stay;
  return `${here}?${queryFor(query, { ...asked, checkInDay, nights }, choice)}`;
}

/** Room type and plan as an address names them. */
export function choiceOf({
  offer,
}: {
  readonly offer: { roomType: { id: string }; plan: { id: string } };
}) {
  return { room: offer.roomType.id, rate: offer.plan.id };
}
