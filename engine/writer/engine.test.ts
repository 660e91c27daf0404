/** Goal: no answer precedes the commit, and a failed group leaves no trace. */

import { afterEach, expect, spyOn, test } from "bun:test";
import { metaOf, OPERATOR, openHotel, placeHold } from "../../test/power/commands.ts";
import { History, lived } from "../../test/power/history.ts";
import { Random } from "../../test/power/random.ts";
import { recordsHash } from "../../test/power/recording.ts";
import { outcomeOf, Scratch, World } from "../../test/power/world.ts";
import { dayOf } from "../core/calendar.ts";
import type { BeginBooking, CancelBooking, Command } from "../core/commands.ts";
import type { Booking, Hold } from "../core/records.ts";
import { Fenced } from "../log/care/damage.ts";
import { SqliteJournalReader } from "../log/journal-reader.ts";
import { Replica } from "../log/replica.ts";
import { stateHash } from "../log/snapshot.ts";
import type { Reply } from "./group.ts";

afterEach(() => {
  spyOn(performance, "now").mockRestore();
});

function open(world: World, random: Random, units: number): void {
  world.tick();
  world.ask(...openHotel(random, units));
}

/** A hold that was placed for an agent, as the engine has it. */
function held(world: World, random: Random): Hold {
  world.ask(placeHold(random, world.time.wallMs()));
  return [...world.engine.state.holds.values()].at(-1)!;
}

const UNBOUND = { claims: {} };
const TRAVELER = { hash: "a".repeat(64), iss: "https://id.example" };

/** What books a hold. */
function bookingOf(hold: Hold, random: Random): BeginBooking {
  return {
    ...metaOf(random, { kind: "agent", id: hold.agent_id }),
    type: "BeginBooking",
    hold_id: hold.hold_id,
    quote_id: hold.quote.quote_id,
    limits: { max_open_holds: null, max_booking_amount: null },
    consent: UNBOUND,
    traveler: TRAVELER,
    method: "card",
    encrypted: { name: "sealed" },
    wrapped_key: "wrapped",
    guest: { email: "e".repeat(32), name: "f".repeat(32) },
  };
}

/** Where a hold is counted, and its first night. */
function cellOf({ engine }: World, { quote }: Hold) {
  const room = engine.state.property(quote, quote.property_id)!.rooms.get(quote.room_type_id)!;
  return { cell: room.held, day: dayOf(quote.stay.check_in) };
}

/** A command that no property can be in the way of. */
function setFx(random: Random): Command {
  return { ...metaOf(random, OPERATOR), type: "SetFxRates", base: "EUR", rates: { USD: "1.1" } };
}

/** The id of a booking of a fresh hold, its payment captured when anything is due. */
function booked(world: World, random: Random): { booking_id: string; agent_id: string } {
  const hold = held(world, random);
  world.ask(bookingOf(hold, random));
  const { payment_id } = hold;
  if (hold.state === "confirming" && payment_id) world.ask(captureOf(payment_id, random));
  return { booking_id: hold.booking_id!, agent_id: hold.agent_id };
}

function captureOf(payment_id: string, random: Random): Command {
  const { key: _key, body_hash: _hash, ...meta } = metaOf(random, OPERATOR);
  return { ...meta, type: "RecordPaymentResult", payment_id, result: "captured" };
}

/** The state that a start now would come to, from the journal alone. */
function replayedHash(world: World): string {
  const replica = new Replica(world.path);
  const hash = stateHash(replica.state);
  replica.close();
  return hash;
}

/** A reply as its receiver gets it. */
function shown({ rendered, ...reply }: Reply) {
  return { ...reply, outcome: rendered?.json };
}

test("all waiting commands are one group, in order, and every answer comes after the commit", () => {
  using scratch = new Scratch();
  using world = new World(scratch.path);
  const random = new Random(1);
  open(world, random, 60);
  const replica = new Replica(scratch.path);
  const groups = world.journal.groups;
  const keys: string[] = [];
  // The time limit of a group stands still: a busy machine would split it.
  spyOn(performance, "now").mockReturnValue(performance.now());
  for (let i = 0; i < 50; i += 1) {
    const command = { ...placeHold(random, world.time.wallMs()) };
    const send = (reply: Reply) => {
      // Another connection sees only what is committed.
      replica.catchUp(1_000);
      expect(replica.recentByKey(reply.key!)?.outcome).toEqual(outcomeOf(reply));
      keys.push(reply.key!);
    };
    world.engine.submit({ command, isLapsed: false, send });
    expect(keys).toEqual([]);
  }
  world.engine.runGroup();
  replica.catchUp(1_000);
  expect(world.journal.groups).toBe(groups + 1);
  const rows = keys.map((key) => replica.recentByKey(key)!.row);
  expect(rows).toEqual(Array.from({ length: 50 }, (_, i) => replica.head.row - 49 + i));
  replica.close();
});

