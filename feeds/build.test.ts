/**
 * Goal: partners accept every built document. Method: whole feeds of demo and unusual hotels for
 * every profile, read by libxml2 against the schemas and by several gzip readers.
 */
import { expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { dateOf } from "../engine/core/calendar.ts";
import { State } from "../engine/core/state/state.ts";
import { NOON, TENANT } from "../test/support/builders.ts";
import { BuiltFeed, demoHotels, liveState, oddHotels } from "../test/support/feeds.ts";
import { dayIn } from "../test/support/given.ts";
import { validate } from "../test/support/xmllint.ts";
import { PARTNERS, profileOf } from "./partners.ts";
import { emptyAri, emptyList } from "./stored.ts";

const HOTELS = [...demoHotels(2), ...oddHotels()];
const STATE = liveState(HOTELS);

/** Every match of an element's content. */
function all(xml: string, element: string): string[] {
  return [...xml.matchAll(new RegExp(`<${element}[^>]*>([^<]*)</${element}>`, "g"))].map(
    (match) => match[1]!,
  );
}

test("documents of every partner are valid by the schemas", async () => {
  const state = liveState(oddHotels());
  for (const name of PARTNERS) {
    using feed = new BuiltFeed(state, { profile: profileOf(name)! });
    validate("hotel-list", await feed.text("list"));
    validate("transaction", await feed.text(3));
  }
});

test("documents of thirty and of ninety days are valid as well", async () => {
  using feed = new BuiltFeed(STATE);
  expect(feed.verified()).toBeNull();
  for (const days of [30, 90]) validate("transaction", await feed.text(days));
});

test("both documents have the same properties, by id, and every itinerary of each", async () => {
  using feed = new BuiltFeed(STATE);
  const ids = HOTELS.map(({ property }) => property.id).toSorted();
  expect(all(await feed.text("list"), "id")).toEqual(ids);
  const ari = await feed.text(2);
  const data = [...ari.matchAll(/<PropertyDataSet><Property>([^<]*)</g)].map((match) => match[1]!);
  expect(data).toEqual(ids);
  const results = [...ari.matchAll(/<Result><Property>([^<]*)<.*?<Nights>(\d+)</g)];
  const told = results.map((match) => `${match[1]} ${match[2]}`);
  const expected = [0, 1].flatMap(() =>
    ids.flatMap((id) => [1, 2, 3, 4, 5, 6, 7].map((nights) => `${id} ${nights}`)),
  );
  expect(told).toEqual(expected);
});

test("days start at today's date of the property", async () => {
  const state = liveState(oddHotels());
  // 16:30 in London is tomorrow in Tokyo and still today in New York.
  using feed = new BuiltFeed(state, { nowMs: NOON + 4.5 * 3_600_000 });
  const first = (n: number) => {
    const id = `7f0c1c9e-3c55-4d1b-9a53-${String(n).padStart(12, "0")}`;
    return all(ari.slice(ari.indexOf(`<Result><Property>${id}`)), "Checkin")[0]!;
  };
  const ari = await feed.text(1);
  expect([first(100), first(300)]).toEqual([dateOf(dayIn(1)), dateOf(dayIn(0))]);
});

test("no day is missing or repeated where clocks are set back in between", async () => {
  using feed = new BuiltFeed(liveState(oddHotels().slice(2, 3)));
  const days = Array.from({ length: 90 }, (_, offset) => dateOf(dayIn(offset)));
  expect(days).toContain("2026-11-01");
  const told = all(await feed.text(90), "Checkin");
  expect(told).toEqual(days.flatMap((day) => Array.from({ length: 7 }, () => day)));
});

test("the compressed documents decompress to the same bytes in every reader, in one member", async () => {
  using feed = new BuiltFeed(STATE);
  const server = Bun.serve({
    port: 0,
    fetch: (request) => {
      const path = new URL(request.url).pathname.slice(1);
      const { bytes, body } = feed.stored(path === "list" ? path : Number(path), "gzip");
      const headers = { "content-encoding": "gzip", "content-length": String(bytes) };
      return new Response(body(), { headers });
    },
  });
  try {
    for (const name of ["list", 1, 17, 90] as const) {
      const plain = await feed.bytes(name);
      const zipped = await feed.bytes(name, "gzip");
      expect(gunzipSync(zipped).equals(plain)).toBeTrue();
      const fetched = await fetch(`${server.url}${name}`);
      expect(Buffer.from(await fetched.arrayBuffer()).equals(plain)).toBeTrue();
      const { exitCode } = Bun.spawnSync(["gzip", "-t"], { stdin: new Uint8Array(zipped) });
      expect(exitCode).toBe(0);
      expect(zipped.length).toBeLessThan(plain.length / 3);
    }
  } finally {
    await server.stop(true);
  }
});

test("a document of n days is the beginning of a longer one, except for its id", async () => {
  using feed = new BuiltFeed(STATE);
  const whole = (await feed.text(90)).split("\n");
  for (const days of [1, 30, 89]) {
    const slice = (await feed.text(days)).split("\n");
    expect(slice[1]).toBe(`<!-- innkeep seq=${feed.manifest.seq} at=2026-09-01T12:00:00Z -->`);
    expect(slice[2]).toBe(
      `<Transaction timestamp="2026-09-01T12:00:00Z" id="ari-00000000-20260901T120000Z-d${days}">`,
    );
    expect(slice.slice(3, -2)).toEqual(whole.slice(3, 3 + slice.length - 5));
    expect(slice.slice(-2)).toEqual(["</Transaction>", ""]);
    const { results } = feed.manifest.ari.sets[0]!;
    const count = results.slice(0, days).reduce((sum, each) => sum + each, 0);
    expect(slice.filter((line) => line.startsWith("<Result>")).length).toBe(count);
  }
});

test("every slice and encoding has its own tag, which no other run has", () => {
  using feed = new BuiltFeed(STATE);
  const tags = (["list", 1, 30] as const).flatMap((name) => [
    feed.stored(name).etag,
    feed.stored(name, "gzip").etag,
  ]);
  expect(new Set(tags).size).toBe(tags.length);
  for (const tag of tags) expect(tag).toMatch(/^"run_1-[a-z0-9-]+"$/);
});

test("a closed season is written as unavailable, day by day", async () => {
  using feed = new BuiltFeed(liveState(oddHotels().slice(3)));
  const ari = await feed.text(90);
  const night = (inDays: number) =>
    ari
      .split("\n")
      .find((l) => l.includes(`<Checkin>${dateOf(dayIn(inDays))}</Checkin><Nights>1<`));
  expect(night(19)).toContain("<RoomBundle>");
  for (const inDays of [20, 30, 40]) {
    expect(night(inDays)).toEndWith(
      '<Nights>1</Nights><Unavailable><NoVacancy/></Unavailable><Tax currency="EUR">0</Tax>' +
        '<OtherFees currency="EUR">0</OtherFees></Result>',
    );
  }
  expect(night(41)).toContain("<RoomBundle>");
});

test("Microsoft gets amounts of minus one, in the currency's decimals, where nothing is left", async () => {
  const closed = oddHotels()
    .slice(0, 3)
    .map((each) => ({
      ...each,
      ari: {
        inventory: each.property.room_types.map(({ id }) => ({
          ...{ room_type_id: id, capacity: 0, from: dateOf(dayIn(0)), to: dateOf(dayIn(99)) },
        })),
      },
    }));
  using feed = new BuiltFeed(liveState(closed), { profile: profileOf("bing")! });
  const ari = await feed.text(1);
  expect([...new Set(all(ari, "Baserate"))]).toEqual(["-1", "-1.000", "-1.00"]);
  expect(ari).not.toContain("Unavailable");
  validate("transaction", ari);
});

test("amounts have the decimals of their currency", async () => {
  using feed = new BuiltFeed(liveState(oddHotels()));
  const ari = await feed.text(1);
  const yen = [...ari.matchAll(/currency="JPY">([^<]*)</g)].map((match) => match[1]!);
  expect(yen.length).toBeGreaterThan(50);
  for (const amount of yen) expect(amount).toMatch(/^\d+$/);
  for (const [, amount] of ari.matchAll(/currency="KWD">([^<]*)</g)) {
    expect(amount).toMatch(/^\d+\.\d{3}$/);
  }
});

test("a tenant without a listed property and an unknown tenant have empty root elements", async () => {
  using feed = new BuiltFeed(new State({ tracksExpiry: false }));
  expect(feed.manifest.list).toMatchObject({ listings: 0, skipped: { count: 0 } });
  expect(feed.manifest.seq).toBe(0);
  expect(all(await feed.text("list"), "listing")).toEqual([]);
  expect(feed.verified()).toBeNull();
  expect(emptyList(profileOf("google")!)).toMatch(/^<\?xml .*\n<listings [^>]*>\n<\/listings>\n$/);
  expect(emptyAri()).toEndWith("<Transaction>\n</Transaction>\n");
});

test("the position is the tenant's own number and an instant at or after the journal's", async () => {
  const state = liveState(demoHotels(1));
  state.stamp = NOON + 5_000;
  using feed = new BuiltFeed(state);
  const { seq } = state.tenants.get(TENANT)!;
  expect(feed.manifest).toMatchObject({
    seq: seq.live,
    row: state.row,
    at: "2026-09-01T12:00:05Z",
  });
  expect(seq.live).toBeGreaterThan(2);
});
