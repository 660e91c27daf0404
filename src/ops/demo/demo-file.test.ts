import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DemoFile, readDemoFile, writeDemoFile } from "./demo-file.ts";

const AGENT = { agent_id: "agt_1", secret: "ik_live_1" };
const FILE: DemoFile = {
  base_url: "http://localhost:3000",
  tenant_id: "a",
  admin: AGENT,
  agent: AGENT,
  test_agent: AGENT,
  test_admin: AGENT,
  second_tenant: { tenant_id: "b", admin: AGENT, agent: AGENT },
  delegation: { iss: "https://i", aud: "a", alg: "ES256", kid: "k", private_jwk: { kty: "EC" } },
  properties: [],
};

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "innkeep-demo-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a written file is read back, is private to its owner and leaves no temporary file", async () => {
  const path = join(folder, "demo.json");
  await writeDemoFile(path, FILE);
  expect(await readDemoFile(path)).toEqual(FILE);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["demo.json"]);
});

test("writing again replaces the file", async () => {
  const path = join(folder, "demo.json");
  await writeDemoFile(path, FILE);
  const properties = [{ id: "p", slug: "s", mode: "live" as const }];
  await writeDemoFile(path, { ...FILE, properties });
  expect((await readDemoFile(path)).properties).toEqual(properties);
});

test("reading a missing file rejects", async () => {
  await expect(readDemoFile(join(folder, "demo.json"))).rejects.toThrow("demo.json");
});