test("commands beyond a group's size are answered in the next groups, in order", () => {
  using scratch = new Scratch();
  using world = new World(scratch.path);
  const random = new Random(2);
  open(world, random, 9_000);
  const stamps: number[] = [];
  for (let i = 0; i < 1_500; i += 1) {
    const command = placeHold(random, world.time.wallMs());
    world.engine.submit({ command, isLapsed: false, send: () => stamps.push(i) });
  }
  while (world.engine.queued > 0) world.engine.runGroup();
  expect(stamps).toEqual(Array.from({ length: 1_500 }, (_, i) => i));
  expect(world.engine.stats.largestGroup).toBeLessThanOrEqual(1_024);
  expect(world.engine.state.holds.size).toBe(1_500);
});

test("duplicates in one group and across groups get one effect and the same bytes", () => {
  using scratch = new Scratch();
  const { world, random } = lived(scratch.path, 40);
  using _world = world;
  const command = placeHold(random, world.time.wallMs());
  const before = world.journal.head.row;
  const replies = [...world.ask(command, command, command), ...world.ask(command)];
  expect(world.journal.head.row).toBe(before + 1);
  expect(new Set(replies.map((reply) => reply.rendered?.json)).size).toBe(1);
  expect(replies.map((reply) => reply.replayed)).toEqual([false, true, true, true]);
  const [other] = world.ask({ ...command, body_hash: "0".repeat(32) });
  expect(outcomeOf(other)).toMatchObject({ ok: false, code: "idempotency_conflict" });
});

test("a key with an unsealed refusal is free for a permitted command", () => {
  using scratch = new Scratch();
  using world = new World(scratch.path);
  const random = new Random(4);
  open(world, random, 9);
  const { booking_id, agent_id } = booked(world, random);
  const meta = metaOf(random, { kind: "agent", id: agent_id });
  const of = { booking_id, consent: UNBOUND, traveler: TRAVELER };
  const command: CancelBooking = { ...meta, type: "CancelBooking", ...of };
  const other = { ...command, traveler: { ...TRAVELER, hash: "b".repeat(64) } };
  const { row } = world.journal.head;
  const [denied] = world.ask(other);
  expect(outcomeOf(denied)).toMatchObject({ ok: false, code: "resource_access_denied" });
  expect(world.journal.head.row).toBe(row);
  const [cancelled] = world.ask(command);
  expect(cancelled).toMatchObject({ replayed: false });
  expect(world.journal.head.row).toBe(row + 1);
  const stored = world.journal.outcomeOf(command.key!);
  expect(stored).toMatchObject({ ok: true, kind: "cancellation" });
});

test("every reply names the row of its answer, and 0 without a row", () => {
  using scratch = new Scratch();
  using world = new World(scratch.path);
  const random = new Random(5);
  open(world, random, 9);
  const command = placeHold(random, world.time.wallMs());
  const row = world.journal.head.row + 1;
  const conflict = { ...command, body_hash: "0".repeat(32) };
  const twins = world.ask(command, command, conflict);
  expect(twins.map((reply) => reply.row)).toEqual([row, row, 0]);
  expect(world.ask(command)).toMatchObject([{ replayed: true, row }]);
  using newer = new World(scratch.path, world.time);
  expect(newer.ask(command)).toMatchObject([{ replayed: true, row }]);
});

test("a command without a change has a row only for a key that a client sent", () => {
  using scratch = new Scratch();
  using world = new World(scratch.path);
  const random = new Random(7);
  open(world, random, 9);
  const [tree] = [...world.engine.state.allProperties()].map((property) => property.tree);
  const promotion = () => ({
    ...{ ...metaOf(random, OPERATOR), type: "PromoteProperty" as const },
    ...{ property_id: tree!.id, dry_run: false, payments_configured: true },
  });
  const { row } = world.journal.head;
  const [unkeyed] = world.ask({ ...promotion(), is_anonymous: true });
  expect(outcomeOf(unkeyed)).toMatchObject({ ok: true, data: { seq: null } });
  expect([unkeyed!.row, world.journal.head.row]).toEqual([0, row]);
  const keyed = promotion();
  const replies = [...world.ask(keyed), ...world.ask(keyed)];
  expect(replies).toMatchObject([{ row: row + 1 }, { row: row + 1, replayed: true }]);
});

