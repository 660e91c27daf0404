/** Goal: the hotels of feed measurements have the declared number and size. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Replica } from "../engine/log/replica.ts";
import { feedProperties, writeFeedTenant } from "./feed-tenant.ts";

test("hotels have four room types with three plans each, are on sale and have unique names", () => {
  const directory = mkdtempSync(join(tmpdir(), "feed-tenant-"));
  try {
    const replica = new Replica(writeFeedTenant(directory, 40));
    const properties = [...replica.state.allProperties()];
    replica.close();
    expect(properties).toHaveLength(40);
    for (const { state, mode, tree } of properties) {
      expect([state, mode]).toEqual(["live", "live"]);
      expect(tree.room_types.map(({ rate_plans }) => rate_plans.length)).toEqual([3, 3, 3, 3]);
    }
    expect(new Set(properties.map(({ tree }) => tree.slug)).size).toBe(40);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("a larger tenant contains the hotels of a smaller one", () => {
  const ids = (count: number) => [...feedProperties(count)].map(({ property }) => property.id);
  expect(ids(20).slice(0, 10)).toEqual(ids(10));
});
