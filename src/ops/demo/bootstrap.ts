/**
 * The first start with `DEMO`: two tenants with agents and a delegation issuer, `demo.json`, and
 * the demo supply, seeded through the running API. A later start finishes an interrupted one. An
 * installation with other tenants is never touched.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import type { Mode } from "../../../engine/core/supply.ts";
import { missingForPayments } from "../../../jobs/payments/providers.ts";
import { createAgent, NO_LIMITS } from "../../access/control/agents.ts";
import { issueCredential } from "../../access/control/credentials.ts";
import { addIssuer } from "../../access/control/issuers.ts";
import { type ControlStore, openControlStore } from "../../access/control/store.ts";
import { createTenant, hasFlag, hasTenants, setFlag } from "../../access/control/tenants.ts";
import { REFRESH_INTERVAL_MS } from "../../access/control/view.ts";
import type { Secrets } from "../../access/privacy/secrets.ts";
import { type Config, controlPath } from "../../config.ts";
import { StartFailed } from "../../lib/lifecycle.ts";
import { logger } from "../../lib/log.ts";
import { type DemoAgent, type DemoFile, readDemoFile, writeDemoFile } from "./demo-file.ts";
import { seedDemo } from "./seed.ts";

const SEEDED = "demo_seeded";
const ISS = "https://travelers.innkeep.example";
const KID = "demo-1";
const ALG = "ES256";
/** All guests of the pages together. */
const OPEN_HOLDS_OF_PAGES = 50;
const READY_DEADLINE_MS = 10_000;
const POLL_INTERVAL_MS = 20;

/**
 * Sets up the demo while the API is starting; resolves when its supply is on sale. Does nothing
 * when it is complete, or when tenants exist without a `demo.json`. Without payments it creates
 * only tenants and file; a later start with payments seeds the supply.
 *
 * @throws StartFailed when the API does not answer within 10 s or refuses a seeding call; the next
 *   start continues from there.
 */
export async function bootstrapDemo(config: Config, secrets: Secrets): Promise<void> {
  const path = join(config.dataDir, "demo.json");
  const store = openControlStore(controlPath(config.dataDir), secrets.credential_pepper);
  try {
    const isNew = !hasTenants(store);
    if (isNew) await createDemoTenants(store, config, path);
    if (hasFlag(store, SEEDED) || !existsSync(path)) return;
    const log = logger("demo", config);
    const demo = await readDemoFile(path);
    const baseUrl = localAddress(config);
    await untilAccepted(baseUrl, demo.agent);
    // The api process that was asked knows the new agents; others poll the store.
    if (isNew && config.apiProcesses > 1) await Bun.sleep(REFRESH_INTERVAL_MS);
    const missing = missingForPayments(config);
    if (missing !== null) {
      // Unpayable properties must not go live; a start with payments seeds them.
      log.warn("no demo supply: payments are not configured", { missing });
      return;
    }
    const hotels = config.demoHotels;
    const { properties } = await seedDemo({ baseUrl, demo, hotels, log: (line) => log.info(line) });
    await writeDemoFile(path, { ...demo, properties });
    setFlag(store, SEEDED);
  } finally {
    store.close();
  }
}

/**
 * The file is written before the commit: a crash in between leaves secrets of tenants that do not
 * exist, which the next start replaces, and never tenants with lost secrets.
 */
async function createDemoTenants(store: ControlStore, config: Config, path: string): Promise<void> {
  const pair = await generateKeyPair(ALG, { extractable: true });
  const name = { kid: KID, alg: ALG, use: "sig" };
  const publicJwk = { ...(await exportJWK(pair.publicKey)), ...name };
  const private_jwk = { ...(await exportJWK(pair.privateKey)), ...name };
  const aud = config.platformAudience;
  store.db.run("BEGIN IMMEDIATE");
  try {
    await writeDemoFile(path, {
      base_url: config.baseUrl,
      ...insertTenants(store, aud, publicJwk),
      delegation: { iss: ISS, aud, alg: ALG, kid: KID, private_jwk },
      properties: [],
    });
    store.db.run("COMMIT");
  } catch (error) {
    store.db.run("ROLLBACK");
    throw error;
  }
}

function insertTenants(
  store: ControlStore,
  audience: string,
  jwk: JWK,
): Omit<DemoFile, "base_url" | "delegation" | "properties"> {
  const newTenant = (name: string) => {
    const tenantId = createTenant(store, name);
    // One key for both modes, so that `demo.json` can sign for every demo agent.
    for (const mode of ["live", "test"] as const) {
      addIssuer(
        store,
        { tenant_id: tenantId, mode },
        {
          iss: ISS,
          name: "Demo travelers",
          allowed_audiences: [audience],
          allowed_algs: [ALG],
          // As long as a visit.
          max_ttl_s: 86_400,
          jwks: { keys: [jwk] },
        },
      );
    }
    return tenantId;
  };
  const newAgent = (tenantId: string, kind: "agent" | "operator", mode: Mode): DemoAgent => {
    const name = `Demo ${kind} (${mode})`;
    // No limits: load tests use the demo agents.
    const agentId = createAgent(store, tenantId, { name, kind, mode, limits: NO_LIMITS });
    return { agent_id: agentId, secret: issueCredential(store, agentId).secret };
  };
  const first = newTenant("Demo hotels");
  sellDirectly(store, first);
  const second = newTenant("Second demo hotels");
  return {
    tenant_id: first,
    admin: newAgent(first, "operator", "live"),
    agent: newAgent(first, "agent", "live"),
    test_agent: newAgent(first, "agent", "test"),
    test_admin: newAgent(first, "operator", "test"),
    second_tenant: {
      tenant_id: second,
      admin: newAgent(second, "operator", "live"),
      agent: newAgent(second, "agent", "live"),
    },
  };
}

/** Guests book on the hotels' pages through an agent whose secret nobody knows. */
function sellDirectly(store: ControlStore, tenantId: string): void {
  const terms = { name: "Demo hotel pages (live)", kind: "agent", mode: "live" } as const;
  const limits = { max_open_holds: OPEN_HOLDS_OF_PAGES };
  const agentId = createAgent(store, tenantId, { ...terms, limits, sells_directly: true });
  issueCredential(store, agentId);
}

/** Local address: `BASE_URL` may name a proxy that is not up yet. */
function localAddress({ host, port }: Config): string {
  if (host === "0.0.0.0" || host === "::") return `http://127.0.0.1:${port}`;
  return host.includes(":") ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}

/** Waits until the API is up and knows the agent. */
async function untilAccepted(baseUrl: string, agent: DemoAgent): Promise<void> {
  const deadlineMs = performance.now() + READY_DEADLINE_MS;
  const headers = { authorization: `Bearer ${agent.secret}` };
  for (;;) {
    const signal = AbortSignal.timeout(READY_DEADLINE_MS);
    const answer = await fetch(`${baseUrl}/v1/properties`, { headers, signal }).then(
      (response) => response.status,
      () => "no answer",
    );
    if (answer === 200) return;
    if (performance.now() > deadlineMs) {
      throw new StartFailed(`the api at ${baseUrl} did not accept the demo agent: ${answer}`);
    }
    await Bun.sleep(POLL_INTERVAL_MS);
  }
}