test("a key answered by another command's row gets that row", () => {
  using scratch = new Scratch();
  using world = new World(scratch.path);
  const random = new Random(6);
  open(world, random, 9);
  let hold = held(world, random);
  while (hold.quote.due_now === 0) hold = held(world, random);
  const booking = bookingOf(hold, random);
  const begun = world.journal.head.row + 1;
  const running = { phase: "running", row: begun, rendered: null };
  expect(world.ask(booking, booking)).toMatchObject([running, { ...running, replayed: true }]);
  const [noted] = world.ask(captureOf(hold.payment_id!, random));
  const { row } = world.journal.head;
  expect(noted).toMatchObject({ key: null, row });
  expect(world.groups.at(-1)?.answered).toMatchObject([
    { key: booking.key!, phase: "sealed", row },
  ]);
  expect(world.ask(booking)).toMatchObject([{ replayed: true, phase: "sealed", row }]);
});

test("a command past its deadline is refused without a row, unless its key has an answer", () => {
  using scratch = new Scratch();
  const { world, random } = lived(scratch.path, 40);
  using _world = world;
  const late = (command: Command): Reply => {
    let reply: Reply | undefined;
    world.engine.submit({ command, isLapsed: true, send: (sent) => (reply = sent) });
    world.engine.runGroup();
    return reply!;
  };
  const command = placeHold(random, world.time.wallMs());
  const before = world.journal.head.row;
  expect(outcomeOf(late(command))).toMatchObject({ ok: false, code: "upstream_unavailable" });
  expect(late(command).row).toBe(0);
  expect(world.journal.head.row).toBe(before);
  const [first] = world.ask(command);
  expect(shown(late(command))).toEqual({ ...shown(first!), replayed: true });
});

test("a group whose projections fail gives no answer, leaves nothing and ends the engine", () => {
  using scratch = new Scratch();
  const { world, random } = lived(scratch.path, 40);
  using _world = world;
  const before = { head: world.journal.head, records: recordsHash(world.journal.db, true) };
  const hash = replayedHash(world);
  world.journal.db.run(`CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.holds
    BEGIN SELECT RAISE(ABORT, 'no'); END`);
  world.time.pass(3_600_000);
  world.engine.tick();
  expect(world.ask(placeHold(random, world.time.wallMs()))).toEqual([]);
  expect(world.fatals).toHaveLength(1);
  expect(String(world.fatals[0])).toContain("no");
  expect(world.journal.head).toEqual(before.head);
  expect(recordsHash(world.journal.db, true)).toBe(before.records);
  expect(replayedHash(world)).toBe(hash);
  world.journal.db.run("DROP TRIGGER refuse");
  expect(world.ask(placeHold(random, world.time.wallMs()))).toEqual([]);
  expect(world.journal.head).toEqual(before.head);
});

test("a failed assertion fails its command, never the group", () => {
  using scratch = new Scratch();
  using world = new World(scratch.path);
  const random = new Random(7);
  open(world, random, 9);
  const hold = held(world, random);
  const { hold_id, agent_id } = hold;
  const { cell, day } = cellOf(world, hold);
  const units = cell.get(day);
  const meta = () => metaOf(random, { kind: "agent", id: agent_id });
  const release = (): Command => ({ ...meta(), type: "ReleaseHold", hold_id });
  const { row } = world.journal.head;
  // Nobody counts the hold any more: giving its units back would leave less than nothing.
  cell.set(day, 0);
  const others = [setFx(random), setFx(random)] as const;
  const [first, failed, last] = world.ask(others[0], release(), others[1]);
  expect(outcomeOf(failed)).toMatchObject({ ok: false, code: "internal_error" });
  expect(failed).toMatchObject({ phase: "transient", row: 0 });
  expect([first, last].map((reply) => outcomeOf(reply)?.ok)).toEqual([true, true]);
  expect(world.fatals).toEqual([]);
  expect(world.journal.head.row).toBe(row + 2);
  cell.set(day, units);
  expect(outcomeOf(world.ask(release())[0])).toMatchObject({ kind: "hold_released" });
  expect(stateHash(world.engine.state)).toBe(replayedHash(world));
});

