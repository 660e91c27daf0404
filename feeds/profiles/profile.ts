/** The properties of a partner's documents, so that no other code depends on a partner's name. */

export interface Profile {
  /** As in addresses: lower-case letters. */
  readonly name: string;
  /** Display name. */
  readonly title: string;
  /** How the partner uses the documents, in a sentence. */
  readonly about: string;
  /** The longest stay in `ari.xml`; all shorter ones are included. */
  readonly nightsMax: number;
  /** The longest stay that the partner supports and may query; at most 30 nights. */
  readonly nightsKnown: number;
  /** The element of a hotel's attributes. */
  readonly listAttribute: "client_attr" | "attr";
  /** Whether the hotel list has the slug, for `(ALTERNATE-HOTEL-ID)`. */
  readonly hasAlternateHotelId: boolean;
  /** Whether the hotel list names its schema. */
  readonly hasSchemaLocation: boolean;
  /** How an unavailable stay is written: an element, or amounts of minus one. */
  readonly unavailable: "no_vacancy" | "minus_one";
  readonly hasRatePlanId: boolean;
  /** Whether it queries rooms and rates separately; else they are sent with prices. */
  readonly asksPropertyData: boolean;
  /** `(CHECKINMONTH)` of January. */
  readonly monthBase: 0 | 1;
  readonly pointOfSale: {
    /** Limits of the audience; empty: all users. */
    readonly match: Readonly<Record<string, string>>;
    /** Below the site's address, with `(VARIABLES)` in the query; not escaped. */
    readonly path: string;
  };
}
