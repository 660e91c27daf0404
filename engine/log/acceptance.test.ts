/** Goal: an acceptance holds once, for one situation, and is recorded in the journal. */

import { expect, test } from "bun:test";
import { Scratch, World } from "../../test/power/world.ts";
import { Damage } from "../core/damage.ts";
import { type Acceptance, acceptOnce } from "./acceptance.ts";
import { SqliteJournalReader } from "./journal-reader.ts";

const HEAD = { row: 7, chain: "c".repeat(64) };
const PLACE = {
  setting: "ACCEPT_LOSS",
  given: null,
  journalId: "a".repeat(32),
  head: HEAD,
} as const;
const LOST = new Damage("journal_behind_witness", "ends at row 7, row 9 was acknowledged");

/** The value that the refusal offers to accept. */
function acceptanceValue(damage: Damage, acceptance: Acceptance): string {
  try {
    acceptOnce(damage, acceptance);
  } catch (error) {
    expect(error).toBeInstanceOf(Damage);
    expect((error as Damage).damage).toBe(damage.damage);
    return /ACCEPT_[A-Z]+=([0-9a-f]{12}) accepts/.exec(String(error))![1]!;
  }
  throw new Error("it was accepted");
}

test("only the value that the refusal prints is accepted", () => {
  const value = acceptanceValue(LOST, PLACE);
  expect(() => acceptOnce(LOST, { ...PLACE, given: value })).not.toThrow();
  for (const given of ["1", "0", "yes", value.slice(1), value.toUpperCase()]) {
    expect(acceptanceValue(LOST, { ...PLACE, given })).toBe(value);
  }
});

test("a value is valid for one journal, one head, one trouble and one setting", () => {
  const other = new Damage("journal_behind_witness", "ends at row 7, row 10 was acknowledged");
  const values = [
    acceptanceValue(LOST, PLACE),
    acceptanceValue(other, PLACE),
    acceptanceValue(LOST, { ...PLACE, setting: "ACCEPT_CLOCK" }),
    acceptanceValue(LOST, { ...PLACE, journalId: "b".repeat(32) }),
    acceptanceValue(LOST, { ...PLACE, head: { ...HEAD, row: 8 } }),
    acceptanceValue(LOST, { ...PLACE, head: { ...HEAD, chain: "d".repeat(64) } }),
  ];
  expect(new Set(values).size).toBe(values.length);
});

test("the value stays the same while the message counts seconds", () => {
  const at = (seconds: number) => new Damage("clock_behind_journal", `${seconds} s`, "0");
  expect(acceptanceValue(at(3_600), PLACE)).toBe(acceptanceValue(at(3_540), PLACE));
});

test("abandoned rows are recorded in a row of the journal", () => {
  using scratch = new Scratch();
  const world = new World(scratch.path);
  world.engine.tick();
  world.engine.runGroup();
  const { head, id } = world.journal;
  world.journal.restartAfterLoss("ends at row 1, row 5 was acknowledged");
  const { events } = new SqliteJournalReader(world.journal.db).row(head.row + 1)!;
  expect(events).toEqual([
    {
      type: "loss.accepted",
      seq: 0,
      data: {
        after_row: head.row,
        lost: "ends at row 1, row 5 was acknowledged",
        journal_id: world.journal.id,
        former_id: id,
      },
    },
  ]);
  expect(world.journal.id).not.toBe(id);
  world[Symbol.dispose]();
  using next = new World(scratch.path, world.time);
  expect(next.recovered.head.row).toBe(head.row + 1);
});