test("a failed assertion in due work ends the tick, never the group", () => {
  using scratch = new Scratch();
  using world = new World(scratch.path);
  const random = new Random(8);
  open(world, random, 9);
  let hold = held(world, random);
  while (hold.quote.due_now === 0) hold = held(world, random);
  world.ask(bookingOf(hold, random));
  const { cell, day } = cellOf(world, hold);
  const units = cell.get(day);
  cell.set(day, 0);
  world.time.pass(25 * 3_600_000);
  world.engine.tick();
  expect(outcomeOf(world.ask(setFx(random))[0])).toMatchObject({ kind: "fx" });
  expect(world.engine.state.holds.get(hold.hold_id)).toMatchObject({ state: "confirming" });
  expect(world.fatals).toEqual([]);
  cell.set(day, units);
  world.tick();
  expect(world.engine.state.holds.has(hold.hold_id)).toBeFalse();
});

test("on a full disk commands are refused without outcome, nothing is lost, and service resumes", () => {
  using scratch = new Scratch();
  const { world, random } = lived(scratch.path, 40);
  using _world = world;
  const { db } = world.journal;
  const pages = () => db.query<{ page_count: number }, []>("PRAGMA page_count").get()!.page_count;
  db.run(`PRAGMA max_page_count = ${pages() + 8}`);
  const acknowledged: Reply[] = [];
  let refused: Reply[] = [];
  while (refused.length === 0) {
    const burst = Array.from({ length: 5 }, () => placeHold(random, world.time.wallMs()));
    const replies = world.ask(...burst);
    refused = replies.filter((reply) => reply.rendered === null);
    if (refused.length === 0) acknowledged.push(...replies);
    else expect(refused).toHaveLength(5);
  }
  expect(world.fatals).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(stateHash(world.engine.state)).toBe(replayedHash(world));
  const { head } = world.journal;

  // Until the next probe nothing is even tried.
  db.run(`PRAGMA max_page_count = ${pages() + 10_000}`);
  const command = placeHold(random, world.time.wallMs());
  expect(world.ask(command)).toMatchObject([{ phase: "transient", rendered: null }]);
  expect(world.journal.head).toEqual(head);
  const laterMs = performance.now() + 1_001;
  spyOn(performance, "now").mockReturnValue(laterMs);
  const [taken] = world.ask(command);
  expect(taken).toMatchObject({ replayed: false, phase: "sealed" });
  expect(world.journal.head.row).toBe(head.row + 1);
  for (const reply of acknowledged) {
    expect(world.journal.outcomeOf(reply.key!)).toEqual(outcomeOf(reply));
  }
  expect(stateHash(world.engine.state)).toBe(replayedHash(world));
});

test("while the disk is full, every probe detects it and every command is still answered", () => {
  using scratch = new Scratch();
  const { world, random } = lived(scratch.path, 40);
  using _world = world;
  const { db } = world.journal;
  const { page_count } = db.query<{ page_count: number }, []>("PRAGMA page_count").get()!;
  db.run(`PRAGMA max_page_count = ${page_count}`);
  const many = () => Array.from({ length: 40 }, () => placeHold(random, world.time.wallMs()));
  const { head } = world.journal;
  const startMs = performance.now();
  for (let second = 1; second <= 3; second += 1) {
    spyOn(performance, "now").mockReturnValue(startMs + second * 1_001);
    const replies = world.ask(...many());
    expect(replies).toHaveLength(40);
    expect(replies.every((reply) => reply.rendered === null)).toBe(true);
  }
  expect(world.journal.head).toEqual(head);
  expect(world.fatals).toEqual([]);
});

test("a full disk that is met between groups takes no answer back", () => {
  using scratch = new Scratch();
  const { world, random } = lived(scratch.path, 40);
  using _world = world;
  const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  spyOn(world.journal, "maybeCheckpoint").mockImplementation(() => {
    throw full;
  });
  const replies = world.ask(placeHold(random, world.time.wallMs()));
  expect(replies).toMatchObject([{ phase: "sealed" }]);
  expect(world.fatals).toEqual([]);
  expect(world.engine.isWritable).toBeTrue();
});

