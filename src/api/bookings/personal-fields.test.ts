import { expect, test } from "bun:test";
import type { Booking } from "../../../engine/core/records.ts";
import type { Context } from "../../http/context.ts";
import { travelerOf } from "./personal-fields.ts";

const ISS = "https://travelers.example";

/** A process whose copy has this booking, and no data key of any. */
function contextWith(booking: Booking | null): Context {
  return { replica: { records: { booking: () => booking, wrappedKey: () => null } } } as never;
}

test("an erased traveler is null", () => {
  const booking = { encrypted: { traveler_sub: "ciphertext" } } as unknown as Booking;
  expect(travelerOf(contextWith(booking), "bkg_1", ISS)).toEqual({ iss: ISS, sub: null });
});

test("a copy that lags does not say that a traveler was erased", () => {
  expect(travelerOf(contextWith(null), "bkg_1", ISS)).toEqual({ iss: ISS });
});
