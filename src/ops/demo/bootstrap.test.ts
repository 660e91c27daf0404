/**
 * Goal: an interrupted first start is completed by a later one with the same credentials. Method:
 * a server that authenticates against the same control store and accepts every write.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authenticate } from "../../access/auth/bearer.ts";
import { verifyDelegation } from "../../access/auth/delegation.ts";
import { openControlStore } from "../../access/control/store.ts";
import { createTenant, hasFlag, hasTenants } from "../../access/control/tenants.ts";
import { ControlView } from "../../access/control/view.ts";
import { loadSecrets } from "../../access/privacy/secrets.ts";
import { type Config, controlPath, readConfig } from "../../config.ts";
import { bootstrapDemo } from "./bootstrap.ts";
import { readDemoFile } from "./demo-file.ts";
import { mintDelegation } from "./mint-delegation.ts";

const directory = mkdtempSync(join(tmpdir(), "innkeep-demo-"));
const secrets = loadSecrets(directory, {});
const store = openControlStore(controlPath(directory), secrets.credential_pepper);
const view = new ControlView(store, { allowPrivate: false });
view.start();
const demoPath = join(directory, "demo.json");

let refuseWrites = true;
let writes = 0;
let config: Config;

function whoIs(authorization: string | null) {
  const authority = { control: view, accessTokens: null };
  return authenticate(authority, { authorization, nowMs: Date.now() });
}

async function answer(request: Request): Promise<Response> {
  const result = await whoIs(request.headers.get("authorization"));
  if (!result.ok) return Response.json({ error: { code: result.code } }, { status: 401 });
  if (request.method === "GET") return Response.json({ data: { items: [] } });
  writes += 1;
  if (!refuseWrites) return Response.json({ data: { items: [] } });
  return Response.json({ error: { code: "forbidden", retry_after: null } }, { status: 403 });
}

const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });

beforeAll(() => {
  config = readConfig({
    PORT: String(server.port),
    DATA_DIR: directory,
    BASE_URL: "https://proxy.example",
    LOG_LEVEL: "error",
  });
});
afterAll(async () => {
  await server.stop(true);
  view.stop();
  store.close();
  rmSync(directory, { recursive: true });
});

test("a refused seeding leaves tenants, credentials and file, but no flag", async () => {
  await expect(bootstrapDemo(config, secrets)).rejects.toThrow("403 forbidden");
  expect(hasFlag(store, "demo_seeded")).toBe(false);
  expect(statSync(demoPath).mode & 0o777).toBe(0o600);
  const demo = await readDemoFile(demoPath);
  expect(demo).toMatchObject({ base_url: "https://proxy.example", properties: [] });
  const second = demo.second_tenant;
  const expected = [
    [demo.admin, "operator", "live", demo.tenant_id],
    [demo.agent, "agent", "live", demo.tenant_id],
    [demo.test_admin, "operator", "test", demo.tenant_id],
    [demo.test_agent, "agent", "test", demo.tenant_id],
    [second.admin, "operator", "live", second.tenant_id],
    [second.agent, "agent", "live", second.tenant_id],
  ] as const;
  for (const [{ secret, agent_id }, kind, mode, tenant_id] of expected) {
    const result = await whoIs(`Bearer ${secret}`);
    expect(result).toMatchObject({ ok: true, principal: { agent_id, kind, mode, tenant_id } });
    const limits = result.ok ? Object.values(result.principal.limits) : [];
    expect(new Set(limits)).toEqual(new Set([null]));
  }
});

test("a minted delegation token is valid in both tenants and modes and has its bounds", async () => {
  const demo = await readDemoFile(demoPath);
  const options = { sub: "traveler-9", ttlS: 600, holdId: "hld_1", maxAmount: 700 };
  const token = await mintDelegation(demo.delegation, options);
  const tenants = [demo.tenant_id, demo.second_tenant.tenant_id];
  const modes = ["live", "test"] as const;
  for (const realm of tenants.flatMap((tenant_id) => modes.map((mode) => ({ tenant_id, mode })))) {
    const terms = { platform: config, view, nowMs: Date.now() };
    const result = await verifyDelegation({ token, realm, ...terms });
    expect(result).toMatchObject({
      ok: true,
      sub: "traveler-9",
      consent: { claims: { hold_id: "hld_1", max_amount: 700 } },
    });
  }
});

test("only the public key of the demo issuer is in the control store", () => {
  const rows = store.db.query<{ jwks: string }, []>("SELECT jwks FROM issuer").all();
  expect(rows).toHaveLength(4);
  for (const { jwks } of rows) expect(JSON.parse(jwks).keys[0].d).toBeUndefined();
});

test("the next start seeds with the same credentials, and a third does nothing", async () => {
  const before = await readDemoFile(demoPath);
  refuseWrites = false;
  await bootstrapDemo(config, secrets);
  expect(hasFlag(store, "demo_seeded")).toBe(true);
  const after = await readDemoFile(demoPath);
  expect(after.properties.length).toBeGreaterThanOrEqual(60);
  expect({ ...after, properties: before.properties }).toEqual(before);
  writes = 0;
  await bootstrapDemo(config, secrets);
  expect(writes).toBe(0);
});

test("an installation with its own tenants is not changed", async () => {
  const other = join(directory, "own");
  const ownSecrets = loadSecrets(other, {});
  const own = openControlStore(controlPath(other), ownSecrets.credential_pepper);
  createTenant(own, "Real hotels");
  await bootstrapDemo({ ...config, dataDir: other }, ownSecrets);
  expect(hasFlag(own, "demo_seeded")).toBe(false);
  expect(await Bun.file(join(other, "demo.json")).exists()).toBe(false);
  own.close();
});

test("no tenant remains if demo.json cannot be written", async () => {
  const other = join(directory, "blocked");
  const ownSecrets = loadSecrets(other, {});
  const own = openControlStore(controlPath(other), ownSecrets.credential_pepper);
  await Bun.write(join(other, "demo.json", "in-the-way"), "");
  await expect(bootstrapDemo({ ...config, dataDir: other }, ownSecrets)).rejects.toThrow();
  expect(hasTenants(own)).toBe(false);
  own.close();
});
