/**
 * Who acts on a service under test: agents of three tenants and both modes, some of them restricted
 * to a few of their tenant's hotels, on twenty hotels of few rooms.
 */
import type { Mode } from "../../engine/core/supply.ts";
import { createAgent } from "../../src/access/control/agents.ts";
import { issueCredential } from "../../src/access/control/credentials.ts";
import { addIssuer, issuerByName } from "../../src/access/control/issuers.ts";
import { createTenant } from "../../src/access/control/tenants.ts";
import { createHotel } from "../support/client.ts";
import type { Service } from "../support/service.ts";

/** An agent, and where it looks for rooms. */
export interface Party {
  readonly tenantId: string;
  readonly mode: Mode;
  readonly agentId: string;
  readonly secret: string;
  /** Those it may reach; it looks for others too, and must be told that it may not. */
  readonly hotels: readonly string[];
  /** Hotels of its tenant and mode that lie outside of its reach. */
  readonly closed: readonly string[];
}

interface Ground {
  readonly mode: Mode;
  readonly hotels: number;
  /** For each agent, to how many of the hotels it is restricted; 0: to none. */
  readonly agents: readonly number[];
}

/** By tenant; twenty hotels in all. */
const GROUNDS: readonly (readonly Ground[])[] = [
  [
    { mode: "live", hotels: 6, agents: [0, 2] },
    { mode: "test", hotels: 4, agents: [0] },
  ],
  [{ mode: "live", hotels: 4, agents: [0] }],
  [
    { mode: "live", hotels: 3, agents: [1] },
    { mode: "test", hotels: 3, agents: [0] },
  ],
];
const ROOMS = [1, 1];
const CONNECTIONS_IN_ROW = 40;
const NO_LIMITS = { rpm: null, burst: null, max_open_holds: null, max_open_quotes: null };

/** Makes tenants, agents and hotels, as their operators would; the demo's tenant is the first. */
export async function settleParties(service: Service): Promise<Party[]> {
  const parties: Party[] = [];
  for (const [i, grounds] of GROUNDS.entries()) {
    const tenantId =
      i === 0 ? service.demo.tenant_id : service.control((store) => createTenant(store, `T${i}`));
    for (const ground of grounds) parties.push(...(await settle(service, tenantId, ground)));
  }
  await untilAllKnow(service, parties.at(-1)!);
  return parties;
}

/** Every connection comes to either process: after so many in a row both know the newest agent. */
async function untilAllKnow(
  service: Service,
  { agentId, secret }: Pick<Party, "agentId" | "secret">,
): Promise<void> {
  const asked = { agent: { agent_id: agentId, secret }, headers: { connection: "close" } };
  for (let inRow = 0; inRow < CONNECTIONS_IN_ROW; inRow += 1) {
    const { status } = await service.api("GET", "/v1/properties", asked);
    if (status === 401) inRow = -1;
  }
}

async function settle(service: Service, tenantId: string, ground: Ground): Promise<Party[]> {
  const { mode, agents } = ground;
  const operator = newAgent(service, tenantId, mode, null, "operator");
  trustDemoIssuer(service, tenantId, mode);
  await untilAllKnow(service, operator);
  const by = { agent_id: operator.agentId, secret: operator.secret };
  const hotels: string[] = [];
  for (let n = 0; n < ground.hotels; n += 1) {
    hotels.push((await createHotel(service, { operator: by, units: ROOMS })).id);
  }
  const parties = agents.map((reach) => {
    const own = reach === 0 ? hotels : hotels.slice(0, reach);
    const agent = newAgent(service, tenantId, mode, reach === 0 ? null : own, "agent");
    return { ...agent, tenantId, mode, hotels: own, closed: hotels.slice(own.length) };
  });
  return parties;
}

function newAgent(
  service: Service,
  tenantId: string,
  mode: Mode,
  property_ids: readonly string[] | null,
  kind: "agent" | "operator",
) {
  return service.control((store) => {
    const terms = { name: kind, kind, mode, property_ids, limits: NO_LIMITS };
    const agentId = createAgent(store, tenantId, terms);
    return { agentId, secret: issueCredential(store, agentId).secret };
  });
}

/** The demo's issuer vouches for travelers of every tenant and mode here. */
function trustDemoIssuer(service: Service, tenantId: string, mode: Mode): void {
  const { demo } = service;
  const { iss } = demo.delegation;
  service.control((store) => {
    const { name, jwks, allowed_audiences } = issuerByName(
      store,
      { tenant_id: demo.tenant_id, mode: "live" },
      iss,
    )!;
    const realm = { tenant_id: tenantId, mode };
    if (!issuerByName(store, realm, iss))
      addIssuer(store, realm, { iss, name, allowed_audiences, jwks: jwks! });
  });
}
