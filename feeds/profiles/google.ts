/** Google Hotel Center: the base of the other profiles. */
import type { Profile } from "./profile.ts";

/** The landing page; Google replaces variables anywhere in an address. */
export function landingPath(partner: string): string {
  const date = (name: string) => `(${name}YEAR)-(${name}MONTH)-(${name}DAY)`;
  return (
    `/book/(PARTNER-HOTEL-ID)?partner=${partner}` +
    `&check_in=${date("CHECKIN")}&check_out=${date("CHECKOUT")}` +
    "&adults=(NUM-ADULTS)&room=(PARTNER-ROOM-ID)&rate=(RATE-PLAN-ID)" +
    "&currency=(USER-CURRENCY)&lang=(USER-LANGUAGE)&verify=(VERIFICATION)"
  );
}

export const google: Profile = {
  name: "google",
  title: "Google",
  about:
    "Reads the hotel list once a day; prices reach it as the same messages, asked for or sent.",
  nightsMax: 7,
  nightsKnown: 30,
  listAttribute: "client_attr",
  hasAlternateHotelId: true,
  hasSchemaLocation: true,
  unavailable: "no_vacancy",
  hasRatePlanId: true,
  asksPropertyData: true,
  monthBase: 1,
  pointOfSale: { match: {}, path: landingPath("google") },
};
