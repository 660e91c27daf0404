/** What every protected route refuses before it looks at anything else. */
import { CALLS, filled } from "../routes.ts";
import type { World } from "../world.ts";
import { unknownSecret } from "../world.ts";

/** Far above the 60 a minute that an address has, however slow the machine. */
const ADDRESS_CALLS = 100;
const PUBLIC_V1 = "/v1/receipts/verify";

/** Every route that asks who is calling. */
export const PROTECTED = CALLS.filter(({ path }) => {
  return (path.startsWith("/v1/") && path !== PUBLIC_V1) || path === "/mcp" || path === "/a2a";
});

/** The `Authorization` headers that nobody is let in with. */
function badHeaders(world: World): Readonly<Record<string, string>> {
  const known = world.main.secret;
  return {
    none: "",
    basic: `Basic ${Buffer.from(`a:${known}`).toString("base64")}`,
    "bare secret": known,
    "empty bearer": "Bearer",
    malformed: "Bearer ik_live_short",
    "bad checksum": `Bearer ${known.slice(0, -1)}${known.endsWith("0") ? "1" : "0"}`,
    unknown: `Bearer ${unknownSecret()}`,
    revoked: `Bearer ${world.agent("revoked").secret}`,
    "revoked credential": `Bearer ${world.agent("cut").secret}`,
    suspended: `Bearer ${world.agent("suspended").secret}`,
    "no token": "Bearer not.a.token",
  };
}

/** Asks every protected route with every bad credential, and with the wrong kinds and scopes. */
export async function askAtTheDoor(world: World): Promise<void> {
  const bad = Object.entries(badHeaders(world));
  for (const [i, { method, path }] of PROTECTED.entries()) {
    const call = `${method} ${filled(path)}`;
    // Every route meets four of them, and all are met again and again.
    const chosen = bad.filter((_, at) => at === 0 || at % 3 === i % 3);
    for (const [name, authorization] of chosen) {
      await world.ask(`door: ${name}`, call, { as: null, headers: { authorization } });
    }
    for (const name of ["unscoped", "scopeless", "partner", "agents-operator", "main"]) {
      if (name === "main" && !path.startsWith("/v1/admin")) continue;
      await world.ask(`door: ${name}`, call, { as: world.agent(name) });
    }
    const tenant = i % 2 === 0 ? "no-uuid" : world.unknownUuid;
    const headers = { "x-tenant-id": tenant };
    await world.ask("door: tenant header", call, { as: world.operator, headers });
    await world.ask("door: unknown query", `${call}?nonsense=1&full=2`, { as: world.operator });
  }
  await askByTenant(world);
  await askTooOften(world);
  await askByTrace(world);
}

async function askByTenant(world: World): Promise<void> {
  const own = world.operator.tenant_id;
  for (const tenant of [own, own.toUpperCase(), world.otherOperator.tenant_id, "", " "]) {
    const headers = { "x-tenant-id": tenant };
    await world.ask("door: own tenant", "GET /v1/properties", { headers });
  }
  for (const name of ["test", "other", "confined", "landless", "service", "partner"]) {
    const as = world.agent(name);
    for (const path of ["", "/hotel-alameda", "/casa-lisboa", "/test-hotel", "/other-hotel/full"]) {
      await world.ask(`door: supply of ${name}`, `GET /v1/properties${path}`, { as });
    }
  }
}

async function askTooOften(world: World): Promise<void> {
  for (let i = 0; i < 3; i += 1) {
    await world.ask("door: default rate", "GET /v1/properties", { as: world.agent("default") });
    await world.ask("door: slow", "GET /v1/properties", { as: world.agent("slow") });
  }
  const limited = { as: world.agent("slow"), body: { jsonrpc: "2.0", id: 1, method: "ping" } };
  for (const path of ["/mcp", "/a2a"]) await world.ask("door: slow", `POST ${path}`, limited);
  for (let i = 0; i < ADDRESS_CALLS; i += 1) {
    const headers = { "x-forwarded-for": "192.0.2.1" };
    const ask = { as: null, headers, body: {} };
    // How many are let through depends on the clock; the last ones never are.
    if (i === 0 || i >= ADDRESS_CALLS - 2)
      await world.ask("door: address rate", `POST ${PUBLIC_V1}`, ask);
    else await world.session.ping(`POST ${PUBLIC_V1}`, headers, "{}");
  }
}

const TRACE = `${"5eed".repeat(8)}`;

async function askByTrace(world: World): Promise<void> {
  const parents = [
    "",
    "garbage",
    `00-${TRACE}-${"5eed".repeat(4)}-00`,
    `01-${TRACE}-${"5eed".repeat(4)}-00-more`,
    `ff-${TRACE}-${"5eed".repeat(4)}-00`,
    `00-${"0".repeat(32)}-${"5eed".repeat(4)}-00`,
    `00-${TRACE}-${"0".repeat(16)}-00`,
    `00-${TRACE.toUpperCase()}-${"5eed".repeat(4)}-00`,
  ];
  for (const traceparent of parents) {
    const headers = { traceparent };
    await world.ask("door: trace", "GET /healthz", { as: null, headers });
    await world.ask("door: trace", "GET /v1/holds/hld_unknown", { headers });
  }
}
