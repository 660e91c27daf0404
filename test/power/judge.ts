/**
 * Starts an engine on an image and judges what it makes of it: exactly the acknowledged state (or
 * one whole group more, which nobody was told of), or a refusal by name. Anything else throws.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { decodeRow } from "../../engine/core/codec/row-codec.ts";
import { Damage, type DamageName } from "../../engine/core/damage.ts";
import { checkProjections } from "../../engine/log/care/record-check.ts";
import { stateHash } from "../../engine/log/snapshot.ts";
import { journalLines } from "../support/stored-blocks.ts";
import { placeHold } from "./commands.ts";
import type { Image } from "./image.ts";
import { Random } from "./random.ts";
import { type Recording, recordsHash } from "./recording.ts";
import { Scratch, World } from "./world.ts";

export type Verdict = "exact" | "exact and one group more" | DamageName;

/** @throws Error when rows were lost or changed without a word. */
export function judge(image: Image, recording: Recording): Verdict {
  using scratch = new Scratch();
  for (const [name, content] of image.files) {
    const path = join(scratch.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  try {
    using world = new World(scratch.path, recording.time);
    checkProjections(world.journal.db);
    return verdictOf(world, image, recording);
  } catch (error) {
    if (error instanceof Damage) return error.damage;
    throw error;
  }
}

function verdictOf(world: World, image: Image, recording: Recording): Verdict {
  const { journal, engine } = world;
  const { row, chain } = journal.head;
  const wrong = (what: string) => new Error(`${what} at row ${row}: ${image.story}`);
  if (row < image.ackedRow) throw wrong("acknowledged rows are gone");
  const expected = recording.expected.get(row);
  if (!expected) throw wrong("part of a group came back");
  if (chain !== expected.chain) throw wrong("another chain");
  if (stateHash(engine.state) !== expected.stateHash) throw wrong("another state");
  if (recordsHash(journal.db) !== expected.recordsHash) throw wrong("other records");
  const lastOfKey = new Map<string, number>();
  // Not the chain of rows before a snapshot: the start does not read it, and nobody is told of it.
  for (const [i, line] of journalLines(journal.db).entries()) {
    if (line !== recording.lines[i]) throw wrong("another row");
    const { key } = decodeRow(line);
    if (key) lastOfKey.set(key.key, i + 1);
  }
  for (const [key, last] of lastOfKey) {
    if (journal.byKey(key)?.row !== last) throw wrong(`key ${key} not found`);
  }
  const [reply] = world.ask(placeHold(new Random(row), world.time.wallMs()));
  if (!reply?.rendered) throw wrong("no command is answered any more");
  return row === image.ackedRow ? "exact" : "exact and one group more";
}
