/**
 * Goal: runs and memory together give the last row of every key, as a Map would, after any writes,
 * merges, restarts, kills and damage; only a refusal's key may be dropped, and only after its time.
 */
import type { Database } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Random } from "../../../test/power/random.ts";
import { Scratch } from "../../../test/power/world.ts";
import { Damage } from "../../core/damage.ts";
import { blocksOf } from "../block.ts";
import { SqliteJournalReader } from "../journal-reader.ts";
import { openForWriting } from "../schema.ts";
import { GENESIS_CHAIN } from "../stored-row.ts";
import { runFiles } from "./key-run.ts";
import { KeyRunKeeper, type KeyRunKeeperOptions } from "./key-run-keeper.ts";
import { Keys } from "./keys.ts";

const SEED = Number(process.env.KEYS_SEED ?? Date.now() % 1_000_000);
const ID = "a".repeat(32);
const DAY_MS = 86_400_000;

const keyOf = (n: number) => createHash("md5").update(String(n)).digest();

interface ExpectedEntry {
  readonly row: number;
  /** Time of its last refusal if it has only refusals; null with an effect. */
  readonly refusedAtMs: number | null;
}

/** A journal of rows with keys and no content, and a Map of the expected results. */
class History implements Disposable {
  readonly scratch = new Scratch();
  readonly path = this.scratch.path;
  readonly db: Database = openForWriting(this.path);
  readonly journal = new SqliteJournalReader(this.db);
  readonly expected = new Map<number, ExpectedEntry>();
  readonly logged: string[] = [];
  nowMs = 1_000 * DAY_MS;
  head = 0;
  #chain = GENESIS_CHAIN;
  keys = this.start();

  /** As an engine starts. */
  start(): Keys {
    this.keys = new Keys(this.path, ID);
    this.keys.openRuns(this.journal, (message) => this.logged.push(message));
    this.keys.read(this.journal, this.head);
    this.keys.isComplete = true;
    return this.keys;
  }

