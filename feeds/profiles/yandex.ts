/** Yandex reads the hotel list in Google's format. */
import { google, landingPath } from "./google.ts";
import type { Profile } from "./profile.ts";

export const yandex: Profile = {
  ...google,
  name: "yandex",
  title: "Yandex",
  about: "Reads the hotel list once a day, in Google's format; its prices go over an API.",
  pointOfSale: { match: {}, path: landingPath("yandex") },
};
