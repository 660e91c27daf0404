/**
 * Goal: each booking of the journal is mailed once, from the row at which the file began. Method: a
 * replica on the journal of an engine with a random history.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { Replica } from "../../engine/log/replica.ts";
import { lived } from "../../test/power/history.ts";
import { Scratch } from "../../test/power/world.ts";
import { JournalFollower } from "./follower.ts";
import { MailStore } from "./mail-store.ts";

const SEED = 7;
const messageIdOf = ({ booking_id }: { booking_id: string }, kind: string) =>
  `${kind}.${booking_id}@inn.example`;

/** The Message-IDs of all that is due, oldest first. */
function dueIn(store: MailStore): string[] {
  const due = (["live", "test"] as const).flatMap((mode) => store.due(mode, 9e15, 10_000));
  return due.map(({ message_id }) => message_id).toSorted();
}

/** What the journal says, read without a follower; without cancellations, which wait. */
function saidIn(replica: Replica, after: number): string[] {
  const rows = replica.rowsFrom(after + 1, 100_000);
  const events = rows.flatMap(({ row }) => row.events);
  return events
    .filter(({ type }) => type === "booking.confirmed")
    .map(({ data }) => messageIdOf(data as { booking_id: string }, "confirmation"))
    .toSorted();
}

function readAll(follower: JournalFollower): void {
  while (follower.readSlice());
}

test(`each confirmed booking is due once across restarts and re-reads (seed ${SEED})`, () => {
  using scratch = new Scratch();
  const { world, history } = lived(scratch.path, 0, SEED);
  using _world = world;
  const replica = new Replica(scratch.path);
  const path = join(scratch.folder, "mail.db");
  const store = new MailStore(path);
  const begun = world.journal.head;
  store.begin(begun);
  const first = new JournalFollower({ store, journal: replica, messageIdOf });
  history.reach(400);
  readAll(first);
  const early = dueIn(store);
  expect(early).not.toBeEmpty();
  expect(early).toEqual(saidIn(replica, begun.row));
  history.reach(900);
  // One that starts anew goes on where the file stands.
  readAll(new JournalFollower({ store, journal: replica, messageIdOf }));
  readAll(first);
  expect(dueIn(store)).toEqual(saidIn(replica, begun.row));
  expect(dueIn(store).length).toBeGreaterThan(early.length);
  store.begin({ row: 0, chain: "" });
  expect(store.position()!.first_row).toBe(begun.row);
  store.close();
  replica.close();
});

test(`another journal is read from the beginning (seed ${SEED})`, () => {
  using scratch = new Scratch();
  const { world, history } = lived(scratch.path, 0, SEED);
  using _world = world;
  history.reach(400);
  const replica = new Replica(scratch.path);
  const store = new MailStore(join(scratch.folder, "mail.db"));
  store.begin({ row: 0, chain: "" });
  // What a restored journal looks like: another row stands there, or none yet.
  for (const row of [world.journal.head.row, world.journal.head.row + 1_000]) {
    store.add([], { row, chain: "0".repeat(64) });
    readAll(new JournalFollower({ store, journal: replica, messageIdOf }));
    expect(dueIn(store)).toEqual(saidIn(replica, 0));
  }
  store.close();
  replica.close();
});

test(`rows seen during the fold are not read again, nor lost on a full disk (seed ${SEED})`, () => {
  using scratch = new Scratch();
  const { world, history } = lived(scratch.path, 0, SEED);
  using _world = world;
  const replica = new Replica(scratch.path);
  const store = new MailStore(join(scratch.folder, "mail.db"));
  const begun = world.journal.head;
  store.begin(begun);
  let read = 0;
  let isFull = false;
  const journal = {
    chainAt: (row: number) => replica.chainAt(row),
    watchRows: (listener: Parameters<Replica["watchRows"]>[0]) => replica.watchRows(listener),
    rowsNaming(...asked: Parameters<Replica["rowsNaming"]>) {
      const found = replica.rowsNaming(...asked);
      read += found.through - asked[1];
      return found;
    },
  };
  const kept = {
    position: () => store.position(),
    add(...given: Parameters<MailStore["add"]>) {
      if (isFull) throw new Error("disk full");
      store.add(...given);
    },
  };
  const follower = new JournalFollower({ store: kept, journal, messageIdOf });
  history.reach(300);
  while (!replica.catchUp(50));
  isFull = true;
  expect(() => follower.readSlice()).toThrow("disk full");
  history.reach(600);
  while (!replica.catchUp(50));
  isFull = false;
  readAll(follower);
  expect(dueIn(store)).toEqual(saidIn(replica, begun.row));
  expect([read, store.position()!.row]).toEqual([0, replica.head.row]);
  // What is read before it is folded is due once all the same.
  history.reach(700);
  readAll(follower);
  expect(read).toBe(world.journal.head.row - replica.head.row);
  while (!replica.catchUp(50));
  history.reach(800);
  while (!replica.catchUp(50));
  readAll(follower);
  expect(read).toBeLessThan(200);
  expect(dueIn(store)).toEqual(saidIn(replica, begun.row));
  store.close();
  replica.close();
});
