/** Goal: only a demo that is on sale gives keys away. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair } from "jose";
import { readConfig } from "../../config.ts";
import { type DemoFile, writeDemoFile } from "./demo-file.ts";
import { demoDeskOf } from "./desk.ts";

const DATA_DIR = mkdtempSync(join(tmpdir(), "innkeep-desk-"));
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }));

async function fileWith(properties: DemoFile["properties"]): Promise<DemoFile> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const agent = { agent_id: "agt_1", secret: "ik_live_1" };
  const admins = { admin: agent, agent, test_agent: agent, test_admin: agent };
  const second_tenant = { tenant_id: "t2", admin: agent, agent };
  const private_jwk = { ...(await exportJWK(privateKey)), alg: "ES256" };
  const delegation = { iss: "i", aud: "a", alg: "ES256", kid: "k", private_jwk };
  return { base_url: "b", tenant_id: "t", ...admins, second_tenant, delegation, properties };
}

test("the desk is available once the demo is on sale, and never without DEMO", async () => {
  const desk = demoDeskOf(readConfig({ DATA_DIR, DEMO: "1" }));
  const none = demoDeskOf(readConfig({ DATA_DIR, DEMO: "0" }));
  const path = join(DATA_DIR, "demo.json");
  expect(await desk()).toBeNull();
  await writeDemoFile(path, await fileWith([]));
  expect(await desk()).toBeNull();
  await writeDemoFile(path, await fileWith([{ id: "p", slug: "s", mode: "live" }]));
  expect(await desk()).toMatchObject({ tenant_id: "t", agentSecret: "ik_live_1", iss: "i" });
  expect(await none()).toBeNull();
});
