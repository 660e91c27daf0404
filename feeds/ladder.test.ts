/** The rates left out of too large documents; a lower limit makes the cases small. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { todayIn } from "../engine/core/calendar.ts";
import { NOON, TENANT } from "../test/support/builders.ts";
import { demoHotels, ended, liveState } from "../test/support/feeds.ts";
import { validate } from "../test/support/xmllint.ts";
import { ariSets } from "./ari-sets.ts";
import { stepsOf } from "./ladder.ts";
import { listableOf } from "./listable.ts";
import type { FeedManifest, StoredBody } from "./manifest.ts";
import { profileOf } from "./partners.ts";
import { storedAri } from "./stored.ts";

const STATE = liveState(demoHotels(2));
const PROPERTIES = listableOf(STATE, TENANT).listed.map((property) => {
  return { property, todayDay: todayIn(property.tree.timezone, NOON) };
});

/** The sets of a tenant for whose partner a document has at most so many bytes. */
async function limited(
  bytesMax: number,
  look: (sets: readonly StoredBody[], document: (days: number) => Promise<string>) => unknown,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "ladder-"));
  try {
    const profile = profileOf("google")!;
    const source = { profile, directory, language: "en", properties: PROPERTIES, bytesMax };
    const sets = ended(ariSets(source));
    const position = { seq: 1, at: "2026-09-01T12:00:00Z", run_id: "run_1", tenant_id: TENANT };
    const manifest = { ...position, ari: { properties: 2, sets } } as unknown as FeedManifest;
    for (const { file, gzip_file, ends, gzip_ends } of sets) {
      expect(statSync(join(directory, file)).size).toBe(ends.at(-1)!);
      expect(statSync(join(directory, gzip_file)).size).toBe(gzip_ends.at(-1)!);
    }
    await look(sets, async (days) => {
      const stored = storedAri(directory, manifest, days, "identity");
      expect(stored.bytes).toBeLessThanOrEqual(bytesMax);
      return await new Response(stored.body()).text();
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const daysIn = (xml: string) => new Set(xml.match(/<Checkin>[^<]*/g)).size;
const idOf = (xml: string) => /id="ari-[^"]*-d(\d+)"/.exec(xml)![1];

/** The whole body of ninety days. */
let whole: StoredBody;

test("all rates are written in one set if they fit", async () => {
  await limited(100_000_000, (sets) => {
    expect(sets.map(({ step, through_days }) => [step, through_days])).toEqual([["all_rates", 90]]);
    whole = sets[0]!;
  });
});

test("a longer document has fewer rates where thirty days just fit, and both have every day", async () => {
  await limited(whole.ends[45]!, async (sets, document) => {
    const [first, second] = sets;
    expect(first!.step).toBe("all_rates");
    expect(first!.through_days).toBeWithin(40, 46);
    expect(second!.step).not.toBe("all_rates");
    expect(second!.through_days).toBe(90);
    const [short, long] = [await document(30), await document(90)];
    expect([daysIn(short), idOf(short)]).toEqual([30, "30"]);
    expect(idOf(long)).toBe("90");
    validate("transaction", long);
  });
});

test("under any limit documents have their stated length, are valid and small enough", async () => {
  const seen = new Set<string>();
  for (const share of [0.8, 0.3, 0.1, 0.05, 0.02, 0.01]) {
    await limited(whole.ends.at(-1)! * share, async (sets, document) => {
      for (const { step } of sets) seen.add(step);
      expect(sets.length).toBeLessThanOrEqual(2);
      for (const days of [1, 90]) {
        const xml = await document(days);
        const longest = sets.at(-1)!.through_days;
        expect(Number(idOf(xml))).toBe(Math.min(days, Math.max(longest, sets[0]!.through_days)));
        validate("transaction", xml);
      }
    });
  }
  expect([...seen].toSorted()).toEqual(
    stepsOf(profileOf("google")!)
      .map(({ name }) => name)
      .toSorted(),
  );
});

test("the two rates of a room are its lowest refundable and its lowest non-refundable one", () => {
  const step = stepsOf(profileOf("google")!)[1]!;
  const bundle = (id: string, room: string, isRefundable: boolean, base: number) =>
    ({
      id,
      isRefundable,
      base,
      tax: 1,
      fees: 1,
      currency: "EUR",
      offer: { roomType: { id: room } },
    }) as never;
  const all = [
    bundle("a", "r1", true, 5),
    bundle("b", "r1", true, 4),
    bundle("c", "r1", false, 3),
    bundle("d", "r2", true, 9),
    bundle("e", "r1", true, 4),
  ];
  const told = step.select(all).bundles as unknown as { id: string }[];
  expect(told.map(({ id }) => id)).toEqual(["b", "c", "d"]);
});
