/**
 * Goal: the past is as it was. Method: a replica follows random histories row by row; the state
 * folded to each row anew must be equal, bit for bit, with snapshots and without.
 */
import { expect, test } from "bun:test";
import { lived } from "../../test/power/history.ts";
import { Scratch } from "../../test/power/world.ts";
import { pastState } from "./past-state.ts";
import { Replica } from "./replica.ts";
import { stateHash, writeSnapshot } from "./snapshot.ts";

const ROWS = 150;
const SEED = Number(process.env.PAST_SEED ?? Math.floor(Math.random() * 1_000_000));
const SNAPSHOT_ROW = 90;

test(`the state of every row is folded again, PAST_SEED=${SEED}`, () => {
  using scratch = new Scratch();
  const { world, history } = lived(scratch.path, 0, SEED);
  using _world = world;
  const replica = new Replica(scratch.path);
  const first = replica.head.row;
  history.reach(ROWS);
  const hashes = new Map([[first, stateHash(replica.state)]]);
  while (!replica.catchUp(-1)) hashes.set(replica.head.row, stateHash(replica.state));
  hashes.set(replica.head.row, stateHash(replica.state));
  const expectPast = () => {
    for (const [row, hash] of hashes) {
      const { db } = world.journal;
      expect({ row, hash: stateHash(pastState(db, scratch.path, row)) }).toEqual({ row, hash });
    }
  };
  expectPast();
  const past = pastState(world.journal.db, scratch.path, SNAPSHOT_ROW);
  const head = { row: SNAPSHOT_ROW, chain: replica.chainAt(SNAPSHOT_ROW)! };
  writeSnapshot(scratch.path, replica.journalId, head, past);
  expectPast();
  expect(() => pastState(world.journal.db, scratch.path, replica.head.row + 1)).toThrow(
    "the journal ends before row",
  );
  replica.close();
}, 60_000);

test("before the first row nothing is there", () => {
  using scratch = new Scratch();
  const { world } = lived(scratch.path, 20, 1);
  using _world = world;
  expect(pastState(world.journal.db, scratch.path, 0).tenants.size).toBe(0);
});
