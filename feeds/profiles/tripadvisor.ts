/** Tripadvisor has no XML of its own: Google's, for the import of a catalogue. */
import { google, landingPath } from "./google.ts";
import type { Profile } from "./profile.ts";

export const tripadvisor: Profile = {
  ...google,
  name: "tripadvisor",
  title: "Tripadvisor",
  about: "Catalogue import only: its prices are asked for as JSON and are no file.",
  pointOfSale: { match: {}, path: landingPath("tripadvisor") },
};
