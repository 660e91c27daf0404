/** Goal: SQLite's log does not grow with the journal: a working engine folds it back. */
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { createProperty, propertyTree, updateAri } from "../../test/support/builders.ts";
import { LoneEngine } from "../../test/support/lone-engine.ts";

const MIB = 1024 * 1024;
/** Folded back from 8 MiB on; a group adds up to a few. */
const WAL_BYTES_MAX = 16 * MIB;
const WRITTEN_BYTES = 40 * MIB;

test("the log stays within 16 MiB while 40 MiB are written", () => {
  // Packed, such similar updates would take almost no space.
  const lone = new LoneEngine({ packedFromBytes: Number.POSITIVE_INFINITY });
  const tree = propertyTree();
  lone.decide([createProperty(tree)]);
  const [room] = tree.room_types;
  const day = new Date(lone.now() + 86_400_000).toISOString().slice(0, 10);
  let updates = 0;
  const update = () => {
    const capacity = 2 + (updates++ % 2);
    const range = { from: day, to: day, room_type_id: room!.id, capacity };
    return updateAri(tree, { inventory: Array.from({ length: 4_000 }, () => range) });
  };
  const bytesEach = JSON.stringify(update()).length;
  let largest = 0;
  for (let written = 0; written < WRITTEN_BYTES; written += bytesEach) {
    const [outcome] = lone.decide([update()]);
    expect(outcome).toMatchObject({ ok: true });
    largest = Math.max(largest, statSync(`${lone.journalPath}-wal`).size);
  }
  expect(statSync(lone.journalPath).size).toBeGreaterThan(WRITTEN_BYTES - WAL_BYTES_MAX);
  expect(largest).toBeLessThan(WAL_BYTES_MAX);
  lone.close();
});
