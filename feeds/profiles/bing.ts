/** Microsoft Bing: Google's formats with documented differences. */
import { google } from "./google.ts";
import type { Profile } from "./profile.ts";

export const bing: Profile = {
  ...google,
  name: "bing",
  title: "Microsoft Bing",
  about: "An account manager imports the hotel list; prices are asked for, or sent, as messages.",
  nightsKnown: 14,
  listAttribute: "attr",
  hasAlternateHotelId: false,
  hasSchemaLocation: false,
  unavailable: "minus_one",
  hasRatePlanId: false,
  asksPropertyData: false,
  // Variables only after the question mark; months start at 00, so a combined date would be wrong.
  monthBase: 0,
  pointOfSale: {
    match: { language: "en" },
    path:
      "/book?partner=bing&hotel=(PARTNER-HOTEL-ID)" +
      "&ci_y=(CHECKINYEAR)&ci_m=(CHECKINMONTH)&ci_d=(CHECKINDAY)&nights=(LENGTH)" +
      "&adults=(NUM-ADULTS)&room=(PARTNER-ROOM-ID)" +
      "&currency=(USER-CURRENCY)&lang=(USER-LANGUAGE)&verify=(VERIFICATION)",
  },
};
