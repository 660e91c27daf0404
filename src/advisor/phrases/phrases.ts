/** Phrases of answers, in one shape for each language. Facts are inserted unchanged. */
import type { TaxRule } from "../../../engine/core/supply.ts";
import type { StayProblem } from "../stay.ts";

/** Subjects that may be unpublished. */
export type Subject =
  | ("checkin" | "checkout" | "early_checkin" | "late_checkout" | "reception" | "luggage")
  | ("distance" | "phone" | "email" | "about" | "stars" | "beds" | "size" | "room_count")
  | ("extra_bed" | "children" | "minimum_age" | "meal_price" | "amenities" | "cancellation")
  | ("taxes" | "payment" | "discount" | "rooms");

export interface Phrases {
  readonly checkin: (time: string) => string;
  readonly checkout: (time: string) => string;
  readonly unpublished: (subject: string) => string;
  readonly subjects: Readonly<Record<Subject, string>>;
  readonly askHotel: (phone: string) => string;
  readonly address: (hotel: string, address: string) => string;
  readonly phone: (phone: string) => string;
  readonly timezone: (zone: string) => string;
  readonly stars: (stars: string) => string;
  readonly rooms: (names: string) => string;
  readonly bed: (room: string, bed: string) => string;
  readonly size: (room: string, squareMetres: string) => string;
  readonly sleeps: (room: string, guests: number) => string;
  readonly roomCount: (count: number) => string;
  readonly smokingNowhere: string;
  readonly smokingIn: (rooms: string) => string;
  readonly petsYes: string;
  readonly petsNo: string;
  readonly childPolicy: (text: string) => string;
  /** Plans by included meal. */
  readonly meals: (meal: string, plans: string) => string;
  readonly noBreakfast: string;
  readonly listed: (amenity: string) => string;
  readonly unlisted: (words: string) => string;
  readonly inRooms: (amenity: string, rooms: string) => string;
  readonly inAllRooms: (amenity: string) => string;
  readonly costUnknown: (words: string) => string;
  readonly amenities: (list: string) => string;
  readonly roomAmenities: (list: string) => string;
  /** `hours` before check-in, then a share of what is prepaid. */
  readonly freeUntil: (plans: string, hours: number, share: string) => string;
  readonly feeFromBooking: (plans: string, share: string) => string;
  /** Follows `freeUntil` or `feeFromBooking` where a no-show costs another share. */
  readonly fromCheckIn: (share: string) => string;
  readonly nonRefundable: (plans: string) => string;
  readonly tax: (tax: {
    readonly name: string;
    readonly amount: string;
    readonly basis: string;
    readonly isIncluded: boolean;
    readonly isPaidThere: boolean;
    readonly nights: number | null;
    readonly age: number | null;
  }) => string;
  readonly bases: Readonly<Record<TaxRule["basis"], string>>;
  readonly currency: (currency: string) => string;
  readonly payment: string;
  readonly booking: string;
  readonly ownBooking: string;
  readonly identity: (hotel: string) => string;
  readonly greeting: (hotel: string) => string;
  readonly thanks: string;
  readonly notUnderstood: string;
  readonly restUnknown: string;

  readonly needDates: string;
  readonly needAges: string;
  readonly problems: Readonly<Record<StayProblem, string>>;
  readonly childrenOf: (ages: readonly number[]) => string;
  /** `12 – 14 Dec 2026, 2 nights, 2 adults: 5 offers.` */
  readonly offers: (stay: string, count: number) => string;
  readonly assumed: (adults: string) => string;
  readonly offer: (offer: {
    readonly isCheapest: boolean;
    readonly room: string;
    readonly plan: string;
    readonly meal: string;
    readonly total: string;
    readonly paidThere: string | null;
    readonly terms: string;
  }) => string;
  readonly noneWith: string;
  readonly nothingFree: (stay: string) => string;
  readonly tooMany: (guests: number) => string;
  readonly otherDates: (dates: string) => string;
  readonly tooManyGuests: (most: number) => string;

  readonly seeRooms: string;
  readonly searchElsewhere: string;
}