  /** A group; each of `rows` is a key, negative for a refusal, or null. */
  commit(rows: readonly (number | null)[]): void {
    const encoded = rows.map((n, i) => {
      const row = this.head + i + 1;
      const key = n === null ? null : keyOf(Math.abs(n)).toString("hex");
      const isRefused = n !== null && n < 0;
      if (n !== null) {
        const before = this.expected.get(Math.abs(n));
        const isOnly = isRefused && (!before || before.refusedAtMs !== null);
        this.expected.set(Math.abs(n), { row, refusedAtMs: isOnly ? this.nowMs : null });
      }
      const events = isRefused ? [] : [{ type: "test.done" }];
      const about = { row, stamp: this.nowMs, key: key && { key }, phase: key && "sealed", events };
      const payload = JSON.stringify({ ...about, outcome: { ok: !isRefused } });
      return { row, key, payload };
    });
    for (const { row, keys, payload, crc, chain } of blocksOf(encoded, this.#chain)) {
      this.db
        .query("INSERT INTO journal(row, key, payload, crc, chain) VALUES (?, ?, ?, ?, ?)")
        .run(row, keys, payload, crc, chain);
      if (keys) this.keys.setBlock(keys, row);
      this.#chain = chain;
    }
    this.head += rows.length;
  }

  keeper(more: Partial<KeyRunKeeperOptions> = {}): KeyRunKeeper {
    return new KeyRunKeeper({
      ...{ journalPath: this.path, journalId: ID, journal: this.journal, keptDays: 7 },
      ...{ nowMs: () => this.nowMs, rowsLeast: 1, ...more },
      log: (_level, message) => this.logged.push(message),
    });
  }

  /** Checks all keys: each is found at its row; expired refusals may be missing. */
  check(mayBeGone: (entry: ExpectedEntry) => boolean = () => false): void {
    for (const [n, entry] of this.expected) {
      const found = this.keys.find(keyOf(n));
      if (found === 0 && mayBeGone(entry)) continue;
      if (found !== entry.row) throw new Error(`key ${n} at row ${found}, not ${entry.row}`);
    }
    for (let n = 1; n < 50; n += 1) expect(this.keys.find(keyOf(1e9 + n))).toBe(0);
  }

  runNames(): string[] {
    return readdirSync(this.scratch.folder).filter((name) => name.includes(".keys-"));
  }

  [Symbol.dispose](): void {
    this.db.close();
    this.scratch[Symbol.dispose]();
  }
}

/** New keys, and some repeated ones. */
function someRows(random: Random, history: History, count: number): (number | null)[] {
  return Array.from({ length: count }, () => {
    if (random.chance(0.05)) return null;
    const isKnown = random.chance(0.1) && history.expected.size > 0;
    const n = isKnown ? 1 + random.below(history.expected.size) : 1 + random.below(1_000_000);
    return random.chance(0.3) ? -n : n;
  });
}

test("random histories with runs, merges and restarts give the same results as a Map", async () => {
  for (let round = 0; round < 3; round += 1) {
    const random = new Random(SEED + round);
    using history = new History();
    const isGone = ({ refusedAtMs }: ExpectedEntry) =>
      refusedAtMs !== null && history.nowMs - refusedAtMs > 7 * DAY_MS;
    try {
      for (let step = 0; step < 30; step += 1) {
        history.commit(someRows(random, history, 1 + random.below(300)));
        if (random.chance(0.4)) await history.keeper().cover(random.below(history.head) + 1);
        if (random.chance(0.3)) history.start();
        if (random.chance(0.5)) history.keys.maybeRefresh(history.journal, step * 10_000);
        if (random.chance(0.1)) history.nowMs += 3 * DAY_MS;
        history.check(isGone);
      }
    } catch (error) {
      throw new Error(`KEYS_SEED=${SEED + round}`, { cause: error });
    }
  }
});

test("memory drops the keys of rows that runs covered two runs ago, and few runs remain", async () => {
  using history = new History();
  for (let step = 0, n = 1; step < 64; step += 1) {
    history.commit(Array.from({ length: 200 }, () => n++));
    await history.keeper().cover(history.head);
    history.keys.maybeRefresh(history.journal, step * 10_000);
    expect(history.keys.coveredRow).toBe(history.head);
    expect(history.keys.inMemory).toBeLessThanOrEqual(400);
    expect(history.runNames().length).toBeLessThanOrEqual(5);
  }
  history.check();
  history.start();
  expect(history.keys.inMemory).toBe(0);
  history.check();
});

test("a merge drops expired refusals, never effects and young refusals", async () => {
  using history = new History();
  const refused = Array.from({ length: 100 }, (_, i) => -(i + 1));
  const done = Array.from({ length: 100 }, (_, i) => i + 101);
  history.commit([...refused, ...done, -150]);
  // Two keys that are refused only after an effect, in the same run and in a later one.
  await history.keeper().cover(history.head);
  history.commit([-151, 999, -1]);
  await history.keeper().cover(history.head);
  history.start();
  history.check();

  history.nowMs += 7 * DAY_MS;
  await history.keeper().cover(history.head);
  history.start();
  history.check();

  history.nowMs += 1;
  await history.keeper().cover(history.head);
  history.start();
  for (let n = 1; n <= 100; n += 1) expect(history.keys.find(keyOf(n))).toBe(0);
  history.check(({ refusedAtMs }) => refusedAtMs !== null);
  expect(history.keys.find(keyOf(151))).toBe(history.expected.get(151)!.row);
  // A key that is used again is an ordinary key.
  history.commit([5]);
  await history.keeper().cover(history.head);
  history.start();
  expect(history.keys.find(keyOf(5))).toBe(history.head);
});

test("a dropped refusal never uncovers an older row of its key", async () => {
  using history = new History();
  history.commit(Array.from({ length: 2_000 }, (_, i) => i + 1));
  await history.keeper().cover(history.head);
  history.commit([-7, -3_000, -3_001, -3_002]);
  await history.keeper().cover(history.head);
  history.nowMs += 30 * DAY_MS;
  await history.keeper().cover(history.head);
  history.start();
  expect(history.keys.find(keyOf(3_001))).toBe(0);
  expect(history.keys.find(keyOf(7))).toBe(2_001);
});

/** Ends like a killed process at the operation with this number. */
class Killed extends Error {}

function diskThatEnds(at: number): NonNullable<KeyRunKeeperOptions["disk"]> {
  let operations = 0;
  const next = <T>(operation: () => Promise<T>): Promise<T> => {
    operations += 1;
    if (operations > at) throw new Killed();
    return operation();
  };
  return {
    open: async (path) => {
      const file = await next(() => open(path, "w"));
      const wrapped = {
        write: (...args: Parameters<typeof file.write>) => next(() => file.write(...args)),
        sync: () => next(() => file.sync()),
        close: () => file.close(),
      };
      return wrapped as unknown as typeof file;
    },
    rename: async (from, to) => next(() => rename(from, to)),
    remove: async (path) => next(() => rm(path, { force: true })),
    syncFolder: async () => next(async () => {}),
  };
}

test("a keeper killed between any two operations loses no key", async () => {
  const random = new Random(SEED);
  let at = 0;
  for (let isDone = false; !isDone; at += 1) {
    using history = new History();
    for (let run = 0; run < 2; run += 1) {
      history.commit(someRows(random, history, 150));
      await history.keeper().cover(history.head);
    }
    history.commit(someRows(random, history, 150));
    const dying = history.keeper({ disk: diskThatEnds(at) });
    isDone = await dying.cover(history.head).then(
      () => true,
      (error) => {
        if (!(error instanceof Killed)) throw error;
        return false;
      },
    );
    history.check();
    history.start();
    history.check();
    await history.keeper().cover(history.head);
    history.keys.maybeRefresh(history.journal, 1);
    expect(history.keys.coveredRow).toBe(history.head);
    expect(history.runNames()).toHaveLength(1);
    history.check();
  }
  // A new run and a merge that removes each merged run.
  expect(at).toBeGreaterThan(14);
});

test("a new run whose last row is damaged is not used, and every key is found as before", async () => {
  using history = new History();
  history.commit(someRows(new Random(SEED), history, 300));
  await history.keeper().cover(history.head);
  history.db.run("UPDATE journal SET crc = crc + 1");
  history.keys.maybeRefresh(history.journal, 10_000);
  expect(history.keys.coveredRow).toBe(0);
  history.check();
});

test("a keeper on a full disk leaves nothing half written", async () => {
  using history = new History();
  history.commit(someRows(new Random(SEED), history, 2_000));
  const full = { ...diskThatEnds(1), remove: (path: string) => rm(path, { force: true }) };
  await expect(history.keeper({ disk: full }).cover(history.head)).rejects.toBeInstanceOf(Killed);
  expect(history.runNames()).toEqual([]);
});

test("any flipped bit of a run is detected by name or harmless, and its keys are read again", async () => {
  const random = new Random(SEED);
  using history = new History();
  history.commit(someRows(random, history, 2_000));
  await history.keeper().cover(history.head);
  const { path } = runFiles(history.path)[0]!;
  const whole = readFileSync(path);
  let met = 0;
  for (let flip = 0; flip < 60; flip += 1) {
    const bytes = Buffer.from(whole);
    // Every third byte in the header, whose padding is ignored.
    const at = flip % 3 === 0 ? random.below(300) : random.below(bytes.length);
    bytes[at]! ^= 1 << random.below(8);
    rmSync(path, { force: true });
    writeFileSync(path, bytes);
    history.logged.length = 0;
    history.start();
    try {
      history.check();
    } catch (error) {
      expect(String(error)).toMatch(/^RunDamaged: 0\.keys-.* page \d+ is not what was written$/);
      expect(history.runNames().some((name) => name.endsWith(".damaged"))).toBeTrue();
      history.start();
      history.check();
      met += 1;
    }
    met += history.logged.length;
    for (const name of history.runNames()) rmSync(join(history.scratch.folder, name));
  }
  expect(met).toBeGreaterThan(40);
});

test("a page changed after its check is detected by name, and no key is taken as new", async () => {
  using history = new History();
  history.commit(someRows(new Random(SEED), history, 2_000));
  await history.keeper().cover(history.head);
  history.start();
  history.check();
  const { path } = runFiles(history.path)[0]!;
  writeFileSync(path, Buffer.alloc(readFileSync(path).length, 0x11));
  expect(() => history.check()).toThrow(/^0\.keys-.* page \d+ is not what was written$/);
});

test("runs of another journal, of another past, after a gap or cut short are ignored", async () => {
  using history = new History();
  for (let n = 0; n < 3; n += 1) {
    history.commit(Array.from({ length: 5_000 / 10 ** n }, (_, i) => n * 10_000 + i + 1));
    await history.keeper().cover(history.head);
  }
  const { folder } = history.scratch;
  const [first, second, third] = runFiles(history.path).sort((a, b) => a.firstRow - b.firstRow);
  expect([first, second, third].every((file) => file !== undefined)).toBeTrue();

  // Another history: the rows of this run are not those of the journal.
  using other = new History();
  other.commit(Array.from({ length: 6_000 }, (_, i) => 500_000 + i));
  copyFileSync(first!.path, join(other.scratch.folder, first!.path.split("/").at(-1)!));
  copyFileSync(
    first!.path,
    join(
      other.scratch.folder,
      first!.path.split("/").at(-1)!.replaceAll("a".repeat(32), "b".repeat(32)),
    ),
  );
  other.start();
  expect(other.keys.coveredRow).toBe(0);
  expect(other.logged).toEqual([expect.stringContaining("another past")]);
  other.check();
  await other.keeper().cover(other.head);
  expect(runFiles(other.path).map(({ journalId, lastRow }) => [journalId, lastRow])).toEqual([
    [ID, 6_000],
  ]);

  // A gap: runs behind it are used again once it is filled.
  mkdirSync(join(folder, "aside"));
  rmSync(second!.path);
  history.start();
  expect(history.keys.coveredRow).toBe(first!.lastRow);
  history.check();
  await history.keeper({ rowsLeast: 1e9 }).cover(history.head);
  history.start();
  expect(history.keys.coveredRow).toBe(history.head);
  history.check();

  const left = runFiles(history.path).sort((a, b) => b.lastRow - a.lastRow)[0]!;
  writeFileSync(left.path, readFileSync(left.path).subarray(0, 9_000));
  history.logged.length = 0;
  history.start();
  expect(history.logged).toEqual([expect.stringContaining("it is not whole")]);
  history.check();
});

test("a run whose last row is unreadable is verified by its successor, or not at all", async () => {
  const twoRuns = async (history: History, firstKey: number) => {
    for (const count of [5_000, 500]) {
      const n = firstKey + history.head;
      history.commit(Array.from({ length: count }, (_, i) => n + i));
      await history.keeper().cover(history.head);
    }
    return runFiles(history.path).sort((a, b) => a.firstRow - b.firstRow);
  };
  using history = new History();
  using other = new History();
  const [first, second] = await twoRuns(history, 1);
  const [others] = await twoRuns(other, 100_000);
  const { chainAt } = history.journal;
  spyOn(history.journal, "chainAt").mockImplementation((row) => {
    if (row === first!.lastRow) throw new Damage("segment_missing", `row ${row} is gone`);
    return chainAt.call(history.journal, row);
  });
  history.start();
  expect(history.keys.coveredRow).toBe(second!.lastRow);
  history.check();
  // A run of another history, or without a next run, proves nothing.
  const whole = readFileSync(first!.path);
  copyFileSync(others!.path, first!.path);
  expect(() => history.start()).toThrow("segment_missing");
  writeFileSync(first!.path, whole);
  const behind = readFileSync(second!.path);
  rmSync(second!.path);
  expect(() => history.start()).toThrow("segment_missing");
  writeFileSync(second!.path, behind);
  // After a merge the proof comes from the run, not from the removed row.
  history.start();
  history.commit(Array.from({ length: 2_000 }, (_, i) => 50_000 + i));
  await history.keeper().cover(history.head);
  expect(history.runNames()).toHaveLength(1);
  history.start();
  history.check();
});
