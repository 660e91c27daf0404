/** The supply, the agents and the issuers that everything else is asked of, all made over HTTP. */
import { DRAFT, LISBOA, SEVILLA, smallHotel, TOKYO } from "../hotels.ts";
import type { Actor } from "../session.ts";
import { ISS } from "../tokens.ts";
import { UNLIMITED, type World } from "../world.ts";

const PROPERTIES = "/v1/admin/properties";

/** Makes hotels, agents and issuers. */
export async function setUp(world: World): Promise<void> {
  await freeOperators(world);
  await makeHotels(world);
  await makeAgents(world);
  await makeIssuers(world);
}

/** Operators are made with the default rate; ours ask more than that. */
async function freeOperators(world: World): Promise<void> {
  for (const as of [world.operator, world.testOperator, world.otherOperator]) {
    const body = { limits: UNLIMITED };
    await world.admin("setup", `PATCH /v1/admin/agents/${as.agent_id}`, { as, body });
  }
}

async function makeHotels(world: World): Promise<void> {
  const promoted = [SEVILLA, LISBOA, TOKYO];
  for (const body of [...promoted, DRAFT]) {
    await world.admin("setup", `POST ${PROPERTIES}`, { body });
  }
  for (const { id } of promoted) {
    const body = { dry_run: true };
    await world.admin("setup: dry run", `POST ${PROPERTIES}/${id}/promote`, { body });
    await world.admin("setup", `POST ${PROPERTIES}/${id}/promote`);
  }
  const rates = { base: "EUR", rates: { USD: "1.0850", GBP: "0.8540", JPY: "163.25" } };
  await world.admin("setup", "PUT /v1/admin/fx", { body: rates });
  const others = [
    { as: world.testOperator, body: smallHotel(0x500, "test-hotel") },
    { as: world.otherOperator, body: smallHotel(0x600, "other-hotel") },
  ];
  for (const { as, body } of others) {
    await world.admin("setup", `POST ${PROPERTIES}`, { as, body });
    await world.admin("setup", `POST ${PROPERTIES}/${body.id}/promote`, { as });
  }
}

interface Made extends Record<string, unknown> {
  readonly name: string;
  readonly kind?: string;
  readonly limits?: object;
}

const AGENTS: readonly Made[] = [
  { name: "main", contact: "ops@example.com" },
  { name: "colleague" },
  { name: "service", kind: "service" },
  { name: "partner", kind: "partner" },
  { name: "unscoped", scopes: ["search"] },
  { name: "scopeless", scopes: [] },
  { name: "confined", property_ids: [SEVILLA.id] },
  { name: "landless", property_ids: [] },
  { name: "default", limits: {} },
  { name: "slow", limits: { rpm: 1, burst: 1 } },
  { name: "slow-client", limits: { rpm: 1, burst: 1 } },
  { name: "thrifty", limits: { max_booking_amount: { amount: 10_000, currency: "EUR" } } },
  { name: "one-hold", limits: { rpm: null, burst: null, max_open_holds: 1 } },
  { name: "one-quote", limits: { rpm: null, burst: null, max_open_quotes: 1 } },
  { name: "suspended" },
  { name: "revoked" },
  { name: "cut", expires_at: "2199-01-31T12:00:00Z" },
  { name: "agents-operator", kind: "operator", scopes: ["admin:agents"] },
  { name: "confined-operator", kind: "operator", property_ids: [SEVILLA.id] },
  { name: "supply-operator", kind: "operator", scopes: ["admin:properties", "admin:fx"] },
];

async function makeAgents(world: World): Promise<void> {
  for (const made of AGENTS) await makeAgent(world, made.name, made, world.operator);
  await makeAgent(world, "test", { name: "test" }, world.testOperator);
  await makeAgent(world, "other", { name: "other" }, world.otherOperator);
  const at = (name: string) => `/v1/admin/agents/${world.agent(name).agent_id}`;
  await world.admin("setup", `PATCH ${at("suspended")}`, { body: { state: "suspended" } });
  await world.admin("setup", `DELETE ${at("revoked")}`);
  const shown = await world.admin("setup", `GET ${at("cut")}`);
  const id = shown.data.credentials?.[0]?.credential_id;
  await world.admin("setup", `DELETE ${at("cut")}/credentials/${id}`);
}

async function makeAgent(world: World, name: string, made: Made, as: Actor): Promise<void> {
  const body = { kind: "agent", limits: UNLIMITED, ...made };
  const reply = await world.admin("setup: agent", "POST /v1/admin/agents", { as, body });
  const { agent_id = "agt_missing", credential } = reply.data;
  world.agents.set(name, { agent_id, secret: credential?.secret ?? "missing" });
}

async function makeIssuers(world: World): Promise<void> {
  const path = "/v1/admin/delegation-issuers";
  const { jwks } = world.tokens;
  const make = async (iss: string, more: object = {}, as: Actor = world.operator) => {
    const body = { iss, name: `Issuer ${iss}`, jwks, ...more };
    const reply = await world.admin("setup: issuer", `POST ${path}`, { as, body });
    return reply.data.issuer_id;
  };
  await make(ISS);
  await make("https://es-only.example", { allowed_algs: ["ES256"] });
  await make("https://elsewhere.example", { allowed_audiences: ["https://elsewhere.example"] });
  await make(ISS, {}, world.otherOperator);
  for (const verb of ["suspend", "revoke"]) {
    const id = await make(`https://${verb === "revoke" ? "revoked" : "suspended"}.example`);
    await world.admin("setup: issuer", `POST ${path}/${id}/${verb}`);
  }
}
