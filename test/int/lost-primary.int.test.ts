/**
 * Goal: what a journal acknowledged survives the loss of its primary, and what it never
 * acknowledged is never folded, although the lost primary comes back with it. Method: a primary is
 * killed while its replication is held; each drill is repeated without its protection, and the
 * harm must then be seen.
 */
import { afterEach, beforeAll, expect, test } from "bun:test";
import type { StoredBlock } from "../../engine/log/block.ts";
import { BEGINNING } from "../../engine/log/head.ts";
import { NoPrimary, OutcomeUnknown, Session } from "../../engine/postgres/session.ts";
import { ensureTables } from "../../engine/postgres/tables.ts";
import { createProperty, propertyTree } from "../support/builders.ts";
import { LoneEngine } from "../support/lone-engine.ts";
import { POSTGRES_MISSING } from "../support/postgres.ts";
import {
  blocksIn,
  type Pair,
  sharedOn,
  startPair,
  takeNow,
  untilWaiting,
} from "../support/shared-machine.ts";

if (POSTGRES_MISSING) console.error(`skipped: the loss of a primary: ${POSTGRES_MISSING}`);
const isSkipped = POSTGRES_MISSING !== null;

const SHARD = 0;
const NO_KEYS = { subjectKeys: new Map(), erased: new Set<string>() };

/** Of a real engine. */
let blocks: readonly StoredBlock[];
const ends: (() => unknown)[] = [];

beforeAll(() => {
  const lone = new LoneEngine();
  lone.decide([createProperty(propertyTree())]);
  blocks = blocksIn(lone.journal.db);
  lone.close();
});

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function openSession(url: string): Promise<Session> {
  const session = await Session.open(url, "test");
  ends.push(() => session.close());
  return session;
}

/** A pair with a shard, and who leads it. */
async function leaderOnPair() {
  const pair = await startPair();
  ends.push(() => pair.stop());
  const session = await openSession(pair.primary.url);
  await ensureTables(session);
  const shared = await sharedOn(session, SHARD);
  const { epoch } = await takeNow(shared, "a");
  const append = () => shared.append({ epoch, head: BEGINNING }, blocks, NO_KEYS);
  return { pair, append };
}

/** `DATABASE_URL` of nodes at these ports. */
function listed(...ports: readonly number[]): string {
  return `postgres://innkeep@${ports.map((port) => `127.0.0.1:${port}`).join(",")}/innkeep`;
}

/** The blocks that are there after the standby takes over. */
async function promoted({ standby }: Pair): Promise<StoredBlock[]> {
  await standby.promote();
  const shared = await sharedOn(await openSession(standby.url), SHARD);
  return shared.blocksAfter(0);
}

test.skipIf(isSkipped)("an acknowledged row survives the loss of its primary", async () => {
  const { pair, append } = await leaderOnPair();
  pair.replication.hold();
  let isAcknowledged = false;
  const appended = append().then((is) => {
    isAcknowledged = is;
  });
  await untilWaiting(pair.primary, "SyncRep", "WITH fence");
  // A statement that waits for nobody would be answered by now.
  for (let i = 0; i < 20; i += 1) await pair.primary.query("SELECT 1");
  expect(isAcknowledged).toBe(false);
  await pair.replication.heal();
  await appended;
  expect(isAcknowledged).toBe(true);
  await pair.primary.kill();
  expect(await promoted(pair)).toEqual([...blocks]);
});

test.skipIf(isSkipped)("a row that waits for no standby is lost with its primary", async () => {
  const { pair, append } = await leaderOnPair();
  await pair.primary.setSyncStandbys("");
  pair.replication.hold();
  expect(await append()).toBe(true);
  await pair.primary.kill();
  await pair.replication.cut();
  expect(await promoted(pair)).toEqual([]);
});

test.skipIf(isSkipped)("a lost primary that returns shows rows that nobody folds", async () => {
  const { pair, append } = await leaderOnPair();
  pair.replication.hold();
  const outcome = append().catch((error: unknown) => error);
  await untilWaiting(pair.primary, "SyncRep", "WITH fence");
  await pair.primary.kill();
  expect(await outcome).toBeInstanceOf(OutcomeUnknown);
  await pair.primary.restart();
  // Who only reads is shown the row that was never acknowledged.
  const shown = await pair.primary.query("SELECT max(row) AS last FROM journal");
  expect(Number(shown[0]!.last)).toBe(blocks.at(-1)!.row);
  await expect(Session.open(pair.primary.url, "test")).rejects.toThrow("does not commit");
  await pair.primary.kill();
  await pair.replication.cut();
  expect(await promoted(pair)).toEqual([]);
});

test.skipIf(isSkipped)(
  "the node that takes writes is found wherever it is in the list",
  async () => {
    const { pair } = await leaderOnPair();
    const { primary, standby } = pair;
    const portOf = async (url: string) => {
      const session = await openSession(url);
      const [row] = await session.query<{ port: number }>("SELECT inet_server_port() AS port");
      return row?.port;
    };
    const lists = [
      listed(primary.port, standby.port),
      listed(standby.port, primary.port),
      listed(1, standby.port, primary.port),
    ];
    for (const url of lists) expect(await portOf(url)).toBe(primary.port);
    await primary.pause();
    await expect(Session.open(listed(primary.port, standby.port), "test")).rejects.toThrow(
      /:\d+: .*timeout.*; 127.0.0.1:\d+: takes no writes/,
    );
    await primary.kill();
    await pair.replication.cut();
    await standby.promote();
    // Of three nodes, one that is alone would be passed over.
    for (const url of lists.slice(0, 2)) expect(await portOf(url)).toBe(standby.port);
    await standby.kill();
    await expect(Session.open(lists[0]!, "test")).rejects.toThrow(NoPrimary);
  },
);

test.skipIf(isSkipped)("of three nodes, one that waits for no standby is passed over", async () => {
  const { pair } = await leaderOnPair();
  const { primary, standby } = pair;
  const three = listed(1, standby.port, primary.port);
  await openSession(three);
  await primary.setSyncStandbys("");
  const refused = await Session.open(three, "test").catch((error: unknown) => error);
  expect(String(refused)).toContain("waits for no standby");
  // With two, none would be left to wait for once one is lost.
  await openSession(listed(standby.port, primary.port));
});
