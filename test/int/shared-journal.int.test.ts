/**
 * Goal: of the machines on one journal only its leader writes and answers, and what it says is on a
 * standby. Method: the pieces of `engine/postgres` on a real primary whose standby can be held.
 * Each drill is repeated without its protection, and the harm that it prevents must then be seen.
 */
import { afterAll, afterEach, beforeAll, expect, spyOn, test } from "bun:test";
import { Client } from "pg";
import { NOTHING_BESIDE } from "../../engine/log/beside.ts";
import { Block, type StoredBlock } from "../../engine/log/block.ts";
import { Fenced } from "../../engine/log/care/damage.ts";
import { Candidacy } from "../../engine/postgres/candidacy.ts";
import { TAKEOVER_MS } from "../../engine/postgres/postgres-journal.ts";
import { OutcomeUnknown, Session } from "../../engine/postgres/session.ts";
import { SharedJournal, type Taken } from "../../engine/postgres/shared-journal.ts";
import { ensureTables } from "../../engine/postgres/tables.ts";
import { Watch } from "../../engine/postgres/watch.ts";
import { createProperty, promoteProperty, propertyTree } from "../support/builders.ts";
import { LoneEngine } from "../support/lone-engine.ts";
import { POSTGRES_MISSING } from "../support/postgres.ts";
import { until } from "../support/service.ts";
import {
  blocksIn,
  headBefore,
  Machine,
  mutant,
  type Pair,
  sharedOn,
  startPair,
  takeNow,
  untilWaiting,
} from "../support/shared-machine.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";

if (POSTGRES_MISSING) console.error(`skipped: the shared journal: ${POSTGRES_MISSING}`);
const isSkipped = POSTGRES_MISSING !== null;

const TREE = propertyTree();
const NO_KEYS = { subjectKeys: new Map(), erased: new Set<string>() };

let pair: Pair;
/** A few blocks of a real engine, the first one first. */
let blocks: readonly StoredBlock[];
const ends: (() => unknown)[] = [];
let shards = 0;

beforeAll(async () => {
  if (isSkipped) return;
  pair = await startPair();
  await ensureTables(await openSession());
  const lone = new LoneEngine();
  lone.decide([createProperty(TREE)]);
  lone.decide([promoteProperty(TREE)]);
  blocks = blocksIn(lone.journal.db);
  lone.close();
});

afterEach(async () => {
  await pair.replication.heal();
  for (const end of ends.splice(0).toReversed()) await end();
});

afterAll(() => pair?.stop());

function nextShard(): number {
  shards += 1;
  return shards;
}

/** A session that ends with the test. */
async function openSession(url = pair.primary.url): Promise<Session> {
  const session = await Session.open(url, "test");
  ends.push(() => session.close());
  return session;
}

/** The journal of a shard as another machine sees it. */
async function openShared(shard: number, url?: string): Promise<SharedJournal> {
  return sharedOn(await openSession(url), shard);
}

async function openMachine(shard: number): Promise<Machine> {
  const machine = await Machine.open(pair.primary.url, shard);
  ends.push(() => machine.close());
  return machine;
}

