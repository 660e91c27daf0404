/** Goal: a command line finds its service and secret, and never sends a secret elsewhere. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ACCESS_HELP, accessOf } from "./access.ts";

const DEMO_URL = "http://localhost:4321";
let DATA_DIR: string;

beforeAll(() => {
  DATA_DIR = mkdtempSync(join(tmpdir(), "innkeep-access-"));
  const admin = { secret: "ik_live_demo" };
  const demo = { base_url: `${DEMO_URL}/`, tenant_id: "tnt_demo", admin };
  writeFileSync(join(DATA_DIR, "demo.json"), JSON.stringify(demo));
});
afterAll(() => rmSync(DATA_DIR, { recursive: true }));

test("each value of the environment takes precedence over the demo file", async () => {
  const demo = {
    ...{ baseUrl: DEMO_URL, secret: "ik_live_demo" },
    assumed_tenant_id: "tnt_demo",
  };
  expect(await accessOf({ DATA_DIR })).toEqual(demo);
  expect(await accessOf({ DATA_DIR, INNKEEP_URL: "", INNKEEP_SECRET: " " })).toEqual(demo);
  expect(await accessOf({ DATA_DIR, INNKEEP_URL: DEMO_URL })).toEqual(demo);
  const own = { baseUrl: DEMO_URL, secret: "ik_live_own" };
  expect(await accessOf({ DATA_DIR, INNKEEP_SECRET: "ik_live_own" })).toEqual(own);
  const INNKEEP_URL = "https://inn.example/";
  expect(await accessOf({ DATA_DIR, INNKEEP_URL, INNKEEP_SECRET: "ik_live_own" })).toEqual({
    baseUrl: "https://inn.example",
    secret: "ik_live_own",
  });
});

test("without a demo file the local service is the default, and a secret is required", async () => {
  const nowhere = { DATA_DIR: join(DATA_DIR, "nothing") };
  expect(await accessOf({ ...nowhere, INNKEEP_SECRET: "ik_live_own" })).toEqual({
    baseUrl: "http://localhost:3000",
    secret: "ik_live_own",
  });
  expect(accessOf(nowhere)).rejects.toThrow("set INNKEEP_SECRET");
  for (const name of ["INNKEEP_URL", "INNKEEP_SECRET"]) expect(ACCESS_HELP).toContain(name);
});

test("the demo's secret is sent to no other address, and an invalid address is refused", async () => {
  const INNKEEP_URL = "https://inn.example";
  expect(accessOf({ DATA_DIR, INNKEEP_URL })).rejects.toThrow(`belongs to ${DEMO_URL}`);
  for (const url of [
    "inn.example",
    "ftp://inn.example",
    "https://u:p@inn.example",
    "https://a/?b",
  ]) {
    const env = { DATA_DIR, INNKEEP_URL: url, INNKEEP_SECRET: "ik_live_own" };
    expect(accessOf(env)).rejects.toThrow("INNKEEP_URL must be");
  }
});
