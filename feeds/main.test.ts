/** The program as a worker starts it: a request, lines of JSON, and a manifest at the end. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createProperty, promoteProperty, TENANT } from "../test/support/builders.ts";
import { demoHotels } from "../test/support/feeds.ts";
import { LoneEngine } from "../test/support/lone-engine.ts";
import type { FeedManifest } from "./manifest.ts";
import { storedAri } from "./stored.ts";

const PROGRAM = join(import.meta.dir, "main.ts");
/** Enough that a build takes some pieces of work. */
const HOTELS = 10;
let lone: LoneEngine;

beforeAll(() => {
  lone = new LoneEngine();
  const commands = demoHotels(HOTELS).flatMap(({ property }) => [
    createProperty(property),
    promoteProperty(property),
  ]);
  for (const outcome of lone.decide(commands)) expect(outcome.ok).toBeTrue();
});

afterAll(() => lone.close());

function started(over: object = {}, directory = join(lone.dataDir, crypto.randomUUID())) {
  const order = {
    ...{ journal_path: lone.journalPath, directory, tenant_id: TENANT, partner: "google" },
    ...{ run_id: "run_7", now_ms: lone.now(), site_url: "https://stay.example.com" },
    ...{ rest_ms: 0, ...over },
  };
  const child = Bun.spawn([process.execPath, PROGRAM, JSON.stringify(order)], {
    ...({ stdin: "pipe", stdout: "pipe", stderr: "pipe" } as const),
    env: {},
  });
  return { child, directory };
}

test("a run writes both documents and a manifest, and reports its progress", async () => {
  const { child, directory } = started();
  const lines = (await new Response(child.stdout).text()).trim().split("\n");
  expect(await new Response(child.stderr).text()).toBe("");
  expect(await child.exited).toBe(0);
  const told = lines.map((line) => JSON.parse(line) as { phase: string; progress: number });
  expect([...new Set(told.map(({ phase }) => phase))].slice(0, 2)).toEqual(["open", "list"]);
  for (const { progress } of told) expect(progress >= 0 && progress <= 1).toBeTrue();
  const text = readFileSync(join(directory, "manifest.json"), "utf8");
  const manifest = JSON.parse(text) as FeedManifest;
  expect(manifest).toMatchObject({
    ...{ format: 1, partner: "google", tenant_id: TENANT, run_id: "run_7" },
    ...{ journal_id: lone.journal.id, list: { listings: HOTELS }, ari: { properties: HOTELS } },
  });
  expect(manifest.row).toBeGreaterThanOrEqual(2 * HOTELS);
  for (const time of Object.values(manifest.timings)) expect(time).toBeGreaterThan(0);
  const ari = await new Response(storedAri(directory, manifest, 30, "identity").body()).text();
  expect(ari.match(/<Result>/g)?.length).toBe(HOTELS * 30 * 7);
  expect(readdirSync(directory).toSorted()).toEqual([
    "ari-1.deflate",
    "ari-1.xml",
    "hotel-list.deflate",
    "hotel-list.xml",
    "manifest.json",
  ]);
});

test("a paced run pauses after each piece of work, twice as long as the work took", async () => {
  const { child, directory } = started({ rest_ms: 100 });
  const lines = (await new Response(child.stdout).text()).trim().split("\n");
  expect(await child.exited).toBe(0);
  const pieces = lines.filter((line) => line.includes('"ari"')).length;
  expect(pieces).toBeGreaterThan(0);
  const text = readFileSync(join(directory, "manifest.json"), "utf8");
  const { timings } = JSON.parse(text) as FeedManifest;
  expect(timings.build_ms).toBeGreaterThanOrEqual(150 * pieces - 1);
});

test("a line on stdin ends the pauses of a paced run", async () => {
  const { child } = started({ rest_ms: 3_600_000 });
  child.stdin.write("\n");
  child.stdin.flush();
  expect(await child.exited).toBe(0);
});

test("a request without a journal or a partner fails on stderr and writes no manifest", async () => {
  for (const over of [{ journal_path: "/nowhere/0.db" }, { partner: "expedia" }]) {
    const { child, directory } = started(over);
    expect(await child.exited).not.toBe(0);
    expect(await new Response(child.stderr).text()).not.toBe("");
    expect(existsSync(join(directory, "manifest.json"))).toBeFalse();
  }
});

test("the program ends with the process that started it", async () => {
  const { child, directory } = started();
  await child.stdin.end();
  expect(await child.exited).toBe(1);
  expect(existsSync(join(directory, "manifest.json"))).toBeFalse();
});
