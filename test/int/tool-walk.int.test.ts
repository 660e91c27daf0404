/**
 * Goal: `tool` and `arguments` of next actions alone are enough, where all that a model has are the
 * tools of MCP or A2A: from a search to a cancelled booking, and from every refusal of a tool that
 * an agent can do something about to the same end. Method: the walker of
 * `test/support/tool-walker.ts`; only the calls that bring it into trouble know names of arguments.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { RefusalCode } from "../../engine/core/refusals.ts";
import { ROUTES } from "../../src/app.ts";
import { refusalCodesOf } from "../../src/http/refusal-codes.ts";
import { mintDelegation } from "../../src/ops/demo/mint-delegation.ts";
import { toolsOf } from "../../src/protocols/tools/catalogue.ts";
import {
  bookingBody,
  createHotel,
  dateIn,
  type Hold,
  type Hotel,
  newBooking,
  newHold,
  newKey,
  newQuote,
  type Quote,
  sendBooking,
  stayRequest,
} from "../support/client.ts";
import { CLIENTS, McpCaller } from "../support/mcp-client.ts";
import { Service, until } from "../support/service.ts";
import { ToolWalker } from "../support/tool-walker.ts";
import type { Trip } from "../support/walker.ts";

let service: Service;
let hotel: Hotel;
let trip: Trip;
let mcp: McpCaller;
/** A hold and a quote that will have expired when the tests come to them. */
let late: Hold;
let stale: Quote;
/** How each walk began. */
const met = new Set<string>();

beforeAll(async () => {
  service = await Service.start({ HOLD_TTL_S: "4", QUOTE_TTL_S: "5" });
  hotel = await createHotel(service);
  const stay = { check_in: dateIn(30), check_out: dateIn(32) };
  const destination = { type: "property", value: hotel.slug };
  trip = { destination, stay, guests: { adults: 2 } };
  mcp = await McpCaller.connect(service);
  late = await freshHold();
  stale = await newQuote(service, stayRequest(hotel));
});
afterAll(async () => {
  await mcp.close();
  await service.stop();
});

interface Start {
  readonly caller?: McpCaller;
  readonly tokens?: readonly string[];
}

/** From this call to a cancelled booking by tools alone; fails unless it was refused so. */
async function recover(
  code: RefusalCode,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  { caller = mcp, tokens = ["tok_visa"] }: Start = {},
): Promise<void> {
  const callTool = (name: string, given: object) => caller.send(name, { ...given });
  const walker = new ToolWalker({ callTool, trip, mint: () => service.mintDelegation(), tokens });
  expect(await walker.recover(tool, args)).toBe(code);
  met.add(code);
}

async function booking(hold: Pick<Hold, "hold_id" | "quote_id">, token?: string) {
  const delegation_token = await service.mintDelegation();
  return { ...bookingBody(hold, token), idempotency_key: newKey(), delegation_token };
}
const freshHold = () => newHold(service, stayRequest(hotel));
const holding = (quote_id: string, idempotency_key = newKey()) => ({ quote_id, idempotency_key });

test.each(CLIENTS)("from a search to a cancelled booking, by a client of %s", async (client) => {
  const caller = await McpCaller.connect(service, { client });
  const callTool = (name: string, given: object) => caller.send(name, { ...given });
  const walker = new ToolWalker({ callTool, trip, mint: () => service.mintDelegation() });
  await walker.walk();
  expect(walker.called).toEqual(["search", "quote", "hold", "book", "cancel"]);
  expect(walker.trail.slice(2)).toEqual(["held", "confirmed", "cancelled"]);
  await caller.close();
});

test("the same by messages of A2A", async () => {
  const callTool = async (skill: string, input: object) => {
    const message = {
      ...{ messageId: crypto.randomUUID(), role: "ROLE_USER" },
      parts: [{ data: { skill, input } }],
    };
    const body = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
    const headers = { "a2a-version": "1.0" };
    const { result } = (await service.api("POST", "/a2a", { body, headers })).json as {
      result: { message: { parts: [{ data: Record<string, unknown> }] } };
    };
    return result.message.parts[0].data;
  };
  const walker = new ToolWalker({ callTool, trip, mint: () => service.mintDelegation() });
  await walker.recover("quote", { ...stayRequest(hotel), hotel_id: 7 });
  expect(walker.trail[0]).toBe("validation_failed");
  expect(walker.called.at(-1)).toBe("cancel");
});

test("from arguments at fault, and from another body under the same key", async () => {
  const { quote_id } = await newQuote(service, stayRequest(hotel));
  await recover("validation_failed", "hold", { quote_id });
  await recover("validation_failed", "search", { stay: { check_in: "soon" }, colour: "red" });
  const hold = await freshHold();
  const { guest: _guest, payment: _payment, ...bare } = await booking(hold);
  await recover("validation_failed", "book", bare);
  const key = newKey();
  await mcp.refused("hold", holding("qt_unknown", key), "quote_not_found");
  await recover("idempotency_conflict", "hold", holding(quote_id, key));
});

test("from an authorization that nobody gave", async () => {
  const authorization_id = "aut_x";
  const named = { ...(await booking(await freshHold())), authorization_id };
  await recover("booking_authorization_invalid", "book", named);
  const unknown = "booking_authorization_not_found";
  await recover(unknown, "get_booking_authorization", { authorization_id });
});

