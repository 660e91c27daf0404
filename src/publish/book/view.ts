/** Input of the page's parts. */
import type { FxTable } from "../../../engine/core/price/money.ts";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import type { Links } from "../../about/links.ts";
import type { Principal } from "../../access/control/principal.ts";
import type { Formats } from "../../languages/formats.ts";
import type { Locale } from "../../languages/languages.ts";
import type { Assumption, Words } from "../../languages/words.ts";
import type { OtherStay, StayOffers } from "./offers.ts";
import { type Asked, queryFor } from "./stay-request.ts";

/** How guests book on the page. */
export interface Sale {
  readonly seller: Principal;
  /** Random for each rendered page. */
  readonly pageKey: string;
  /** Address of the form, relative as that of the page. */
  readonly to: string;
  readonly isPayable: (dueNow: number) => boolean;
}

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
  /** This page without its query, relative: it may be served below another path. */
  readonly here: string;
  /** The hotel's canonical page. */
  readonly publicUrl: string;
  readonly links: Links;
  /** The visitor's question to the hotel, or null. */
  readonly question: string | null;
  /** Null where guests cannot book on the page. */
  readonly sale: Sale | null;
  /** Why nothing was held for the visitor, or null. */
  readonly notice: Assumption | null;
}

/** Address of this page for another choice, as unescaped attribute text. */
export function hrefFor(
  { query, asked, here }: View,
  stay: Pick<OtherStay, "checkInDay" | "nights">,
  choice: { readonly room: string; readonly rate: string } | null,
): string {
  const { checkInDay, nights } = stay;
  return `${here}?${queryFor(query, { ...asked, checkInDay, nights }, choice)}`;
}

/** Room type and plan as in an address. */
export function choiceOf({
  offer,
}: {
  readonly offer: { roomType: { id: string }; plan: { id: string } };
}) {
  return { room: offer.roomType.id, rate: offer.plan.id };
}
