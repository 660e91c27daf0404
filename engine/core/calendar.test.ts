/** Dates against the runtime's own UTC calendar; zones against known clock changes. */
import { expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import {
  dateOf,
  dayOf,
  instantIso,
  isZone,
  localInstant,
  localTime,
  todayIn,
  WEEKDAYS,
  weekdayOf,
} from "./calendar.ts";

const FIRST_DAY = dayOf("0000-01-01");
const LAST_DAY = dayOf("9999-12-31");

test("every date of four centuries has the number and weekday of the UTC calendar", () => {
  for (let day = dayOf("1899-12-31"); day <= dayOf("2300-01-01"); day += 1) {
    const utc = new Date(day * 86_400_000);
    const date = utc.toISOString().slice(0, 10);
    if (dateOf(day) !== date || dayOf(date) !== day) throw new Error(`${date} is not ${day}`);
    if (weekdayOf(day) !== (utc.getUTCDay() + 6) % 7) throw new Error(`weekday of ${date}`);
  }
  expect(WEEKDAYS[weekdayOf(dayOf("2026-12-20"))]).toBe("sun");
});

test("a day number equals itself after conversion to text and back, in all four-digit years", () => {
  expect([FIRST_DAY, LAST_DAY]).toEqual([-719_528, 2_932_896]);
  fc.assert(
    fc.property(fc.integer({ min: FIRST_DAY, max: LAST_DAY }), (day) => {
      expect(dayOf(dateOf(day))).toBe(day);
    }),
  );
});

test("a text that is not a real date has no day number", () => {
  const bad = ["2026-02-29", "1900-02-29", "2026-00-10", "2026-13-01", "2026-04-31", "2026-01-00"];
  const odd = [
    "",
    "2026-1-01",
    "2026/01/01",
    "20260101",
    " 2026-01-01",
    "2026-01-01T",
    "2026-0१-01",
  ];
  for (const text of [...bad, ...odd, "-026-01-01", "+026-01-01", "2026-01-0x"]) {
    expect([text, dayOf(text)]).toEqual([text, Number.NaN]);
  }
  expect(dateOf(dayOf("2000-02-29"))).toBe("2000-02-29");
});

test("zones are IANA names, not offsets", () => {
  for (const zone of ["Europe/Madrid", "UTC", "America/Argentina/Buenos_Aires"]) {
    expect([zone, isZone(zone)]).toEqual([zone, true]);
  }
  for (const zone of ["+01:00", "", "Mars/Base", "Europe/Madrid "]) {
    expect([zone, isZone(zone)]).toEqual([zone, false]);
  }
});

test("today is the local date of the property", () => {
  const now = Date.UTC(2026, 11, 20, 23, 30);
  expect(dateOf(todayIn("UTC", now))).toBe("2026-12-20");
  expect(dateOf(todayIn("Europe/Madrid", now))).toBe("2026-12-21");
  expect(dateOf(todayIn("Pacific/Pago_Pago", now))).toBe("2026-12-20");
  expect(dateOf(todayIn("Pacific/Kiritimati", now))).toBe("2026-12-21");
  expect(dateOf(todayIn("America/New_York", Date.UTC(2026, 11, 21, 4, 59)))).toBe("2026-12-20");
});

test.each([
  ["an ordinary time", "2026-12-20", "15:00", "Europe/Madrid", "2026-12-20T15:00:00+01:00"],
  ["summer time", "2026-07-01", "15:00", "Europe/Madrid", "2026-07-01T15:00:00+02:00"],
  ["zero offset", "2026-12-20", "00:00", "Europe/London", "2026-12-20T00:00:00+00:00"],
  ["half hours", "2026-12-20", "23:59", "America/St_Johns", "2026-12-20T23:59:00-03:30"],
  ["quarter hours", "2026-12-20", "12:00", "Asia/Kathmandu", "2026-12-20T12:00:00+05:45"],
  ["a gap", "2026-03-29", "02:30", "Europe/Madrid", "2026-03-29T03:00:00+02:00"],
  ["the gap's first minute", "2026-03-29", "02:00", "Europe/Madrid", "2026-03-29T03:00:00+02:00"],
  ["the minute before it", "2026-03-29", "01:59", "Europe/Madrid", "2026-03-29T01:59:00+01:00"],
  ["a gap at midnight", "2026-04-24", "00:00", "Africa/Cairo", "2026-04-24T01:00:00+03:00"],
  [
    "a gap of half an hour",
    "2026-10-04",
    "02:15",
    "Australia/Lord_Howe",
    "2026-10-04T02:30:00+11:00",
  ],
  ["a day that was skipped", "2011-12-30", "12:00", "Pacific/Apia", "2011-12-31T00:00:00+14:00"],
  [
    "an hour that happens twice",
    "2026-10-25",
    "02:30",
    "Europe/Madrid",
    "2026-10-25T02:30:00+01:00",
  ],
  [
    "twice, west of Greenwich",
    "2026-11-01",
    "01:00",
    "America/New_York",
    "2026-11-01T01:00:00-05:00",
  ],
  ["the hour after it", "2026-10-25", "03:00", "Europe/Madrid", "2026-10-25T03:00:00+01:00"],
  [
    "the minute before it happens",
    "2026-10-25",
    "01:59",
    "Europe/Madrid",
    "2026-10-25T01:59:00+02:00",
  ],
])("local time to instant: %s", (_, date, time, zone, iso) => {
  expect(localInstant(dayOf(date), time, zone)).toEqual({ ms: Date.parse(iso), iso });
});

test("a local time that exists is recovered from its instant", () => {
  const zone = fc.constantFrom("Europe/Madrid", "America/Sao_Paulo", "Asia/Tokyo", "Asia/Kolkata");
  const day = fc.integer({ min: dayOf("2024-01-01"), max: dayOf("2032-01-01") });
  fc.assert(
    fc.property(zone, day, fc.integer({ min: 4, max: 23 }), (name, at, hour) => {
      const time = `${String(hour).padStart(2, "0")}:45`;
      const { ms, iso } = localInstant(at, time, name);
      expect(iso.slice(0, 19)).toBe(`${dateOf(at)}T${time}:00`);
      expect(Date.parse(iso)).toBe(ms);
      expect(localTime(ms, name)).toMatchObject({ text: iso.slice(0, 19), offset: iso.slice(19) });
      expect(todayIn(name, ms)).toBe(at);
    }),
  );
});

test("a zone's clock equals the runtime's around every change of a year and a half", () => {
  // Half an hour, two changes within a month, a day that was skipped, changes at midnight.
  const zones = ["Europe/Madrid", "Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia"];
  for (const zone of [...zones, "Africa/Cairo", "America/St_Johns", "Asia/Kathmandu"]) {
    const clock = new Intl.DateTimeFormat("sv-SE", {
      timeZone: zone,
      ...({ dateStyle: "short", timeStyle: "medium" } as const),
    });
    for (const start of ["2011-06-01", "2026-01-01"]) {
      const startMs = dayOf(start) * 86_400_000;
      for (let ms = startMs; ms < startMs + 550 * 86_400_000; ms += 5_399_999) {
        const shown = localTime(ms, zone).text.replace("T", " ");
        const right = clock.format(ms);
        if (shown !== right) throw new Error(`${zone} at ${ms}: ${shown}, but it is ${right}`);
      }
    }
  }
});

test("a clock change applies at its exact millisecond, whatever was asked before", () => {
  const changeMs = Date.UTC(2026, 9, 25, 1);
  for (const zone of ["Europe/Madrid", "Europe/Paris"]) {
    const around = [changeMs - 1, changeMs];
    if (zone === "Europe/Paris") around.reverse();
    const offsets = around.map((ms) => [ms, localTime(ms, zone).offset]);
    expect(offsets.sort()).toEqual([
      [changeMs - 1, "+02:00"],
      [changeMs, "+01:00"],
    ]);
  }
});

test("a time that is not HH:mm and an unknown zone are refused", () => {
  for (const time of ["24:00", "9:00", "15h00", "ab:cd", "15:00:00"]) {
    expect(() => localInstant(0, time, "UTC")).toThrow(RangeError);
  }
  expect(() => localInstant(0, "15:00", "Mars/Base")).toThrow(RangeError);
});

test("instants on the wire are UTC with milliseconds", () => {
  expect(instantIso(1_797_000_000_000)).toBe("2026-12-11T14:40:00.000Z");
});

test("all spellings of a zone's name mean one zone and cost no memory", () => {
  const made = spyOn(Intl, "DateTimeFormat");
  const spellings = ["Pacific/Chatham", "pacific/chatham", "PACIFIC/CHATHAM", "pAcific/chAtham"];
  const days = spellings.map((zone) => todayIn(zone, Date.UTC(2026, 11, 20, 11)));
  expect(new Set(days)).toEqual(new Set([dayOf("2026-12-21")]));
  expect(made.mock.calls.length).toBeLessThan(2);
  made.mockRestore();
});
