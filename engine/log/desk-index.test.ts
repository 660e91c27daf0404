/**
 * Goal: a desk query by index finds what a scan of all bookings finds.
 * Method: a varied history; each query is compared with a filter over the records.
 */
import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { PROPERTY_ID, TENANT_ID } from "../../test/power/commands.ts";
import { lived } from "../../test/power/history.ts";
import { Scratch } from "../../test/power/world.ts";
import { cpuMsOf } from "../../test/support/cpu.ts";
import { STAY_NIGHTS_MAX } from "../core/price/quote.ts";
import type { Booking } from "../core/records.ts";
import { checkProjections } from "./care/record-check.ts";
import { type DeskQuery, findBookings, findStays, listBookings } from "./desk-index.ts";
import { openForWriting } from "./schema.ts";

const REALM = { tenant_id: TENANT_ID, mode: "live", property_ids: null } as const;

function bookingsIn(db: Database): Booking[] {
  const docs = db.query<{ doc: string }, []>("SELECT doc FROM bookings ORDER BY id DESC").all();
  return docs.map(({ doc }) => JSON.parse(doc) as Booking);
}

/** Search terms that find a booking in the middle of the history. */
function questionsAbout(booking: Booking, db: Database): readonly DeskQuery[] {
  const { booking_id, confirmation_code, agent_id, quote, created_at } = booking;
  const { check_in, check_out } = quote.stay;
  const sql =
    "SELECT email_hash AS email, name_hash AS name FROM subject_keys WHERE booking_id = ?";
  const { email, name } = db.query<{ email: string; name: string }, [string]>(sql).get(booking_id)!;
  const arrivals = { ...REALM, check_in: [check_in, check_in] } as const;
  return [
    arrivals,
    { ...REALM, check_out: [check_out, check_out] },
    { ...REALM, in_house: check_in },
    { ...REALM, check_in: [check_in, check_out] },
    { ...arrivals, check_out: [check_out, "9999-12-31"], property_ids: [PROPERTY_ID] },
    { ...REALM, check_in: ["2000-01-01", "9999-12-31"], check_out: [check_out, check_out] },
    {
      ...REALM,
      state: "confirmed",
      check_in: ["2000-01-01", check_in],
      check_out: [check_out, "9"],
    },
    { ...REALM, state: booking.state },
    { ...REALM, state: booking.state, property_ids: [PROPERTY_ID] },
    { ...REALM, created_at: [created_at - 60_000, created_at] },
    { ...REALM, confirmation_code },
    { ...REALM, booking_id },
    { ...REALM, guest: { kind: "email", hash: email } },
    { ...REALM, guest: { kind: "name", hash: name } },
    { ...arrivals, guest: { kind: "email", hash: email } },
    { ...arrivals, agent_id, state: "cancelled" },
    { ...arrivals, property_ids: [PROPERTY_ID, "another"] },
    { ...arrivals, property_ids: [] },
    { ...REALM, in_house: check_in, property_ids: [PROPERTY_ID] },
    { ...REALM, check_out: [check_out, check_out], property_ids: [PROPERTY_ID] },
    { ...arrivals, mode: "test" },
    { ...arrivals, tenant_id: "another" },
  ];
}

function isAnswer(query: DeskQuery, booking: Booking, guestOf: (id: string) => object): boolean {
  const { check_in, check_out } = booking.quote.stay;
  const isWithin = <T>(value: T, range: readonly [T, T] | undefined) =>
    !range || (value >= range[0] && value <= range[1]);
  const { in_house, guest, property_ids } = query;
  return (
    booking.tenant_id === query.tenant_id &&
    booking.mode === query.mode &&
    (property_ids === null || property_ids.includes(booking.property_id)) &&
    (query.state ?? booking.state) === booking.state &&
    (query.agent_id ?? booking.agent_id) === booking.agent_id &&
    (query.booking_id ?? booking.booking_id) === booking.booking_id &&
    (query.confirmation_code ?? booking.confirmation_code) === booking.confirmation_code &&
    isWithin(check_in, query.check_in) &&
    isWithin(check_out, query.check_out) &&
    isWithin(booking.created_at, query.created_at) &&
    (in_house === undefined || (check_in <= in_house && check_out > in_house)) &&
    (!guest || Reflect.get(guestOf(booking.booking_id), `${guest.kind}_hash`) === guest.hash)
  );
}

