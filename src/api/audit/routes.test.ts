/**
 * Goal: an event is found by its number, also by a process that started from a snapshot. Method:
 * several realms write into one journal; numbers of each are looked up.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { MARKED_EVENTS } from "../../../engine/core/state/event-rows.ts";
import { Replica } from "../../../engine/log/replica.ts";
import { snapshotFiles, writeSnapshot } from "../../../engine/log/snapshot.ts";
import { commandMeta, OTHER_TENANT, TENANT } from "../../../test/support/builders.ts";
import { LoneEngine } from "../../../test/support/lone-engine.ts";
import { rowOfEvent } from "./routes.ts";

const REALMS = [
  { tenant_id: TENANT, mode: "live" },
  { tenant_id: TENANT, mode: "test" },
  { tenant_id: OTHER_TENANT, mode: "live" },
] as const;
/** Of the first realm; the others have fewer, by turns. */
const EVENTS = 2 * MARKED_EVENTS + 3;

/** Those around the noted ones, and some between. */
const isLooked = (seq: number) => (seq + 2) % MARKED_EVENTS < 4 || seq % 19 === 0;

let lone: LoneEngine;

beforeAll(() => {
  lone = new LoneEngine();
  const rates = { base: "EUR", rates: { USD: "1.1" } } as const;
  const commands = Array.from({ length: EVENTS }, (_, nth) =>
    REALMS.filter((_realm, i) => nth % (i + 1) === 0).map((realm) => ({
      ...{ ...commandMeta(realm), type: "SetFxRates" as const, ...rates },
    })),
  );
  lone.decide(commands.flat());
});
afterAll(() => lone.close());

async function expectAllFound(replica: Replica): Promise<void> {
  for (const realm of REALMS) {
    const last = replica.state.tenants.get(realm.tenant_id)!.seq[realm.mode];
    expect(last).toBeGreaterThan(MARKED_EVENTS / 2);
    let before = 0;
    for (let seq = 1; seq <= last; seq += 1) {
      if (!isLooked(seq) && seq < last) continue;
      const row = await rowOfEvent(replica, realm, seq);
      expect(row).toMatchObject({ ...realm, events: [{ seq }] });
      expect(row!.row).toBeGreaterThan(before);
      before = row!.row;
    }
    expect(replica.state.tenants.get(realm.tenant_id)!.rows[realm.mode].last).toBe(before);
    expect(await rowOfEvent(replica, realm, last + 1)).toBeNull();
  }
}

test("every event of every realm is found by its number, also after a start from a snapshot", async () => {
  const replica = new Replica(lone.journalPath);
  await expectAllFound(replica);
  writeSnapshot(lone.journalPath, replica.journalId, replica.head, replica.state);
  expect(snapshotFiles(lone.journalPath)).toHaveLength(1);
  replica.close();
  const restarted = new Replica(lone.journalPath);
  await expectAllFound(restarted);
  restarted.close();
});

test("a realm without events finds none", async () => {
  const replica = new Replica(lone.journalPath);
  expect(await rowOfEvent(replica, { tenant_id: OTHER_TENANT, mode: "test" }, 1)).toBeNull();
  expect(await rowOfEvent(replica, { tenant_id: "unknown", mode: "live" }, 1)).toBeNull();
  replica.close();
});
