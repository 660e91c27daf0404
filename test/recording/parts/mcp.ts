/** `POST /mcp`: both eras of the protocol, every tool, resource and prompt, and what is refused. */
import { LISBOA, SEVILLA } from "../hotels.ts";
import type { Actor, Reply } from "../session.ts";
import type { World } from "../world.ts";
import { walkTools } from "./tools.ts";

type Json = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

const ACCEPT = { accept: "application/json, text/event-stream" };
const INFO = { name: "recording", version: "1.0.0" };
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": INFO,
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface Sent {
  readonly as?: Actor;
  readonly headers?: Headers;
  /** The newer era of the protocol, which has no handshake. */
  readonly isNew?: boolean;
}

async function rpc(
  world: World,
  label: string,
  method: string,
  params: Json = {},
  sent: Sent = {},
) {
  const { as = world.main, headers = {}, isNew = false } = sent;
  const era: Record<string, string> = isNew
    ? { "mcp-protocol-version": "2026-07-28", "mcp-method": method }
    : { "mcp-protocol-version": "2025-11-25" };
  const name = params.name ?? params.uri;
  if (isNew && typeof name === "string") era["mcp-name"] = name;
  const body = {
    ...{ jsonrpc: "2.0", id: 1, method },
    params: isNew ? { ...params, _meta: META } : params,
  };
  const ask = { as, headers: { ...ACCEPT, ...era, ...headers }, body };
  return world.ask(`mcp: ${label}`, "POST /mcp", ask);
}

/** The JSON-RPC message of an answer, whichever way it was sent. */
function messageOf(reply: Reply): Json {
  const [, data] = /^data: (.*)$/m.exec(reply.text) ?? [];
  try {
    return data === undefined ? reply.json : JSON.parse(data);
  } catch {
    return {};
  }
}

/** Everything that can be asked of the MCP server. */
export async function talkMcp(world: World): Promise<void> {
  for (const isNew of [false, true]) {
    await introduce(world, isNew);
    await readResources(world, isNew);
    await readPrompts(world, isNew);
    await callBadly(world, isNew);
  }
  await walkTools(world, async (label, name, args) => {
    const reply = await rpc(world, `tool ${name}, ${label}`, "tools/call", {
      name,
      arguments: args,
    });
    const { result } = messageOf(reply) as { result?: { structuredContent?: Json } };
    return result?.structuredContent ?? {};
  });
  await intrude(world);
  await talkBadly(world);
}

async function introduce(world: World, isNew: boolean): Promise<void> {
  for (const protocolVersion of ["2025-11-25", "2025-06-18", "2024-11-05", "1999-01-01", 7]) {
    const params = { protocolVersion, capabilities: {}, clientInfo: INFO };
    await rpc(world, "initialize", "initialize", params, { isNew });
  }
  for (const method of ["server/discover", "ping", "logging/setLevel", "no/such", "tools/list"]) {
    await rpc(world, method, method, {}, { isNew });
  }
  for (const name of ["service", "unscoped", "scopeless", "confined", "test", "other"]) {
    const sent = { as: world.agent(name), isNew };
    await rpc(world, "tools as others", "tools/list", {}, sent);
    await rpc(world, "prompts as others", "prompts/list", {}, sent);
    await rpc(world, "resources as others", "resources/list", {}, sent);
    await rpc(world, "call as others", "tools/call", { name: "list_properties" }, sent);
    const hold = { name: "hold", arguments: { quote_id: "q", idempotency_key: "k" } };
    await rpc(world, "call as others", "tools/call", hold, sent);
    const uri = `hotel://properties/${SEVILLA.slug}`;
    await rpc(world, "resource as others", "resources/read", { uri }, sent);
  }
}

