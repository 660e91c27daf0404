/** KAYAK accepts any documented format: Google's. */
import { google, landingPath } from "./google.ts";
import type { Profile } from "./profile.ts";

export const kayak: Profile = {
  ...google,
  name: "kayak",
  title: "KAYAK",
  about: "Catalogue import only: its prices are asked for live and are no file.",
  pointOfSale: { match: {}, path: landingPath("kayak") },
};
