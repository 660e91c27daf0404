import { expect, test } from "bun:test";
import { lastNight, nextNight, zoneOf } from "./nightly-times.ts";

const iso = (ms: number) => new Date(ms).toISOString();
const at = (text: string) => Date.parse(text);

test("the nightly build keeps its local time across a daylight-saving change", () => {
  const night = (now: string) => iso(lastNight("04:10", "Europe/Madrid", at(now)));
  expect(night("2026-03-28T12:00:00Z")).toBe("2026-03-28T03:10:00.000Z");
  expect(night("2026-03-29T12:00:00Z")).toBe("2026-03-29T02:10:00.000Z");
  expect(night("2026-10-25T02:00:00Z")).toBe("2026-10-24T02:10:00.000Z");
  expect(night("2026-10-25T03:10:00Z")).toBe("2026-10-25T03:10:00.000Z");
});

test("the next nightly build is in the future and one calendar day after the last", () => {
  const next = (now: string) => iso(nextNight("04:10", "America/New_York", at(now)));
  expect(next("2026-03-08T08:09:59.999Z")).toBe("2026-03-08T08:10:00.000Z");
  expect(next("2026-03-08T08:10:00Z")).toBe("2026-03-09T08:10:00.000Z");
  expect(next("2026-11-01T08:00:00Z")).toBe("2026-11-01T09:10:00.000Z");
});

test("each night of a year occurs once, with daylight-saving shifts of an hour or half an hour", () => {
  for (const zone of ["Europe/Madrid", "Australia/Lord_Howe", "America/Santiago", "UTC"]) {
    let now = at("2026-01-01T00:00:00Z");
    const end = at("2027-01-01T00:00:00Z");
    const gaps = new Set<number>();
    let nights = 0;
    for (let night = nextNight("03:31", zone, now); night < end; nights += 1) {
      expect(lastNight("03:31", zone, night)).toBe(night);
      now = night;
      night = nextNight("03:31", zone, now);
      gaps.add((night - now) / 3_600_000);
    }
    expect([zone, nights]).toEqual([zone, 365]);
    for (const gap of gaps) expect(gap).toBeWithin(23, 25.1);
  }
});

test("a tenant's zone is that of most live properties, on a tie the first by name", () => {
  const property = (timezone: string, state = "live") =>
    ({ state, tree: { timezone } }) as Parameters<typeof zoneOf>[0] extends Iterable<infer P>
      ? P
      : never;
  expect(zoneOf([])).toBe("UTC");
  expect(zoneOf([property("Asia/Tokyo"), property("Asia/Tokyo"), property("Europe/Rome")])).toBe(
    "Asia/Tokyo",
  );
  expect(zoneOf([property("Europe/Rome"), property("Asia/Tokyo")])).toBe("Asia/Tokyo");
  const drafts = [property("Asia/Tokyo", "draft"), property("Asia/Tokyo", "suspended")];
  expect(zoneOf([...drafts, property("Europe/Rome")])).toBe("Europe/Rome");
});