async function readResources(world: World, isNew: boolean): Promise<void> {
  await rpc(world, "resources", "resources/list", {}, { isNew });
  await rpc(world, "resources", "resources/list", { cursor: "x" }, { isNew });
  await rpc(world, "templates", "resources/templates/list", {}, { isNew });
  const uris = [
    ...["innkeep://errors", "innkeep://flows", `hotel://properties/${SEVILLA.slug}`],
    ...[`hotel://properties/${LISBOA.id}`, "hotel://properties/unknown", "hotel://properties/../a"],
    ...["file:///etc/passwd", "", 7],
  ];
  for (const uri of uris) await rpc(world, "resource", "resources/read", { uri }, { isNew });
  await rpc(world, "resource", "resources/subscribe", { uri: "innkeep://errors" }, { isNew });
  const ref = { type: "ref/resource", uri: "hotel://properties/{slug}" };
  for (const value of ["", "hotel", "casa-", "zzz"]) {
    const params = { ref, argument: { name: "slug", value } };
    await rpc(world, "completion", "completion/complete", params, { isNew });
  }
  const prompt = { ref: { type: "ref/prompt", name: "book_a_room" } };
  for (const argument of [{ name: "check_in", value: "2" }, { name: 7 }]) {
    await rpc(world, "completion", "completion/complete", { ...prompt, argument }, { isNew });
  }
}

const PROMPTS = [
  ...["book_a_room", "rebook_after_hold_expiry", "cancel_with_refund", "abandon_and_retry"],
  ...["prove_what_happened", "no_such_prompt"],
];

async function readPrompts(world: World, isNew: boolean): Promise<void> {
  await rpc(world, "prompts", "prompts/list", {}, { isNew });
  const all = { check_in: "2027-06-01", check_out: "2027-06-03", guests: "two" };
  const ids = { hold_id: "hld_1", booking_id: "bkg_1", wish: "a view", destination: "Sevilla" };
  for (const name of PROMPTS) {
    for (const given of [undefined, {}, { ...all, ...ids }, { check_in: 7 }]) {
      const params = { name, ...(given ? { arguments: given } : {}) };
      await rpc(world, "prompt", "prompts/get", params, { isNew });
    }
  }
}

async function callBadly(world: World, isNew: boolean): Promise<void> {
  const calls: readonly Json[] = [
    {},
    { name: "no_such_tool", arguments: {} },
    { name: 7 },
    { name: "search", arguments: [] },
    { name: "search", arguments: "x" },
    { name: "list_properties" },
    { name: "list_properties", arguments: { nonsense: 1 } },
  ];
  for (const params of calls) await rpc(world, "bad call", "tools/call", params, { isNew });
  const inner = `00-${"5eed".repeat(8)}-${"5eed".repeat(4)}-01`;
  for (const traceparent of [inner, "nonsense", 7]) {
    const params = { name: "list_properties", _meta: { traceparent } };
    await rpc(world, "trace of a call", "tools/call", params);
  }
}

/** Pages of other origins and rebound names. */
async function intrude(world: World): Promise<void> {
  const origins = [
    ...["http://localhost:3000", "http://localhost:9", "http://127.0.0.1", "null"],
    ...["https://page.example", "http://localhost.page.example", "no origin"],
  ];
  for (const origin of origins) {
    await rpc(world, "origin", "ping", {}, { headers: { origin } });
  }
  for (const host of ["localhost", "innkeep.test", "page.example:3000", "127.0.0.1:1", "[::1]"]) {
    await rpc(world, "host", "ping", {}, { headers: { host } });
  }
}

async function talkBadly(world: World): Promise<void> {
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const bodies: readonly unknown[] = [
    [ping],
    [],
    { ...ping, jsonrpc: "1.0" },
    { jsonrpc: "2.0" },
    { ...ping, id: null },
    { ...ping, id: "text" },
    { ...ping, id: 1.5 },
    { ...ping, id: {} },
    { ...ping, params: [] },
    { ...ping, method: 7 },
    { ...ping, extra: 1 },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } },
  ];
  for (const body of bodies) {
    await world.ask("mcp: bad message", "POST /mcp", { headers: ACCEPT, body });
  }
  for (const accept of ["application/json", "text/event-stream", "text/html", "*/*", ""]) {
    await world.ask("mcp: accept", "POST /mcp", { headers: { accept }, body: ping });
  }
  const headers: readonly Headers[] = [
    { "mcp-protocol-version": "1999-01-01" },
    { "mcp-protocol-version": "2026-07-28" },
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "other" },
    { "mcp-session-id": "some" },
    { "last-event-id": "1" },
    { "x-delegated-user": "not.a.token" },
  ];
  for (const more of headers) {
    const body = { ...ping, method: "tools/list" };
    await world.ask("mcp: headers", "POST /mcp", { headers: { ...ACCEPT, ...more }, body });
  }
}
