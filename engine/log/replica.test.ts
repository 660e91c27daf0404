/** Goal: a replica has the acknowledged state of the engine, and never writes to its file. */

import { expect, test } from "bun:test";
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { lived } from "../../test/power/history.ts";
import { Scratch, World } from "../../test/power/world.ts";
import { blockWith } from "../../test/support/stored-blocks.ts";
import { headPath } from "./journal.ts";
import { Replica } from "./replica.ts";
import { stateHash } from "./snapshot.ts";

test("after every group a replica that catches up equals the engine", () => {
  using scratch = new Scratch();
  const { world, history } = lived(scratch.path, 0, 5);
  using _world = world;
  const replica = new Replica(scratch.path);
  for (let i = 0; i < 40; i += 1) {
    history.step();
    expect(replica.catchUp(1_000)).toBe(true);
    expect(replica.head).toEqual(world.journal.head);
    expect(stateHash(replica.state)).toBe(stateHash(world.engine.state));
  }
  replica.close();
});

test("a committed but unwitnessed row is visible as soon as the next engine answers", () => {
  using scratch = new Scratch();
  const { world, history } = lived(scratch.path, 0, 5);
  const witness = readFileSync(headPath(scratch.path));
  const replica = new Replica(scratch.path);
  const { row } = replica.head;
  replica.catchUp(1_000);
  history.step();
  const { head } = world.journal;
  world[Symbol.dispose]();
  overwrite(headPath(scratch.path), witness);
  // For now it relies on the witness, which shows no new rows.
  replica.catchUp(1_000);
  expect(head.row).toBeGreaterThan(row);
  using _next = new World(scratch.path, world.time);
  replica.catchUp(1_000);
  expect(replica.head).toEqual(head);
  replica.close();
});

/** In place, like the writer. */
function overwrite(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, "r+");
  writeSync(fd, bytes, 0);
  closeSync(fd);
}

test("without time a replica applies one row, and reports whether more is left", () => {
  using scratch = new Scratch();
  const { world, history } = lived(scratch.path, 0, 5);
  using _world = world;
  const replica = new Replica(scratch.path);
  const opened = replica.head.row;
  history.reach(600);
  const rows = world.journal.head.row - opened;
  for (let applied = 1; applied < rows; applied += 1) {
    expect(replica.catchUp(-1)).toBe(false);
    expect(replica.head.row).toBe(opened + applied);
  }
  expect(replica.catchUp(-1)).toBe(true);
  expect(replica.head).toEqual(world.journal.head);
  expect(stateHash(replica.state)).toBe(stateHash(world.engine.state));
  replica.close();
});

test("rows are found by number, recent rows also by key, keys by their last row", () => {
  using scratch = new Scratch();
  const { world, history } = lived(scratch.path, 0, 5);
  using _world = world;
  const replica = new Replica(scratch.path);
  const opened = replica.head.row;
  history.reach(120);
  replica.catchUp(1_000);
  for (let row = 1; row <= world.journal.head.row; row += 1) {
    const found = replica.row(row)!;
    expect(found.row).toBe(row);
    if (found.key && row > opened) {
      expect(replica.recentByKey(found.key.key)).toEqual(world.journal.byKey(found.key.key));
    }
  }
  expect(replica.row(world.journal.head.row + 1)).toBeNull();
  expect(replica.recentByKey("00".repeat(16))).toBeNull();
  replica.close();
});

test("a changed row stops a replica with its name", () => {
  using scratch = new Scratch();
  const { world, history } = lived(scratch.path, 0, 5);
  using _world = world;
  const replica = new Replica(scratch.path);
  const { row } = world.journal.head;
  while (world.journal.head.row === row) history.step();
  world.journal.db.run(`UPDATE journal SET chain = 'x' WHERE ${blockWith(row + 1)}`);
  expect(() => replica.catchUp(1_000)).toThrow("journal_chain_broken");
  replica.close();
});

test("without a journal no replica starts and no file is created", () => {
  using scratch = new Scratch();
  expect(() => new Replica(scratch.path)).toThrow();
  expect(readdirSync(scratch.folder)).toEqual([]);
});
