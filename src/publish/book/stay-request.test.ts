import { expect, test } from "bun:test";
import fc from "fast-check";
import { isWithinHorizon } from "../../../engine/core/availability/horizon.ts";
import { dateOf, dayOf } from "../../../engine/core/calendar.ts";
import { PARTNERS, profileOf } from "../../../feeds/partners.ts";
import { readAsked } from "./stay-request.ts";

const TODAY = dayOf("2026-09-01");

function asked(query: string) {
  const { checkInDay, nights, assumed, ...rest } = readAsked(
    new Map(new URLSearchParams(query)),
    TODAY,
  );
  return { stay: [dateOf(checkInDay), nights], assumed: [...assumed], ...rest };
}

test("a link filled in by a partner is read unchanged", () => {
  const link =
    "partner=google&check_in=2026-10-05&check_out=2026-10-08&adults=3&room=R-1&rate=P-1" +
    "&currency=usd&lang=de&verify=true";
  expect(asked(link)).toMatchObject({
    stay: ["2026-10-05", 3],
    assumed: [],
    adults: 3,
    room: "r-1",
    rate: "p-1",
    currency: "USD",
    partner: { name: "google" },
  });
});

test("one-digit months and days are read like two-digit ones", () => {
  for (const [check_in, check_out] of [
    ["2027-3-5", "2027-3-12"],
    ["2027-03-5", "2027-3-12"],
    ["2027-3-05", "2027-03-12"],
  ]) {
    expect(asked(`check_in=${check_in}&check_out=${check_out}`)).toMatchObject({
      stay: ["2027-03-05", 7],
      assumed: [],
    });
  }
  expect(asked("partner=bing&ci_y=2027&ci_m=2&ci_d=5").stay).toEqual(["2027-03-05", 1]);
  for (const check_in of ["2027-3-", "2027--5", "2027-0-5", "2027-3-005", "7-3-5", "-1-1-1"]) {
    expect(asked(`check_in=${check_in}`).assumed).toEqual(["no_dates"]);
  }
});

test("months are numbered as the partner numbers them", () => {
  const link = (partner: string, month: string) =>
    asked(`partner=${partner}&ci_y=2027&ci_m=${month}&ci_d=05&nights=2`).stay;
  expect(link("bing", "00")).toEqual(["2027-01-05", 2]);
  expect(link("microsoft", "11")).toEqual(["2027-12-05", 2]);
  expect(link("google", "01")).toEqual(["2027-01-05", 2]);
  // There is no thirteenth month, whoever counts.
  expect(asked("partner=bing&ci_y=2027&ci_m=12&ci_d=05").assumed).toEqual(["no_dates"]);
});

test("a missing, empty or unfilled variable gets a default, and the page says so", () => {
  const tonight = { stay: ["2026-09-01", 1], assumed: ["no_dates"], adults: 2, room: null };
  for (const link of [
    "",
    "check_in=&check_out=&adults=&room=&rate=&currency=&lang=",
    "check_in=(CHECKINYEAR)-(CHECKINMONTH)-(CHECKINDAY)&check_out=(CHECKOUTYEAR)&adults=(NUM-ADULTS)" +
      "&room=(PARTNER-ROOM-ID)&rate=(RATE-PLAN-ID)&currency=(USER-CURRENCY)&lang=(USER-LANGUAGE)",
    "check_in=2026-02-31",
    "partner=bing&ci_y=&ci_m=&ci_d=",
  ]) {
    expect({ link, ...asked(link) }).toMatchObject({ link, ...tonight, currency: null });
  }
  expect(asked("adults=many")).toMatchObject({ adults: 2, assumed: ["no_dates", "adults"] });
  expect(asked("adults=0&check_in=2026-09-03")).toMatchObject({ adults: 2, assumed: ["adults"] });
  expect(asked("partner=nobody").partner.name).toBe("google");
  expect(asked("currency=euros").currency).toBeNull();
});

test("impossible dates are replaced by possible ones, and the page says so", () => {
  const stays: Readonly<Record<string, readonly [string, number, string[]]>> = {
    "check_in=2025-10-05&check_out=2025-10-08": ["2026-09-01", 3, ["dates_past"]],
    // A stay that has begun goes on.
    "check_in=2026-08-30&check_out=2026-09-03": ["2026-09-01", 2, ["dates_past"]],
    "check_in=2031-01-01&nights=4": ["2026-09-01", 4, ["dates_far"]],
    "check_in=2026-10-05&check_out=2026-10-05": ["2026-10-05", 1, ["dates_order"]],
    "check_in=2026-10-05&check_out=2026-10-01&nights=2": ["2026-10-05", 2, ["dates_order"]],
    "check_in=2026-10-05&check_out=2027-10-05": ["2026-10-05", 90, ["stay_long"]],
    "check_out=2026-10-05": ["2026-10-04", 1, []],
    "check_out=2026-10-05&nights=3": ["2026-10-02", 3, []],
    "nights=5": ["2026-09-01", 5, ["no_dates"]],
    "nights=500": ["2026-09-01", 90, ["stay_long", "no_dates"]],
  };
  for (const [link, [checkIn, nights, assumed]] of Object.entries(stays)) {
    expect({ link, ...asked(link) }).toMatchObject({ link, stay: [checkIn, nights], assumed });
  }
});

test("every address gives a stay that can be sold", () => {
  const names = [
    "check_in",
    "check_out",
    "nights",
    "ci_y",
    "ci_m",
    "ci_d",
    "adults",
    "room",
    "rate",
    "currency",
    "partner",
  ];
  const value = fc.oneof(
    fc.string(),
    fc.integer({ min: -10, max: 10_000 }).map(String),
    fc.integer({ min: TODAY - 400, max: TODAY + 1_000 }).map(dateOf),
    fc.constantFrom("(CHECKINDAY)", "", ...PARTNERS),
  );
  const query = fc.dictionary(fc.constantFrom(...names), value).map((all) => {
    return new Map(Object.entries(all));
  });
  fc.assert(
    fc.property(query, (query) => {
      const { checkInDay, nights, adults, partner } = readAsked(query, TODAY);
      expect(isWithinHorizon(checkInDay, nights, TODAY)).toBeTrue();
      expect(nights >= 1 && nights <= 90).toBeTrue();
      expect(adults >= 1 && adults <= 20).toBeTrue();
      expect(profileOf(partner.name)).toBe(partner);
    }),
  );
});