test("an engine that is fenced while its disk is full ends at its next probe", () => {
  using scratch = new Scratch();
  const { world: older, random } = lived(scratch.path, 40);
  using _older = older;
  const { db } = older.journal;
  const { page_count } = db.query<{ page_count: number }, []>("PRAGMA page_count").get()!;
  db.run(`PRAGMA max_page_count = ${page_count}`);
  const many = Array.from({ length: 40 }, () => placeHold(random, older.time.wallMs()));
  expect(older.ask(...many).every((reply) => reply.rendered === null)).toBe(true);
  using _newer = new World(scratch.path, older.time);
  const laterMs = performance.now() + 1_001;
  spyOn(performance, "now").mockReturnValue(laterMs);
  expect(older.ask(many[0]!)).toEqual([]);
  expect(older.fatals[0]).toBeInstanceOf(Fenced);
});

test("a fenced engine gives no answer, not even one that needs no row", () => {
  using scratch = new Scratch();
  const { world: older, random } = lived(scratch.path, 40);
  using _older = older;
  const command = placeHold(random, older.time.wallMs());
  older.ask(command);
  using newer = new World(scratch.path, older.time);
  expect(older.ask(command)).toEqual([]);
  expect(older.fatals).toHaveLength(1);
  expect(older.fatals[0]).toBeInstanceOf(Fenced);
  expect(newer.ask(command)).toMatchObject([{ replayed: true }]);
});

test("decisions of a fenced engine leave no trace, and its successor continues", () => {
  using scratch = new Scratch();
  const { world: older, random } = lived(scratch.path, 40);
  using _older = older;
  using newer = new World(scratch.path, older.time);
  const { head } = newer.journal;
  const records = recordsHash(newer.journal.db, true);
  older.time.pass(3_600_000);
  older.engine.tick();
  expect(older.ask(placeHold(random, older.time.wallMs()))).toEqual([]);
  expect(older.fatals[0]).toBeInstanceOf(Fenced);
  expect(older.groups.at(-1)?.rows.length).not.toBe(0);
  expect(recordsHash(newer.journal.db, true)).toBe(records);
  expect(newer.ask(placeHold(random, newer.time.wallMs()))).toHaveLength(1);
  expect(newer.journal.head.row).toBeGreaterThan(head.row);
  expect(stateHash(newer.engine.state)).toBe(replayedHash(newer));
});

test("an error in a fenced engine is the fence: its memory lacks its successor's records", () => {
  using scratch = new Scratch();
  const { world: older, random } = lived(scratch.path, 5);
  using _older = older;
  using newer = new World(scratch.path, older.time);
  new History(newer, random).reach(600);
  const bookings = newer.journal.db
    .query<{ doc: string }, []>("SELECT doc FROM bookings WHERE state = 'confirmed'")
    .all()
    .map(({ doc }) => JSON.parse(doc) as Booking);
  expect(bookings.length).toBeGreaterThan(2);
  const cancels = bookings.map(({ booking_id, traveler, agent_id }): CancelBooking => {
    const meta = metaOf(random, { kind: "agent", id: agent_id });
    return { ...meta, type: "CancelBooking", booking_id, consent: UNBOUND, traveler };
  });
  expect(older.ask(...cancels)).toEqual([]);
  expect(older.fatals.map(String)).toEqual([expect.stringMatching(/^Fenced: epoch/)]);
  expect(older.fatals[0]).toBeInstanceOf(Fenced);
});

test("a hold expires by the clock in a row of its own, and its units are free at once", () => {
  using scratch = new Scratch();
  using world = new World(scratch.path);
  const random = new Random(3);
  open(world, random, 1);
  const first = placeHold(random, world.time.wallMs());
  world.ask(first);
  const second = { ...first, ...metaOf(random, first.actor) };
  expect(outcomeOf(world.ask(second)[0])).toMatchObject({ ok: false, code: "allocation_failed" });
  world.time.pass(first.ttl_ms);
  const third = { ...first, ...metaOf(random, first.actor) };
  expect(outcomeOf(world.ask(third)[0])).toMatchObject({ ok: true, kind: "hold" });
  expect([...world.engine.state.holds.values()]).toMatchObject([{ state: "held" }]);
  const reader = new SqliteJournalReader(world.journal.db);
  expect(reader.row(world.journal.head.row - 1)).toMatchObject({
    actor: { kind: "system" },
    key: null,
    events: [{ type: "hold.expired" }],
  });
});