test("from a delegation that is missing, bad or of a stranger", async () => {
  const { delegation_token: _token, ...bare } = await booking(await freshHold());
  await recover("delegation_required", "book", bare);
  const bad = { ...(await booking(await freshHold())), delegation_token: "a.b.c" };
  await recover("delegation_invalid", "book", bad);
  const iss = "https://stranger.example";
  const stranger = await mintDelegation(
    { ...service.demo.delegation, iss },
    { sub: "t", ttlS: 99 },
  );
  const strange = { ...(await booking(await freshHold())), delegation_token: stranger };
  await recover("delegation_issuer_unknown", "book", strange);
  const { booking_id } = await newBooking(service, stayRequest(hotel));
  const delegation_token = await service.mintDelegation({ sub: "somebody-else" });
  await recover("resource_access_denied", "cancel", { booking_id, delegation_token });
});

test("from unknown ids", async () => {
  const asked = stayRequest(hotel);
  await recover("property_not_found", "quote", { ...asked, hotel_id: "x" });
  await recover("room_type_not_found", "quote", { ...asked, room_type_id: "x" });
  await recover("rate_plan_not_found", "quote", { ...asked, rate_plan_id: "x" });
  await recover("quote_not_found", "hold", holding("qt_x"));
  await recover("hold_not_found", "book", await booking({ hold_id: "hld_x", quote_id: "qt_x" }));
  await recover("booking_not_found", "get_booking", { booking_id: "bkg_x" });
});

test("from holds and quotes that do not belong together, or were used", async () => {
  const hold = await freshHold();
  const other = await newQuote(service, stayRequest(hotel));
  const mixed = { hold_id: hold.hold_id, quote_id: other.quote_id };
  await recover("quote_mismatch", "book", await booking(mixed));
  await mcp.ok("release_hold", { hold_id: hold.hold_id });
  await recover("hold_not_active", "book", await booking(hold));
  const used = await freshHold();
  (await sendBooking(service, used)).ok(201);
  await recover("hold_not_active", "book", await booking(used));
});

test("from a room that is gone, and from a ceiling", async () => {
  const [full, capped] = await Promise.all([
    createHotel(service, { units: [1, 9] }),
    createHotel(service, { units: [5, 9] }),
  ]);
  const room_type_id = capped.rooms[0]!.id;
  const ceilings = [{ room_type_id, from: dateIn(30), to: dateIn(31), ceiling: 0 }];
  const path = `/v1/admin/properties/${capped.id}/ari`;
  (await service.api("PUT", path, { agent: service.demo.admin, body: { ceilings } })).ok();
  await newBooking(service, stayRequest(full));
  const gone = await newQuote(service, stayRequest(full));
  await recover("allocation_failed", "hold", holding(gone.quote_id));
  const closed = await newQuote(service, stayRequest(capped));
  await recover("allotment_exhausted", "hold", holding(closed.quote_id));
});

test("from a payment that is refused, and from too many holds", async () => {
  const declined = await booking(await freshHold(), "tok_test_declined");
  const [few] = await service.newAgents([{ limits: { max_open_holds: 1 } }]);
  const caller = await McpCaller.connect(service, { agent: few! });
  const first = await newHold(service, stayRequest(hotel), { agent: few! });
  await Promise.all([
    recover("payment_failed", "book", declined),
    recover("rate_limited", "hold", holding(first.quote_id), { caller }),
  ]);
  await caller.close();
});

test("from what cannot be cancelled or extended any more", async () => {
  const { booking_id } = await newBooking(service, stayRequest(hotel));
  const cancelling = { booking_id, delegation_token: await service.mintDelegation() };
  await mcp.ok("cancel", cancelling);
  const again = await mcp.refused("cancel", cancelling, "booking_not_cancellable");
  expect(again.next_actions.slice(0, 2)).toMatchObject([
    { tool: "get_booking", arguments: { booking_id } },
    { tool: "get_audit", arguments: { booking_id } },
  ]);
  const { hold_id } = await freshHold();
  for (let i = 0; i < 2; i += 1) await mcp.ok("extend_hold", { hold_id });
  await recover("conflict", "extend_hold", { hold_id });
});

test("from a quote and a hold that expired", async () => {
  await until("they expire", () => Date.now() > Date.parse(stale.expires_at) + 300);
  await recover("hold_expired", "book", await booking(late));
  await recover("quote_expired", "hold", holding(stale.quote_id));
});

test("from an outage", async () => {
  const { quote_id } = await newQuote(service, stayRequest(hotel));
  process.kill(service.pids.redis!, "SIGKILL");
  await recover("upstream_unavailable", "hold", holding(quote_id));
});

test("these are all refusals of tools that an agent can recover from", () => {
  const codes = toolsOf(ROUTES).flatMap(({ route }) => refusalCodesOf(route));
  // Nobody but an operator, or the caller's own host, changes what these depend on.
  const operators = [
    ...["unauthenticated", "forbidden", "principal_kind_not_allowed"],
    ...["policy_not_found_for_rate_plan", "service_not_configured", "internal_error"],
    "authorization_required",
  ];
  // A payment without a verdict is asked for again under its key, for some 15 s; that the key stays
  // is a test of `next-calls.test.ts`. What is cancelled stays so.
  const others = ["payment_timeout", "payment_provider_error", "booking_not_cancellable"];
  const missing = new Set<string>(codes.filter((code) => !met.has(code)));
  expect([...missing].sort()).toEqual([...operators, ...others].sort());
});
