/**
 * Goal: snapshots are written when due, equal the engine's state, and leave no useless files.
 * Method: a real engine on a real journal; the test moves the snapshotter's clock and starts runs.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import {
  createProperty,
  extendHold,
  freshHex,
  frozenQuote,
  placeHold,
  promoteProperty,
  propertyTree,
  roomType,
} from "../../test/support/builders.ts";
import { LoneEngine } from "../../test/support/lone-engine.ts";
import { KeyRun, runFiles } from "./keys/key-run.ts";
import { Keys } from "./keys/keys.ts";
import { Replica } from "./replica.ts";
import { loadSnapshot, snapshotFiles, stateHash } from "./snapshot.ts";
import { Snapshotter } from "./snapshotter.ts";

const TEN_MINUTES_MS = 600_000;
const ROWS_MAX = 2_000;
const tree = propertyTree({ room_types: [roomType({ default_inventory: 50_000 })] });

let lone: LoneEngine;
let replica: Replica;
let snapshotter: Snapshotter;
let nowMs: number;

function startSnapshotter(): void {
  const { journalPath, log } = lone;
  nowMs = 0;
  const options = { rowsMax: ROWS_MAX, monotonicMs: () => nowMs, keptDays: 7, now: lone.now };
  snapshotter = new Snapshotter({ replica, journalPath, log, ...options });
  snapshotter.start();
}

beforeEach(() => {
  lone = new LoneEngine();
  lone.decide([createProperty(tree), promoteProperty(tree)]);
  replica = new Replica(lone.journalPath);
  startSnapshotter();
});

afterEach(() => {
  snapshotter.stop();
  replica.close();
  lone.close();
});

function hold(count: number): void {
  const created_at = lone.now();
  const date = (inDays: number) =>
    new Date(created_at + inDays * 86_400_000).toISOString().slice(0, 10);
  const quote = frozenQuote(tree, {
    created_at,
    stay: { check_in: date(30), check_out: date(31) },
  });
  const random = (i: number) => freshHex().slice(24).padStart(8, "0") + i.toString(16).padStart(24);
  const commands = Array.from({ length: count }, (_, i) => {
    return placeHold(quote, { random: random(i).replaceAll(" ", "0") });
  });
  expect(lone.decide(commands).filter((outcome) => outcome.ok)).toHaveLength(count);
}

const rows = () => snapshotFiles(lone.journalPath).map((file) => file.row);

test("ten minutes after the last snapshot one new row triggers the next, and none does not", async () => {
  await snapshotter.run();
  expect(rows()).toEqual([]);
  nowMs += TEN_MINUTES_MS;
  await snapshotter.run();
  expect(rows()).toEqual([lone.journal.head.row]);
  nowMs += TEN_MINUTES_MS;
  await snapshotter.run();
  expect(rows()).toHaveLength(1);
});

test("a snapshot holds the engine's state, bit for bit, at the journal's head", async () => {
  hold(300);
  nowMs += TEN_MINUTES_MS;
  await snapshotter.run();
  const [file] = snapshotFiles(lone.journalPath);
  const options = { journalId: lone.journal.id, tracksExpiry: false };
  const loaded = loadSnapshot(file!.path, options);
  expect(loaded?.head).toEqual(lone.journal.head);
  expect(stateHash(loaded!.state)).toBe(stateHash(lone.engine.state));
});

test("many new rows trigger a snapshot after a minute, and not sooner", async () => {
  hold(ROWS_MAX);
  await snapshotter.run();
  expect(rows()).toEqual([]);
  nowMs += 60_000;
  await snapshotter.run();
  expect(rows()).toEqual([lone.journal.head.row]);
  hold(ROWS_MAX - 100);
  nowMs += 60_000;
  await snapshotter.run();
  expect(rows()).toHaveLength(1);
});

test("only a clean stop with enough time and many new rows writes a snapshot", () => {
  hold(4_000);
  snapshotter.drain(performance.now() + 600_000);
  expect(rows()).toEqual([]);
  startSnapshotter();
  hold(1_000);
  snapshotter.stop();
  expect(rows()).toEqual([]);
  startSnapshotter();
  snapshotter.drain(performance.now() + 1_000);
  expect(rows()).toEqual([]);
  startSnapshotter();
  snapshotter.drain(performance.now() + 600_000);
  expect(rows()).toEqual([lone.journal.head.row]);
});

/** A busy machine may need more time for new rows than a stop has. */
function followed(): void {
  while (!replica.catchUp(100));
}

test("the start after a snapshot counts rows from it, and removes unfinished files", () => {
  hold(5_000);
  followed();
  snapshotter.drain(performance.now() + 600_000);
  const half = `${snapshotFiles(lone.journalPath)[0]!.path}.tmp`;
  writeFileSync(half, "half");
  startSnapshotter();
  hold(4_999);
  followed();
  snapshotter.drain(performance.now() + 600_000);
  expect(rows()).toHaveLength(1);
  expect(existsSync(half)).toBe(false);
});

test("a failed write of a snapshot is logged and does not end the process", async () => {
  hold(5);
  nowMs += TEN_MINUTES_MS;
  const original = replica.journalId;
  Object.defineProperty(replica, "journalId", { value: "no/such/folder" });
  await snapshotter.run();
  expect(lone.logged.join()).toContain("no snapshot was written");
  Object.defineProperty(replica, "journalId", { value: original });
  await snapshotter.run();
  expect(rows()).toHaveLength(1);
});

test("a snapshot of many rows puts their keys into a run, refusals apart from effects", async () => {
  const refused = extendHold("hold-of-nobody");
  expect(lone.decide([refused])[0]).toMatchObject({ ok: false });
  hold(10_000);
  nowMs += TEN_MINUTES_MS;
  await snapshotter.run();
  const { row } = lone.journal.head;
  expect(rows()).toEqual([row]);
  const [file] = runFiles(lone.journalPath);
  expect(file).toMatchObject({ firstRow: 1, lastRow: row });
  expect(new KeyRun(file!).header.refused).toBe(1);
  const keys = new Keys(lone.journalPath, lone.journal.id);
  keys.openRuns(replica.journal, (message) => expect(message).toBe(""));
  expect(keys.coveredRow).toBe(row);
  for (const at of [4, 10, 5_000, 10_000]) {
    expect(keys.find(Buffer.from(replica.row(at)!.key!.key, "hex"))).toBe(at);
  }
});
