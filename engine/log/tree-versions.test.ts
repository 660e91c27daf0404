/**
 * Goal: a quote or a booking keeps its terms for ever, and memory keeps one tree of a property
 * after any number of edits. Method: the real engine on a real journal.
 */

import { expect, test } from "bun:test";
import { ManualTime, outcomeOf, Scratch, World } from "../../test/power/world.ts";
import {
  beginBooking,
  createProperty,
  frozenQuote,
  NOON,
  placeHold,
  promoteProperty,
  propertyTree,
  REALM,
  replaceProperty,
} from "../../test/support/builders.ts";
import { storedLines } from "../../test/support/stored-blocks.ts";
import type { Command } from "../core/commands.ts";
import type { PropertyTree } from "../core/supply.ts";
import { Replica } from "./replica.ts";
import { stateHash } from "./snapshot.ts";
import { treeOf } from "./tree-versions.ts";

const CHARS = 250_000;
const FIRST = propertyTree({ description: "x".repeat(CHARS) });

/** Alternately an edit of the previous tree and an unrelated tree. */
function editsOf(count: number): PropertyTree[] {
  const trees = [FIRST];
  for (let n = 1; n < count; n += 1) {
    const timezone = n % 3 === 0 ? "Europe/Madrid" : "Asia/Tokyo";
    const edited = { ...trees.at(-1)!, name: `No. ${n}`, timezone };
    const description = String.fromCharCode(97 + n).repeat(CHARS);
    trees.push(n % 5 === 0 ? { ...edited, description } : edited);
  }
  return trees;
}

function done(world: World, command: Command): Readonly<Record<string, unknown>> {
  const outcome = outcomeOf(world.ask(command)[0]);
  if (!outcome?.ok) throw new Error(JSON.stringify(outcome));
  return outcome.data;
}

function opened(path: string): World {
  const time = new ManualTime();
  time.wall = NOON;
  const world = new World(path, time);
  world.tick();
  done(world, createProperty(FIRST));
  done(world, promoteProperty(FIRST));
  return world;
}

test("every version is read from the rows that made it; one not folded yet is unknown", () => {
  using scratch = new Scratch();
  using world = opened(scratch.path);
  const trees = editsOf(140);
  trees.slice(1).forEach((tree, n) => {
    done(world, replaceProperty(tree, { base_version: n + 2 }));
  });
  const replica = new Replica(scratch.path);
  const quoted = { ...REALM, property_id: FIRST.id };
  trees.forEach((tree, n) => {
    expect(treeOf(replica, { ...quoted, supply_version: n + 1 })).toEqual(tree);
  });
  expect(treeOf(replica, { ...quoted, supply_version: trees.length + 1 })).toBeNull();
  expect(treeOf(replica, { ...quoted, property_id: "no-such", supply_version: 1 })).toBeNull();
  expect(stateHash(replica.state)).toBe(stateHash(world.engine.state));
  replica.close();
});

test("a quote of a replaced version is held and booked, also after a restart", () => {
  using scratch = new Scratch();
  const quote = frozenQuote(FIRST, { due_now: 0 });
  {
    using world = opened(scratch.path);
    editsOf(9)
      .slice(1)
      .forEach((tree, n) => {
        done(world, replaceProperty(tree, { base_version: n + 2 }));
      });
  }
  const time = new ManualTime();
  time.wall = NOON + 1_000;
  using world = new World(scratch.path, time);
  world.tick();
  const { hold_id } = done(world, placeHold(quote)) as { hold_id: string };
  const ids = { hold_id, quote_id: quote.quote_id };
  const { booking_id } = done(world, beginBooking(ids)) as { booking_id: string };
  const replica = new Replica(scratch.path);
  const booking = replica.records.booking(booking_id)!;
  expect(treeOf(replica, booking.quote)).toEqual(FIRST);
  expect(replica.state.property(REALM, FIRST.id)!.tree.name).toBe("No. 8");
  replica.close();
});

test("the row of an edit of a large tree is only as large as the edit", () => {
  using scratch = new Scratch();
  using world = opened(scratch.path);
  const bytesOf = () => Buffer.byteLength(storedLines(world.journal.db).at(-1)!);
  done(world, replaceProperty({ ...FIRST, star_rating: 5 }));
  expect(bytesOf()).toBeLessThan(2_000);
  done(world, replaceProperty({ ...FIRST, description: "y".repeat(CHARS) }, { base_version: 3 }));
  expect(bytesOf()).toBeGreaterThan(CHARS);
});
