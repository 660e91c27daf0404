import { expect, test } from "bun:test";
import { dateOf } from "../../engine/core/calendar.ts";
import { Replica } from "../../engine/log/replica.ts";
import {
  createProperty,
  frozenQuote,
  OTHER_TENANT,
  placeHold,
  promoteProperty,
  propertyTree,
  TENANT,
  updateAri,
} from "../../test/support/builders.ts";
import { LoneEngine } from "../../test/support/lone-engine.ts";
import { Changes } from "./changes.ts";

test("changes are kept by tenant until all its feeds have them; without a feed none is kept", () => {
  const lone = new LoneEngine();
  const tree = propertyTree();
  const day = Math.floor(lone.now() / 86_400_000) + 30;
  const range = { from: dateOf(day), to: dateOf(day + 1) };
  const rate = { ...range, rate_plan_id: tree.room_types[0]!.rate_plans[0]!.id, amount: 12_345 };
  lone.decide([createProperty(tree), createProperty(tree, { tenant_id: OTHER_TENANT })]);
  lone.advance(10_000);
  lone.decide([updateAri(tree, { rates: [rate] })]);
  const replica = new Replica(lone.journalPath);
  const changes = new Changes(replica, 0);
  expect(changes.follow()).toBeFalse();
  const { row } = replica.head;
  const all = changes.since(TENANT, 0)!;
  expect(all.lastAt - all.firstAt).toBeWithin(10_000, 12_000);
  const last = changes.since(TENANT, row - 1)!;
  expect(last).toEqual({ firstAt: all.lastAt, lastAt: all.lastAt });
  expect(changes.since(TENANT, row)).toBeNull();
  expect(changes.since(OTHER_TENANT, 0)).not.toBeNull();
  changes.forget(new Map([[TENANT, row - 1]]));
  expect(changes.since(TENANT, 0)).toEqual(last);
  expect(changes.since(OTHER_TENANT, 0)).toBeNull();
  changes.forget(new Map([[TENANT, row]]));
  expect(changes.since(TENANT, 0)).toBeNull();
  replica.close();
  lone.close();
});

test("a change seen during the fold is counted once and not read again", () => {
  const lone = new LoneEngine();
  const tree = propertyTree();
  lone.decide([createProperty(tree)]);
  const replica = new Replica(lone.journalPath);
  let read = 0;
  const journal = {
    state: replica.state,
    watchRows: (listener: Parameters<Replica["watchRows"]>[0]) => replica.watchRows(listener),
    rowsNaming(...asked: Parameters<Replica["rowsNaming"]>) {
      const found = replica.rowsNaming(...asked);
      read += found.rows.length;
      return found;
    },
  };
  const { row } = replica.head;
  const changes = new Changes(journal, row);
  lone.advance(10_000);
  lone.decide([promoteProperty(tree)]);
  while (!replica.catchUp(1_000));
  expect(changes.follow()).toBeFalse();
  expect(read).toBe(0);
  const { lastAt } = changes.since(TENANT, row)!;
  lone.advance(10_000);
  lone.decide([createProperty(tree, { tenant_id: OTHER_TENANT })]);
  // Read before it is folded.
  changes.follow();
  expect(read).toBe(1);
  while (!replica.catchUp(1_000));
  expect(changes.follow()).toBeFalse();
  expect([read, changes.since(TENANT, row)?.lastAt]).toEqual([1, lastAt]);
  expect(changes.since(OTHER_TENANT, row)).not.toBeNull();
  replica.close();
  lone.close();
});

test("an older feed still sees the changes that a newer feed already has", () => {
  const lone = new LoneEngine();
  const tree = propertyTree();
  lone.decide([createProperty(tree), promoteProperty(tree)]);
  const replica = new Replica(lone.journalPath);
  const rowNow = () => {
    replica.catchUp(1_000);
    return replica.head.row;
  };
  const oldRow = rowNow();
  const created_at = Math.floor(lone.now());
  const day = Math.floor(created_at / 86_400_000) + 30;
  const stay = { check_in: dateOf(day), check_out: dateOf(day + 1) };
  lone.decide([placeHold(frozenQuote(tree, { stay, created_at }))]);
  const youngRow = rowNow();
  lone.decide([createProperty(propertyTree())]);
  expect(rowNow()).toBeGreaterThan(youngRow);
  const changes = new Changes(replica, 0);
  expect(changes.hasSoldSince({ tenant_id: TENANT, partner: "bing" }, youngRow)).toBeFalse();
  expect(changes.hasSoldSince({ tenant_id: TENANT, partner: "google" }, oldRow)).toBeTrue();
  replica.close();
  lone.close();
});

test("no row is read for a tenant without changes", () => {
  const lone = new LoneEngine();
  const tree = propertyTree();
  lone.decide([createProperty(tree), promoteProperty(tree)]);
  const replica = new Replica(lone.journalPath);
  replica.catchUp(1_000);
  const builtRow = replica.head.row;
  lone.decide([{ ...createProperty(propertyTree()), tenant_id: OTHER_TENANT }]);
  replica.catchUp(1_000);
  expect(replica.head.row).toBeGreaterThan(builtRow);
  const journal = {
    state: replica.state,
    rowsNaming: () => {
      throw new Error("rows are looked at");
    },
    watchRows: () => () => {},
  };
  const changes = new Changes(journal, 0);
  expect(changes.hasSoldSince({ tenant_id: TENANT, partner: "google" }, builtRow)).toBeFalse();
  replica.close();
  lone.close();
});
