/**
 * Snapshots: the state at a row in its own SQLite file, written from a replica that does not fold
 * meanwhile. A snapshot is an optimisation and a witness: a damaged one is skipped, and the journal
 * alone is enough.
 *
 * Written under a temporary name, closed, fsynced and renamed, then the directory is fsynced; a
 * crash at any point leaves the old set of snapshots or the new one.
 */
import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Chunk, decodeState, encodeState, STATE_FORMAT } from "../core/codec/state-codec.ts";
import type { State } from "../core/state/state.ts";
import { fsyncPath } from "./files.ts";
import type { Head } from "./head.ts";

const KEPT = 2;
/** Above this size the memory used for loading is freed at once, which takes some 100 ms. */
const LARGE_BYTES = 64 * 1024 * 1024;

export interface SnapshotFile {
  readonly path: string;
  readonly row: number;
  readonly journalId: string;
}

/** Hash over all chunks in order: equal for equal states. */
export function stateHash(state: State): string {
  return hashOf(encodeState(state), "");
}

function hashOf(chunks: Iterable<Chunk>, chain: string): string {
  const hashing = hashingOf(chunks, chain);
  for (;;) {
    const { done, value } = hashing.next();
    if (done) return value;
  }
}

/** As `stateHash`, a chunk per step. */
function* hashingOf(chunks: Iterable<Chunk>, chain: string): Generator<void, string> {
  const hash = createHash("sha256");
  for (const { name, text } of chunks) {
    hash.update(name).update("\n").update(text).update("\n");
    yield;
  }
  return hash.update(chain).digest("hex");
}

/** Snapshots of a journal, newest first. */
export function snapshotFiles(journalPath: string): SnapshotFile[] {
  const folder = dirname(journalPath);
  const shard = basename(journalPath, ".db");
  const name = new RegExp(`^${shard}\\.snapshot-([0-9a-f]{32})-(\\d+)\\.db$`);
  if (!existsSync(folder)) return [];
  const found: SnapshotFile[] = [];
  for (const entry of readdirSync(folder)) {
    const match = name.exec(entry);
    if (match) {
      found.push({ path: join(folder, entry), journalId: match[1]!, row: Number(match[2]) });
    }
  }
  return found.sort((a, b) => b.row - a.row);
}

/** Writes the state as the snapshot of `head.row` and keeps the last two. Returns its path. */
export function writeSnapshot(
  journalPath: string,
  journalId: string,
  head: Head,
  state: State,
  onProgress?: () => void,
): string {
  const shard = basename(journalPath, ".db");
  const folder = dirname(journalPath);
  const path = join(folder, `${shard}.snapshot-${journalId}-${head.row}.db`);
  const temporary = `${path}.tmp`;
  rmSync(temporary, { force: true });
  const db = new Database(temporary, { create: true, strict: true });
  db.run("PRAGMA journal_mode = OFF");
  db.run("PRAGMA synchronous = OFF");
  db.run("CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT");
  db.run(
    "CREATE TABLE chunks(at INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL) STRICT",
  );
  const insert = db.prepare("INSERT INTO chunks(at, name, text) VALUES (?, ?, ?)");
  const hash = createHash("sha256");
  db.transaction(() => {
    let at = 0;
    for (const { name, text } of encodeState(state)) {
      insert.run(at++, name, text);
      onProgress?.();
      hash.update(name).update("\n").update(text).update("\n");
    }
    const meta = db.prepare("INSERT INTO meta(name, value) VALUES (?, ?)");
    meta.run("format", String(STATE_FORMAT));
    meta.run("journal_id", journalId);
    meta.run("row", String(head.row));
    meta.run("chain", head.chain);
    meta.run("hash", hash.update(head.chain).digest("hex"));
  })();
  db.close();
  fsyncPath(temporary);
  renameSync(temporary, path);
  fsyncPath(folder);
  const ofThisJournal = snapshotFiles(journalPath).filter((file) => file.journalId === journalId);
  for (const old of ofThisJournal.slice(KEPT)) rmSync(old.path, { force: true });
  return path;
}

/** `row` and `format` are numbers as text. */
type Meta = ReadonlyMap<string, string>;

function metaOf(db: Database): Meta {
  const rows = db.query<{ name: string; value: string }, []>("SELECT name, value FROM meta").all();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** One by one: all of them at once would be a second state in memory. */
function chunksOf(db: Database): Iterable<Chunk> {
  return db.query<Chunk, []>("SELECT name, text FROM chunks ORDER BY at").iterate();
}

/**
 * The state and its head; null when the file is damaged, has an older format, or is another
 * journal's.
 */
export function loadSnapshot(
  path: string,
  options: { readonly journalId: string; readonly tracksExpiry: boolean },
): { state: State; head: Head } | null {
  try {
    using db = new Database(path, { readonly: true, strict: true });
    const meta = metaOf(db);
    if (meta.get("format") !== String(STATE_FORMAT)) return null;
    if (meta.get("journal_id") !== options.journalId) return null;
    const chain = meta.get("chain") ?? "";
    if (hashOf(chunksOf(db), chain) !== meta.get("hash")) return null;
    const state = decodeState(chunksOf(db), options);
    if (state.row !== Number(meta.get("row"))) return null;
    // The garbage of loading can be as large as the state.
    if (statSync(path).size > LARGE_BYTES) Bun.gc(true);
    return { state, head: { row: state.row, chain } };
  } catch {
    // Not readable as SQLite or JSON: damaged. The caller warns and uses an older snapshot or none.
    return null;
  }
}

/**
 * Reads a whole snapshot, a chunk per step, without keeping it; its head, or null when it is
 * damaged.
 */
export function* checkingSnapshot(path: string): Generator<void, Head | null> {
  try {
    using db = new Database(path, { readonly: true, strict: true });
    const meta = metaOf(db);
    const chain = meta.get("chain") ?? "";
    const hash = yield* hashingOf(chunksOf(db), chain);
    return hash === meta.get("hash") ? { row: Number(meta.get("row")), chain } : null;
  } catch {
    return null;
  }
}
