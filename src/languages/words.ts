/** Texts of the page in each language. A hotel's own texts are not translated. */
import type { MealPlan } from "../../engine/core/supply.ts";

/** Assumptions for missing or invalid values of the address. */
export type Assumption =
  | "no_dates"
  | "dates_past"
  | "dates_far"
  | "dates_order"
  | "stay_long"
  | "adults"
  | "room_unknown"
  | "rate_sold_out"
  | "not_kept"
  | "busy"
  | "too_many";

/** Parts of cancellation terms; a share is `50 %` or `nothing`. */
export interface TermsWords {
  readonly freeAlways: string;
  readonly freeUntil: (when: string) => string;
  readonly lost: string;
  readonly lostInFull: string;
  readonly costsNow: (share: string) => string;
  readonly afterwards: (share: string) => string;
  readonly from: (share: string, when: string) => string;
  readonly nothing: string;
  readonly localTime: (when: string, city: string) => string;
}

export interface Words {
  /** The language's own name. */
  readonly name: string;
  /** Null in English, which uses the words of the quote. */
  readonly terms: TermsWords | null;
  readonly assumed: Readonly<Record<Assumption, string>>;
  readonly meals: Readonly<Record<MealPlan, string>>;
  readonly nights: (count: number) => string;
  readonly adultsOf: (count: number) => string;
  readonly starsOf: (count: number) => string;
  readonly sleeps: (count: number) => string;

  readonly checkIn: string;
  readonly checkOut: string;
  readonly adults: string;
  readonly showPrices: string;
  readonly onMap: string;

  readonly yourStay: string;
  readonly total: string;
  readonly allIncluded: string;
  /** Beside a price. */
  readonly included: string;
  readonly about: (amount: string) => string;
  readonly approximate: (currency: string, asOf: string) => string;
  readonly notConverted: (currency: string) => string;
  readonly aNight: (amount: string) => string;
  readonly roomCharge: string;
  readonly price: string;
  readonly paidThere: string;
  readonly dueNow: string;
  readonly dueThere: string;
  readonly howToBook: string;

  readonly rooms: string;
  readonly choose: string;
  readonly chosen: string;
  readonly forOne: string;
  readonly moreRates: (count: number) => string;
  readonly unavailable: string;
  readonly soldOut: string;
  readonly nightsAtLeast: (count: number) => string;
  readonly nightsAtMost: (count: number) => string;
  readonly noArrival: string;
  readonly noDeparture: string;
  readonly sleepsOnly: (count: number) => string;

  readonly nothingFree: string;
  readonly tryOthers: string;
  readonly otherDates: string;
  readonly fromPrice: (amount: string) => string;
  readonly noOthers: string;

  readonly aboutHotel: string;
  readonly amenities: string;
  readonly fromTime: (time: string) => string;
  readonly untilTime: (time: string) => string;
  readonly children: string;
  readonly pets: string;
  readonly petsYes: string;
  readonly petsNo: string;
  readonly phone: string;

  readonly book: string;
  readonly bookIntro: string;
  /** Where guests can also book on the page. */
  readonly bookByAssistant: string;
  readonly askAssistant: string;
  readonly prompt: (order: BookingOrder) => string;
  readonly forAgents: string;
  readonly agentsIntro: string;
  readonly reference: string;
  readonly agentCard: string;
  readonly readyCall: string;

  readonly askTitle: string;
  readonly askLabel: string;
  readonly askButton: string;

  readonly asOf: (instant: string) => string;
  readonly firm: string;
  readonly language: string;
  readonly legal: string;

  readonly notFound: string;
  readonly notFoundText: string;
  /** Above hotels of several tenants with the same slug. */
  readonly whichHotel: string;
}

/** Parts of the request to an assistant. */
export interface BookingOrder {
  readonly hotel: string;
  readonly room: string;
  readonly rate: string;
  readonly dates: string;
  readonly party: string;
  readonly total: string;
  readonly address: string;
}