/** The primary's, by a line that can be cut. */
function urlOf({ port }: TcpProxy): string {
  return pair.primary.url.replace(/:\d+\//, `:${port}/`);
}

/** Appends one of the blocks in an epoch. */
function append(shared: SharedJournal, { epoch }: Taken, index: number, keys = NO_KEYS) {
  return shared.append({ epoch, head: headBefore(blocks, index) }, [blocks[index]!], keys);
}

/** Everything that a shard has, but for its signs of life. */
async function contentOf(shard: number) {
  const select = (columns: string, table: string) =>
    pair.primary.query(`SELECT ${columns} FROM ${table} WHERE shard = ${shard} ORDER BY 1`);
  return [
    await select("row, chain, epoch, owner", "shard"),
    await select("row, epoch, key, payload, crc, chain", "journal"),
    await select("booking_id, row, wrapped_key, email_hash, name_hash", "subject_keys"),
  ];
}

const keyOf = (booking_id: string, wrapped_key: string) => {
  const key = { booking_id, wrapped_key, guest: { email: "e", name: "n" } };
  return [booking_id, key] as const;
};

test.skipIf(isSkipped)("a leader whose epoch was taken changes nothing", async () => {
  const shard = nextShard();
  const [former, later] = [await openShared(shard), await openShared(shard)];
  const old = await takeNow(former, "a");
  const first = { subjectKeys: new Map([keyOf("bkg_1", "one")]), erased: new Set<string>() };
  expect(await append(former, old, 0, first)).toBe(true);
  await takeNow(later, "b");
  const before = await contentOf(shard);
  const changes = {
    subjectKeys: new Map([keyOf("bkg_2", "two")]),
    erased: new Set(["bkg_1"]),
  };
  expect(await append(former, old, 1, changes)).toBe(false);
  expect(await former.beat(old.epoch)).toBe(false);
  expect(await former.handOver(old.epoch)).toBe(false);
  expect(await contentOf(shard)).toEqual(before);
});

test.skipIf(isSkipped)("without the epoch in its condition a former leader writes", async () => {
  const shard = nextShard();
  const session = await openSession();
  const later = await openShared(shard);
  const old = await takeNow(later, "a");
  await takeNow(later, "b");
  const fenceless = mutant(session, "AND epoch = $2 AND row", "AND $2::bigint > 0 AND row");
  expect(await append(new SharedJournal(fenceless, shard), old, 0)).toBe(true);
  expect((await later.head()).row).toBe(blocks[0]!.row);
});

test.skipIf(isSkipped)("a leader appends only after the head of the shard", async () => {
  const shard = nextShard();
  const session = await openSession();
  const shared = await sharedOn(session, shard);
  const taken = await takeNow(shared, "a");
  expect(await append(shared, taken, 1)).toBe(false);
  expect(await contentOf(shard)).toMatchObject([[{ row: "0" }], [], []]);
  const headless = mutant(session, "AND row = $3 RETURNING", "AND $3::bigint >= 0 RETURNING");
  expect(await append(new SharedJournal(headless, shard), taken, 1)).toBe(true);
  expect((await shared.blocksAfter(0)).map(({ row }) => row)).toEqual([blocks[1]!.row]);
});

test.skipIf(isSkipped)("a fenced engine answers nothing and its copy keeps its head", async () => {
  const shard = nextShard();
  const machine = await openMachine(shard);
  const journal = await machine.lead();
  expect(await machine.decide(createProperty(TREE))).toMatchObject({ ok: true });
  await takeNow(await openShared(shard), "other");
  const { head } = journal;
  const before = blocksIn(machine.copy.journal.db);
  const row = new Block(blocks[1]!);
  const encoded = { row: row.first, key: null, payload: row.lineOf(row.first) };
  const { records } = machine.copy;
  await expect(journal.append([encoded], records.changes())).rejects.toThrow(Fenced);
  let isAnswered = false;
  void machine.decide(promoteProperty(TREE)).then(() => {
    isAnswered = true;
  });
  expect(await machine.ended).toBeInstanceOf(Fenced);
  expect(isAnswered).toBe(false);
  expect(journal.head).toEqual(head);
  expect(blocksIn(machine.copy.journal.db)).toEqual(before);
});

const CANDIDATES = 8;

/** How many get the lead of those that saw the same leadership and take it at once. */
async function takeAtOnce(shard: number, altered: (session: Session) => Session): Promise<Taken[]> {
  const sessions = await Promise.all(Array.from({ length: CANDIDATES }, () => openSession()));
  const candidates = sessions.map((session) => new SharedJournal(altered(session), shard));
  const seen = await candidates[0]!.leadership();
  const taken = await Promise.all(candidates.map((each, i) => each.take(`machine ${i}`, seen)));
  return taken.filter((each) => each !== null);
}

test.skipIf(isSkipped)("of candidates that saw the same leadership one gets it", async () => {
  const shard = nextShard();
  const leader = await openShared(shard);
  const { epoch } = await takeNow(leader, "a");
  const [taken, ...others] = await takeAtOnce(shard, (session) => session);
  expect([taken?.epoch, others]).toEqual([epoch + 1, []]);
  expect(await leader.beat(epoch)).toBe(false);
  const careless = "AND $3::bigint >= 0 AND $4::bigint >= 0";
  const all = await takeAtOnce(shard, (session) => {
    return mutant(session, "AND epoch = $3 AND beat = $4", careless);
  });
  expect(all).toHaveLength(CANDIDATES);
});

test.skipIf(isSkipped)("a leader that gives a sign of life keeps the lead", async () => {
  const shard = nextShard();
  const session = await openSession();
  const leader = await openShared(shard);
  const taken = await takeNow(leader, "a");
  const candidate = await sharedOn(session, shard);
  const deeds = [() => leader.beat(taken.epoch), () => append(leader, taken, 0)];
  for (const deed of deeds) {
    const seen = await candidate.leadership();
    expect(await deed()).toBe(true);
    expect(await candidate.take("b", seen)).toBeNull();
    expect(await candidate.leadership()).toMatchObject({ owner: "a", epoch: taken.epoch });
  }
  const seen = await candidate.leadership();
  await leader.beat(taken.epoch);
  const deaf = mutant(session, "AND beat = $4", "AND $4::bigint >= 0");
  expect(await new SharedJournal(deaf, shard).take("b", seen)).not.toBeNull();
});

test.skipIf(isSkipped)("a take waits for an append under way and then knows its row", async () => {
  const shard = nextShard();
  const line = await TcpProxy.start(pair.primary.port);
  ends.push(() => line.stop());
  const leader = await openShared(shard, urlOf(line));
  const candidate = await openShared(shard);
  const old = await takeNow(leader, "a");
  pair.replication.hold();
  const outcome = append(leader, old, 0).catch((error: unknown) => error);
  await untilWaiting(pair.primary, "SyncRep", "WITH fence");
  // The leader is gone, and its append is not.
  await line.cut();
  expect(await outcome).toBeInstanceOf(OutcomeUnknown);
  const seen = await candidate.leadership();
  const readAtOnce = await candidate.head();
  const first = candidate.take("b", seen);
  await untilWaiting(pair.primary, "Lock", "UPDATE shard");
  await pair.replication.heal();
  // The append was a sign of life.
  expect(await first).toBeNull();
  const { row, chain } = blocks[0]!;
  expect(await takeNow(candidate, "b")).toMatchObject({ head: { row, chain } });
  expect(await candidate.blocksAfter(0)).toEqual([blocks[0]!]);
  // Who only reads the head does not wait for the row, and would lead without it.
  expect(readAtOnce.row).toBe(0);
});

/** Cancels the wait of an append for its standby. */
async function cancelAppend(): Promise<void> {
  await untilWaiting(pair.primary, "SyncRep", "WITH fence");
  await pair.primary.query(
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
  );
}

test.skipIf(isSkipped)("an append whose wait is cancelled has an unknown outcome", async () => {
  const shard = nextShard();
  const shared = await openShared(shard);
  const taken = await takeNow(shared, "a");
  pair.replication.hold();
  const outcome = append(shared, taken, 0).catch((error: unknown) => error);
  await cancelAppend();
  expect(await outcome).toBeInstanceOf(OutcomeUnknown);
  expect(String(await outcome)).toContain("canceling wait for synchronous replication");
});

test.skipIf(isSkipped)(
  "a client that ignores notices takes a cancelled wait for success",
  async () => {
    const shard = nextShard();
    const taken = await takeNow(await openShared(shard), "a");
    const client = new Client(pair.primary.url);
    await client.connect();
    ends.push(() => client.end());
    const query: Session["query"] = async (text, values) => (await client.query(text, values)).rows;
    pair.replication.hold();
    const appended = append(new SharedJournal({ query } as Session, shard), taken, 0);
    await cancelAppend();
    expect(await appended).toBe(true);
    const count = `SELECT count(*)::int AS rows FROM journal WHERE shard = ${shard}`;
    expect(await pair.primary.query(count)).toEqual([{ rows: 1 }]);
    expect(await pair.standby.query(count)).toEqual([{ rows: 0 }]);
  },
);

/** Stops the steady clock of this process; returns what moves it on. */
function stoppedClock(): (ms: number) => void {
  let atMs = performance.now();
  const spy = spyOn(performance, "now").mockImplementation(() => atMs);
  ends.push(() => spy.mockRestore());
  return (ms) => {
    atMs += ms;
  };
}

test.skipIf(isSkipped)("a leader asks again when its last sign of life is old", async () => {
  const shard = nextShard();
  const journal = await (await openMachine(shard)).lead();
  const row = new Block(blocks[0]!);
  const pass = stoppedClock();
  const asks = () => journal.checkFence() !== undefined;
  await journal.checkFence();
  expect(asks()).toBe(false);
  pass(1_000);
  expect(asks()).toBe(false);
  pass(TAKEOVER_MS - 1_000);
  const asked = journal.checkFence();
  expect(asked).toBeDefined();
  // It counts from when it was sent, because the answer may come late.
  pass(TAKEOVER_MS);
  await asked;
  expect(asks()).toBe(true);
  await journal.checkFence();
  expect(asks()).toBe(false);
  pass(TAKEOVER_MS);
  const lineAt = (at: number) => [{ row: at, key: null, payload: row.lineOf(at) }];
  await journal.append(lineAt(1), NOTHING_BESIDE);
  expect(asks()).toBe(false);
  const appended = journal.append(lineAt(2), NOTHING_BESIDE);
  pass(TAKEOVER_MS);
  await appended;
  expect(asks()).toBe(true);
  await takeNow(await openShared(shard), "other");
  pass(TAKEOVER_MS);
  await expect(journal.checkFence()).rejects.toThrow(Fenced);
});

/** Starts a candidate; resolves when it follows. */
async function startCandidate(shard: number, mayTake = () => true, silentMs = TAKEOVER_MS) {
  const { shared, mirror } = await openMachine(shard);
  const won = Promise.withResolvers<Taken>();
  let isLeader = false;
  const candidacy = new Candidacy({
    ...{ id: "candidacy", lease: shared, me: "candidate", silentMs },
    ...{ follow: () => mirror.catchUp(), mayTake, onFatal: won.reject },
    onTaken: async (taken) => {
      await mirror.reach(taken.head);
      isLeader = true;
      won.resolve(taken);
    },
  });
  ends.push(() => candidacy.stop());
  await candidacy.start();
  return { won: won.promise, isLeader: () => isLeader };
}

test.skipIf(isSkipped)("a leader that is followed by another one answers nothing", async () => {
  const shard = nextShard();
  const journal = await (await openMachine(shard)).lead();
  const candidate = await startCandidate(shard);
  await journal.checkFence();
  await candidate.won;
  await expect(Promise.resolve(journal.checkFence())).rejects.toThrow(Fenced);
});

test.skipIf(isSkipped)(
  "a candidate that does not wait meets a leader that still answers",
  async () => {
    const shard = nextShard();
    const journal = await (await openMachine(shard)).lead();
    const hasty = await openShared(shard);
    await journal.checkFence();
    await takeNow(hasty, "hasty");
    expect(journal.checkFence()).toBeUndefined();
  },
);

test.skipIf(isSkipped)("a living leader keeps the lead until it hands over", async () => {
  const shard = nextShard();
  const machine = await openMachine(shard);
  const journal = await machine.lead();
  journal.start();
  let mayLead = false;
  const [barred, candidate] = [
    await startCandidate(shard, () => mayLead),
    // Only a lead that is given up is free to it.
    await startCandidate(shard, () => true, Number.POSITIVE_INFINITY),
  ];
  const { beat } = await machine.shared.leadership();
  // Of 500 ms each, so longer than a candidate waits for one.
  await until("six signs of life", async () => {
    return (await machine.shared.leadership()).beat >= beat + 6;
  });
  expect([barred.isLeader(), candidate.isLeader()]).toEqual([false, false]);
  await journal.stop();
  await candidate.won;
  expect(barred.isLeader()).toBe(false);
  mayLead = true;
  await barred.won;
});

/** Watches by a session; resolves to what it found. */
function startWatch(session: Session) {
  const silent = Promise.withResolvers<Error>();
  let isSilent = false;
  const watch = new Watch(session, (error) => {
    isSilent = true;
    silent.resolve(error);
  });
  ends.push(() => watch.stop());
  watch.start();
  return { silent: silent.promise, isSilent: () => isSilent };
}

test.skipIf(isSkipped)("an append that waits for its standby is no silence", async () => {
  const shard = nextShard();
  const session = await openSession();
  const shared = await sharedOn(session, shard);
  const taken = await takeNow(shared, "a");
  const watched = await openSession();
  pair.replication.hold();
  const appended = append(shared, taken, 0);
  await untilWaiting(pair.primary, "SyncRep", "WITH fence");
  const own = startWatch(watched);
  // A watch behind the append itself cannot tell the two apart.
  const blocked = startWatch(session);
  expect((await blocked.silent).message).toContain("did not answer");
  expect(own.isSilent()).toBe(false);
  await pair.replication.heal();
  expect(await appended).toBe(true);
});

test.skipIf(isSkipped)("a server that is silent is noticed, which no append is told", async () => {
  const shard = nextShard();
  const shared = await openShared(shard);
  const taken = await takeNow(shared, "a");
  const watch = startWatch(await openSession());
  await pair.primary.pause();
  const startedMs = performance.now();
  let isSettled = false;
  const appended = append(shared, taken, 0).finally(() => {
    isSettled = true;
  });
  try {
    expect((await watch.silent).message).toContain("did not answer for 3000 ms");
    expect(performance.now() - startedMs).toBeLessThan(30_000);
    expect(isSettled).toBe(false);
  } finally {
    pair.primary.resume();
  }
  expect(await appended).toBe(true);
});

test.skipIf(isSkipped)("a connection that breaks is noticed", async () => {
  const line = await TcpProxy.start(pair.primary.port);
  ends.push(() => line.stop());
  const watch = startWatch(await openSession(urlOf(line)));
  await line.cut();
  expect(await watch.silent).toBeInstanceOf(OutcomeUnknown);
});
