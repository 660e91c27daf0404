/**
 * Goal: data of every released version since 0.3.0 is opened by this one and says the same. Method:
 * files that those versions wrote (`write.ts`), opened as a start does.
 */
import { expect, test } from "bun:test";
import { checkProjections } from "../../engine/log/care/record-check.ts";
import { Replica } from "../../engine/log/replica.ts";
import { verifyJournal } from "../../src/ops/backups/verify-journal.ts";
import { metaOf, OPERATOR } from "../power/commands.ts";
import { Random } from "../power/random.ts";
import { ManualTime, Scratch, World } from "../power/world.ts";
import { controlFacts, journalFacts, openOthers, unpack, versions } from "./data.ts";

interface Facts {
  /** The last row, and the wall clock then. */
  readonly head: { readonly row: number; readonly atMs: number };
  readonly journal: ReturnType<typeof journalFacts>;
  readonly control: ReturnType<typeof controlFacts>;
}

test("there is data of 0.3.0", () => {
  expect(versions()).toContain("0.3.0");
});

test.each(versions())("data of %s is opened, says the same and is written on", (version) => {
  using scratch = new Scratch();
  const facts = unpack(version, scratch.folder) as Facts;
  // A process that starts before the engine waits for it.
  expect(() => new Replica(scratch.path)).toThrow("no engine has opened the journal");
  const verified = verifyJournal(scratch.path, () => {});
  expect(verified).toMatchObject({ row: facts.head.row, damaged_records: [] });
  const time = new ManualTime();
  time.wall = facts.head.atMs;
  using world = new World(scratch.path, time);
  expect(world.warnings).toEqual([]);
  expect(journalFacts(world)).toEqual(facts.journal);
  expect(world.journal.head.row).toBe(facts.head.row);
  checkProjections(world.journal.db);
  const fx = { ...metaOf(new Random(1), OPERATOR), base: "EUR", rates: { USD: "1.1" } };
  const [reply] = world.ask({ ...fx, type: "SetFxRates" });
  expect(JSON.parse(reply!.rendered!.json)).toMatchObject({ ok: true });
  const replica = new Replica(scratch.path);
  expect(replica.catchUp(1_000)).toBeTrue();
  replica.close();
  expect(controlFacts(scratch.folder)).toEqual(facts.control);
  openOthers(scratch.folder);
});
