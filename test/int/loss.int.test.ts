/**
 * Goal: rows that are lost are given up once, by an operator who was told how many, and the journal
 * says so for ever. Method: the real processes on a journal whose end is cut off.
 */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { SqliteJournalReader } from "../../engine/log/journal-reader.ts";
import { createHotel, newHold, stayRequest } from "../support/client.ts";
import { Service } from "../support/service.ts";

let service: Service;
beforeAll(async () => {
  service = await Service.start({ LANES: "1" });
});
afterAll(() => service?.stop());

function onJournal<T>(work: (db: Database) => T): T {
  using db = new Database(join(service.dataDir, "engine", "0.db"));
  return work(db);
}

const headOf = (db: Database) =>
  db.query<{ row: number }, []>("SELECT max(row) AS row FROM journal").get()!.row;

/** A start that must be refused; what would accept it. */
async function refusedStart(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { message, exitCode } = await service.startSecond(env);
  expect({ message, exitCode }).toEqual({ message, exitCode: 78 });
  expect(message).toContain("\nLook for the right file, or restore a back-up.");
  return /journal_behind_witness: .*; ACCEPT_LOSS=([0-9a-f]{12}) accepts this once/.exec(
    message,
  )![1]!;
}

/** Takes the blocks of the last rows away; returns where the journal ends then, and ended. */
function cutEnd(count: number): readonly [number, number] {
  return onJournal((db) => {
    const head = headOf(db);
    db.run("DELETE FROM journal WHERE row > ?", [head - count]);
    return [headOf(db), head];
  });
}

test("the value that the refusal prints accepts lost rows once, and a row records it", async () => {
  const hotel = await createHotel(service, { units: [9] });
  await newHold(service, stayRequest(hotel));
  await service.end("SIGTERM");
  const [end, head] = cutEnd(1);
  const value = await refusedStart();
  expect(await refusedStart({ ACCEPT_LOSS: "1" })).toBe(value);
  expect(await refusedStart({ ACCEPT_CLOCK: value })).toBe(value);

  await service.restart({ ACCEPT_LOSS: value });
  expect(service.log).toContain("loss of rows accepted by ACCEPT_LOSS");
  const [event] = onJournal((db) => new SqliteJournalReader(db).row(end + 1)!.events);
  const lost = `ends at row ${end}, row ${head} was acknowledged`;
  expect(event).toMatchObject({ type: "loss.accepted", data: { after_row: end, lost } });
  await newHold(service, stayRequest(hotel));

  // The same value, left where it was set, accepts no other loss.
  await service.end("SIGTERM");
  cutEnd(1);
  expect(await refusedStart({ ACCEPT_LOSS: value })).not.toBe(value);
});
