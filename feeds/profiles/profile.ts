/** What a partner's documents look like: data, so that no document asks for a partner's name. */

export interface Profile {
  /** The one in addresses: lower-case letters. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** What the partner does with the documents, in a sentence. */
  readonly about: string;
  /** The longest stay in `ari.xml`; every shorter one is there too. */
  readonly nightsMax: number;
  /** The longest stay that the partner takes, and may ask for; 30 nights or less. */
  readonly nightsKnown: number;
  /** The element that a hotel's attributes stand in. */
  readonly listAttribute: "client_attr" | "attr";
  /** Whether the hotel list says the slug, for `(ALTERNATE-HOTEL-ID)`. */
  readonly hasAlternateHotelId: boolean;
  /** Whether the hotel list names the schema that it keeps. */
  readonly hasSchemaLocation: boolean;
  /** How a stay that cannot be sold is said: in words, or as amounts of minus one. */
  readonly unavailable: "no_vacancy" | "minus_one";
  readonly hasRatePlanId: boolean;
  /** Whether it asks for rooms and rates by themselves; who does not is told them with prices. */
  readonly asksPropertyData: boolean;
  /** The number that `(CHECKINMONTH)` is of January. */
  readonly monthBase: 0 | 1;
  readonly pointOfSale: {
    /** Whom the page is for; nothing: everybody. */
    readonly match: Readonly<Record<string, string>>;
    /** Below the site's address, with the partner's `(VARIABLES)` in a query; not escaped. */
    readonly path: string;
  };
}
