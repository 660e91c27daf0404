/**
 * Makes `src/api/events/examples.json`: an event of each kind, from a real engine and its journal.
 * Run it when the form of an event changes: `npx bun test/openapi/make-event-examples.ts`.
 */
import { join } from "node:path";
import type { Event } from "../../engine/core/events/event.ts";
import { PUBLIC_KINDS } from "../../engine/core/public-events.ts";
import type { Mode } from "../../engine/core/supply.ts";
import { Replica } from "../../engine/log/replica.ts";
import { readEvents } from "../../src/api/events/reader.ts";
import { REALM } from "../support/builders.ts";
import { everyEvent, type Living } from "../support/every-event.ts";
import { LoneEngine } from "../support/lone-engine.ts";

const FILE = join(import.meta.dir, "../../src/api/events/examples.json");

const lone = new LoneEngine();
const replica = new Replica(lone.journalPath);

/** The events of the rows that came since. */
function newEvents(): Event[] {
  const from = replica.head.row + 1;
  replica.catchUp(1_000);
  return replica.rowsFrom(from, 1_000).flatMap(({ row }) => row.events);
}

const world: Living = {
  when(command) {
    lone.decide([command]);
    return newEvents();
  },
  wait(durationMs) {
    lone.advance(durationMs);
    lone.engine.tick();
    lone.engine.runGroup();
    newEvents();
  },
  get now() {
    return lone.now();
  },
};

everyEvent(world, () => {});
const filter = { kinds: null, subject: null, property_ids: null };
const ofMode = async (mode: Mode) => {
  const realm = { ...REALM, mode };
  return (await readEvents(replica, { realm, afterSeq: 0, filter, limit: 1_000 })).items;
};
const ofModes = [await ofMode("live"), await ofMode("test")];
const byKind = Object.fromEntries(
  PUBLIC_KINDS.map((kind) => {
    const items = ofModes.find((all) => all.some(({ type }) => type === kind));
    if (!items) throw new Error(`${kind} has not happened`);
    const nth = items.findIndex(({ type }) => type === kind);
    const { seq, ...rest } = items[nth]!;
    const { subject, data, ...head } = rest;
    return [kind, { ...head, seq, prev_seq: items[nth - 1]?.seq ?? 0, subject, data }];
  }),
);
await Bun.write(FILE, `${JSON.stringify(byKind, null, 2)}\n`);
replica.close();
lone.close();
const biome = join(import.meta.dir, "../../node_modules/.bin/biome");
Bun.spawnSync([biome, "format", "--write", FILE], { stdout: "inherit", stderr: "inherit" });
