/** Goal: a snapshot is the state bit for bit, or is skipped. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { lived } from "../../test/power/history.ts";
import { Scratch, World } from "../../test/power/world.ts";
import { loadSnapshot, snapshotFiles, stateHash, writeSnapshot } from "./snapshot.ts";

function snap(world: World): string {
  return writeSnapshot(world.path, world.journal.id, world.journal.head, world.engine.state);
}

test("a snapshot reads back as the same state, and folds on in the same way", () => {
  using scratch = new Scratch();
  const { world, history } = lived(scratch.path, 80);
  using _world = world;
  const path = snap(world);
  const loaded = loadSnapshot(path, { journalId: world.journal.id, tracksExpiry: true })!;
  expect(loaded.head).toEqual(world.journal.head);
  expect(stateHash(loaded.state)).toBe(stateHash(world.engine.state));
  history.reach(160);
  using restarted = new World(scratch.path, world.time);
  expect(restarted.recovered.snapshotRow).toBe(loaded.head.row);
  expect(stateHash(restarted.engine.state)).toBe(stateHash(world.engine.state));
});

test("another journal's snapshot is not loaded", () => {
  using scratch = new Scratch();
  const { world } = lived(scratch.path, 10);
  using _world = world;
  const path = snap(world);
  expect(loadSnapshot(path, { journalId: "0".repeat(32), tracksExpiry: true })).toBeNull();
});

test("a damaged snapshot is skipped with a warning, for an older one or the journal", () => {
  using scratch = new Scratch();
  const { world, history } = lived(scratch.path, 80);
  const older = snap(world);
  history.reach(120);
  const newer = snap(world);
  const { time } = world;
  const hash = stateHash(world.engine.state);
  const row = world.journal.head.row;
  world[Symbol.dispose]();
  const damage = (path: string) => {
    const db = new Database(path, { strict: true });
    // Still valid SQLite, valid JSON and the same state: only the hash differs.
    db.run("UPDATE chunks SET text = text || ' ' WHERE at = 0");
    db.close();
  };
  const restart = () => {
    using restarted = new World(scratch.path, time);
    expect(stateHash(restarted.engine.state)).toBe(hash);
    return { from: restarted.recovered.snapshotRow, warnings: restarted.warnings.length };
  };
  expect(restart()).toEqual({ from: row, warnings: 0 });
  damage(newer);
  expect(restart()).toEqual({ from: expect.any(Number), warnings: 1 });
  expect(restart().from).toBeLessThan(row);
  damage(older);
  expect(restart()).toEqual({ from: 0, warnings: 2 });
});

test("a snapshot under another row's name is skipped", () => {
  using scratch = new Scratch();
  const { world } = lived(scratch.path, 40);
  const path = snap(world);
  renameSync(path, path.replace(/-\d+\.db$/, "-7.db"));
  world[Symbol.dispose]();
  using restarted = new World(scratch.path, world.time);
  expect(restarted.recovered.snapshotRow).toBe(0);
  expect(restarted.warnings).toHaveLength(1);
});

test("a crash during a write leaves a temporary file that every start ignores", () => {
  using scratch = new Scratch();
  const { world } = lived(scratch.path, 40);
  const path = snap(world);
  renameSync(path, `${path}.tmp`);
  writeFileSync(`${path}.tmp`, readFileSync(`${path}.tmp`).subarray(0, 5_000));
  world[Symbol.dispose]();
  using restarted = new World(scratch.path, world.time);
  expect(restarted.recovered.snapshotRow).toBe(0);
  expect(restarted.warnings).toEqual([]);
  expect(snap(restarted)).toBe(path);
  expect(readdirSync(scratch.folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("the last two snapshots of a journal are kept, despite files of another journal", () => {
  using scratch = new Scratch();
  const { world, history } = lived(scratch.path, 20);
  using _world = world;
  const foreign = snap(world)
    .replace(world.journal.id, "0".repeat(32))
    .replace(/-\d+\.db/, "-9999.db");
  copyFileSync(snap(world), foreign);
  const rows: number[] = [];
  for (let i = 0; i < 4; i += 1) {
    const before = world.journal.head.row;
    while (world.journal.head.row === before) history.step();
    snap(world);
    rows.unshift(world.journal.head.row);
  }
  expect(snapshotFiles(scratch.path).map((file) => file.row)).toEqual([9999, rows[0]!, rows[1]!]);
});