test("every query finds what a scan of all bookings finds, newest first", () => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 1_500).world;
  const { db } = world.journal;
  const bookings = bookingsIn(db);
  expect(bookings.length).toBeGreaterThan(50);
  const sql = "SELECT email_hash, name_hash FROM subject_keys WHERE booking_id = ?";
  const guestOf = (id: string) => db.query<object, [string]>(sql).get(id)!;
  for (const at of [3, Math.floor(bookings.length / 2), bookings.length - 3]) {
    for (const query of questionsAbout(bookings[at]!, db)) {
      const ids = bookings
        .filter((each) => isAnswer(query, each, guestOf))
        .map((b) => b.booking_id);
      expect({ query, ids: findBookings(db, query, 1_000) }).toEqual({ query, ids });
      const few = findBookings(db, query, 2);
      expect(few).toHaveLength(Math.min(2, ids.length));
      expect(ids).toEqual(expect.arrayContaining(few));
      const stays = findStays(db, query).sort((a, b) => (a.booking_id > b.booking_id ? -1 : 1));
      expect({ query, stays }).toEqual({ query, stays: staysIn(bookings, ids) });
    }
  }
});

test("a list is in the order of creation, and goes on after any of its bookings", () => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 600).world;
  const { db } = world.journal;
  const all = bookingsIn(db).sort(
    (a, b) => b.created_at - a.created_at || (a.booking_id > b.booking_id ? -1 : 1),
  );
  const { check_in } = all[0]!.quote.stay;
  const queries = [
    REALM,
    { ...REALM, property_ids: [PROPERTY_ID] },
    { ...REALM, state: "confirmed" },
    { ...REALM, check_in: [check_in, check_in] },
    { ...REALM, check_in: ["2000-01-01", "9999-12-31"], property_ids: [PROPERTY_ID] },
    { ...REALM, property_ids: [] },
  ] as const;
  for (const query of queries) {
    const ids = all.filter((each) => isAnswer(query, each, () => ({}))).map((b) => b.booking_id);
    const listed: string[] = [];
    for (;;) {
      const last = all.find(({ booking_id }) => booking_id === listed.at(-1)) ?? null;
      const part = listBookings(db, query, last, 7);
      listed.push(...part);
      if (part.length < 7) break;
    }
    expect({ query, listed }).toEqual({ query, listed: ids });
  }
});

function staysIn(bookings: readonly Booking[], ids: readonly string[]) {
  return bookings
    .filter(({ booking_id }) => ids.includes(booking_id))
    .map(({ booking_id, property_id, quote }) => ({ booking_id, property_id, ...quote.stay }));
}

test("no query reads all bookings", () => {
  using scratch = new Scratch();
  using world = lived(scratch.path, 200).world;
  const { db } = world.journal;
  const asked: string[] = [];
  const looking = new Proxy(db, {
    get: (of, name) =>
      name === "query"
        ? (sql: string) => {
            asked.push(sql);
            return { all: () => [] };
          }
        : Reflect.get(of, name),
  });
  for (const query of questionsAbout(bookingsIn(db)[0]!, db)) {
    findBookings(looking, query, 10);
    findStays(looking, query);
    listBookings(looking, query, { booking_id: "bkg_x", created_at: 1 }, 10);
  }
  expect(asked.length).toBeGreaterThan(10);
  for (const sql of asked) {
    const plan = db.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
    const scans = plan.filter(({ detail }) => /^SCAN (?!json_each)/.test(detail));
    expect({ sql, scans }).toEqual({ sql, scans: [] });
  }
});

