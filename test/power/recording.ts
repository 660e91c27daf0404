/**
 * A history with a copy of every file after every step, so that a loss of power can be played at
 * any of them. What a step changed was unsynced during it and is synced after it; the head file
 * never is.
 */

import type { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import {
  lastArchivable,
  nextToRemove,
  removeRows,
  writeSegment,
} from "../../engine/log/archive/archiving.ts";
import type { Journal } from "../../engine/log/journal.ts";
import { SqliteJournalReader } from "../../engine/log/journal-reader.ts";
import { stateHash, writeSnapshot } from "../../engine/log/snapshot.ts";
import { journalLines } from "../support/stored-blocks.ts";
import { History } from "./history.ts";
import { Random } from "./random.ts";
import { type ManualTime, Scratch, World } from "./world.ts";

const ROWS_SEALED = 40;

/** File name → content; equal contents of consecutive steps share their bytes. */
export type Files = ReadonlyMap<string, Buffer>;

export interface Step {
  readonly kind: "group" | "checkpoint" | "snapshot" | "seal" | "leave";
  /** The last row acknowledged before the step. */
  readonly ackedRow: number;
  readonly before: Files;
  readonly after: Files;
}

/** What a journal that ends at a row must come to. */
export interface Expected {
  readonly chain: string;
  readonly stateHash: string;
  readonly recordsHash: string;
}

export interface Recording {
  readonly steps: readonly Step[];
  /** By the last row of every group. */
  readonly expected: ReadonlyMap<number, Expected>;
  /** Payloads by row − 1. */
  readonly lines: readonly string[];
  readonly time: ManualTime;
}

/** Hash over every projected record; `withKeys` adds the wrapped data keys, which have no CRC. */
export function recordsHash(db: Database, withKeys = false): string {
  const hash = createHash("sha256");
  for (const table of ["holds", "bookings", "payments", "refunds"]) {
    const rows = db.query<{ id: string; doc: string }, []>(
      `SELECT id, doc FROM ${table} ORDER BY id`,
    );
    for (const { id, doc } of rows.all()) hash.update(`${table} ${id} ${doc}\n`);
  }
  hash.update(JSON.stringify(db.query("SELECT * FROM desk ORDER BY booking_id").all()));
  if (withKeys) {
    const keys = db.query("SELECT * FROM subject_keys ORDER BY booking_id");
    hash.update(JSON.stringify(keys.all()));
  }
  return hash.digest("hex");
}

function filesOf(folder: string, previous: Files): Files {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith("-shm"))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  return new Map(
    names.sort().map((name) => {
      const content = readFileSync(join(folder, name));
      const known = previous.get(name);
      return [name, known?.equals(content) ? known : content];
    }),
  );
}

/** Records a history of about `rows` rows, with checkpoints and snapshots in between. */
export function record(seed: number, rows: number): Recording {
  using scratch = new Scratch();
  using world = new World(scratch.path);
  const { journal, engine, time } = world;
  const random = new Random(seed);
  const history = new History(world, random);
  const steps: Step[] = [];
  const expected = new Map<number, Expected>();
  let before = filesOf(scratch.folder, new Map());
  const step = (kind: Step["kind"], act: () => void) => {
    const ackedRow = journal.head.row;
    act();
    const after = filesOf(scratch.folder, before);
    steps.push({ kind, ackedRow, before, after });
    before = after;
  };
  const expect = () => {
    const hashes = { stateHash: stateHash(engine.state), recordsHash: recordsHash(journal.db) };
    expected.set(journal.head.row, { chain: journal.head.chain, ...hashes });
  };
  expect();
  // A slow moment may make two groups of one step.
  world.onGroup = expect;
  history.begin((act) => step("group", act));
  for (let groups = 1; journal.head.row < rows; groups += 1) {
    step("group", () => history.step());
    // By chance, and now and then for certain: no seed is without either.
    const isSure = groups % 20 === 0;
    if (isSure || random.chance(0.06)) step("checkpoint", () => checkpoint(journal.db));
    if (isSure || random.chance(0.05)) {
      step("snapshot", () => {
        writeSnapshot(scratch.path, journal.id, journal.head, engine.state);
      });
      const file = () => nextToRemove(scratch.path, journal.archived);
      step("seal", () => seal(journal, scratch.path));
      if (file()) step("leave", () => [...removeRows(journal, file()!)]);
    }
  }
  return { steps, expected, lines: journalLines(journal.db), time };
}

/** A segment of the rows before the oldest snapshot, when there are enough. */
function seal(journal: Journal, journalPath: string): void {
  const base = { journalPath, journalId: journal.id, journal: new SqliteJournalReader(journal.db) };
  const through = lastArchivable(base, Number.MAX_SAFE_INTEGER);
  if (through - journal.archived.row < ROWS_SEALED) return;
  for (const _row of writeSegment({ ...base, through }, journal.archived));
}

function checkpoint(db: Database): void {
  db.run("PRAGMA wal_checkpoint(PASSIVE)");
}