test("a stay of maximum length is found by its last night and by its departure day", () => {
  using db = openForWriting(":memory:");
  const day = (n: number) => new Date(Date.UTC(2027, 0, 1 + n)).toISOString().slice(0, 10);
  const insert = db.query("INSERT INTO desk VALUES (?, ?, 'live', 'h', 'a', 'confirmed', ?, ?, 0)");
  insert.run("bkg_1", TENANT_ID, day(0), day(STAY_NIGHTS_MAX));
  const end = day(STAY_NIGHTS_MAX);
  for (const property_ids of [null, ["h"]]) {
    const found = (query: object) => findBookings(db, { ...REALM, property_ids, ...query }, 9);
    expect(found({ check_out: [end, end] })).toEqual(["bkg_1"]);
    expect(found({ in_house: day(STAY_NIGHTS_MAX - 1) })).toEqual(["bkg_1"]);
    expect(found({ in_house: end })).toEqual([]);
  }
});

test("a query for one property reads no guests of others", () => {
  using db = openForWriting(":memory:");
  const DAYS = 90;
  const day = (n: number) => new Date(Date.UTC(2027, 0, 1 + n)).toISOString().slice(0, 10);
  const insert = db.query("INSERT INTO desk VALUES (?, ?, 'live', ?, 'a', 'confirmed', ?, ?, 0)");
  db.transaction(() => {
    for (let nth = 0; nth < 60_000; nth += 1) {
      const begin = nth % DAYS;
      const id = `bkg_${String(nth * 7_919).padStart(30, "0")}`;
      insert.run(id, TENANT_ID, `house-${nth % 2_000}`, day(begin), day(begin + 2));
    }
  })();
  const msOf = (query: object) => cpuMsOf(() => findBookings(db, { ...REALM, ...query }, 10_001));
  const [house, all] = [["house-7"], null].map((property_ids) => {
    const query = { in_house: day(60), property_ids };
    return Math.min(...[1, 2, 3].map(() => msOf(query)));
  });
  expect(house!).toBeLessThan(all! / 4);
});

test("a query for one arrival day and later departures reads the guests of that day", () => {
  using db = openForWriting(":memory:");
  const DAYS = 90;
  const day = (n: number) => new Date(Date.UTC(2027, 0, 1 + n)).toISOString().slice(0, 10);
  const insert = db.query("INSERT INTO desk VALUES (?, ?, 'live', 'h', 'a', 'confirmed', ?, ?, 0)");
  db.transaction(() => {
    for (let nth = 0; nth < 30_000; nth += 1) {
      insert.run(`bkg_${nth}`, TENANT_ID, day(nth % DAYS), day((nth % DAYS) + 2));
    }
  })();
  const arrivals = { ...REALM, property_ids: ["h"], check_in: [day(60), day(60)] } as const;
  const leaving = { ...arrivals, check_out: [day(61), "9999-12-31"] } as const;
  const msOf = (query: DeskQuery) => {
    return Math.min(...[1, 2, 3, 4].map(() => cpuMsOf(() => findBookings(db, query, 1_000))));
  };
  expect(findBookings(db, leaving, 1_000)).toHaveLength(Math.floor(30_000 / DAYS));
  expect(msOf(leaving)).toBeLessThan(4 * msOf(arrivals));
});

test("a desk row that differs from its booking is named", () => {
  using scratch = new Scratch();
  lived(scratch.path, 200).world[Symbol.dispose]();
  using db = openForWriting(scratch.path);
  checkProjections(db);
  const columns = db.query<{ name: string }, []>("SELECT name FROM pragma_table_info('desk')");
  for (const { name } of columns.all()) {
    db.run("BEGIN");
    const other = name === "created_at" ? "created_at + 1" : `${name} || 'x'`;
    db.run(`UPDATE desk SET ${name} = ${other} WHERE booking_id = (SELECT min(id) FROM bookings)`);
    expect(() => checkProjections(db)).toThrow("has no row in the desk index");
    db.run("ROLLBACK");
  }
});
