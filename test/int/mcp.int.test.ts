/**
 * Goal: an agent with MCP alone can do the same as one with REST and reads the same envelopes.
 * Method: the real clients of both releases and both eras of the protocol book and cancel rooms,
 * make mistakes and read resources against a running service.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { RELS } from "../../src/actions/steps.ts";
import { ROUTES } from "../../src/app.ts";
import { toolsOf } from "../../src/protocols/tools/catalogue.ts";
import { FLOWS } from "../../src/protocols/tools/flows.ts";
import { addressed, guide } from "../../src/publish/docs/guides.ts";
import { asRest, keysOf, type Receipt } from "../support/answer.ts";
import {
  type Booking,
  bookingBody,
  createHotel,
  type Hold,
  type Hotel,
  newBooking,
  newHold,
  newKey,
  newQuote,
  type Quote,
  sendBooking,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { CLIENTS, McpCaller, mcpUrl } from "../support/mcp-client.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";

const TOOLS = toolsOf(ROUTES);

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

/** The part used of the client's error for an HTTP status of 400 and above. */
interface HttpRefusal {
  readonly data: { readonly text: string };
}

let service: Service;
let hotel: Hotel;
let mcp: McpCaller;

beforeAll(async () => {
  console.log(`SEED=${SEED}`);
  service = await Service.start(WHOLE_DEMO);
  hotel = await createHotel(service);
  const [agent] = await service.newAgents([{}]);
  mcp = await McpCaller.connect(service, { agent: agent! });
});
afterAll(async () => {
  await mcp.close();
  await service.stop();
});

async function held(caller = mcp, key = newKey()): Promise<Hold> {
  const { quote_id } = (await caller.ok<Quote>("quote", { ...stayRequest(hotel) })).data;
  return (await caller.ok<Hold>("hold", { quote_id, idempotency_key: key })).data;
}

async function bookingArguments(hold: Hold) {
  const delegation_token = await service.mintDelegation();
  return { ...bookingBody(hold), idempotency_key: newKey(), delegation_token };
}

const IN_BOTH_PROFILES = CLIENTS.flatMap((client) => [
  { client, profile: "default" },
  { client, profile: "full" },
]);

test.each(IN_BOTH_PROFILES)(
  "a client of $client books and cancels by tools alone, in the profile $profile",
  async (options) => {
    const caller = await McpCaller.connect(service, options);
    const { stay, guests } = stayRequest(hotel);
    const destination = { type: "property", value: hotel.slug };
    const found = await caller.ok("search", { destination, stay, guests });
    const [toQuote] = found.next_actions;
    expect(toQuote!.rel).toBe("quote");
    const quote = await caller.ok<Quote>("quote", { ...toQuote!.body_hint });
    const [toHold] = quote.next_actions;
    const hold = await caller.ok<Hold>("hold", { ...toHold!.body_hint, idempotency_key: newKey() });
    expect(hold.data).toMatchObject({ state: "held", expires_at: hold.expires_at! });
    const booked = await caller.ok<Booking>("book", await bookingArguments(hold.data));
    const { booking_id } = booked.data;
    expect(booked.receipt).toMatchObject({ kind: "booking_confirmed" });
    await caller.ok("verify_receipt", { ...booked.receipt! });
    expect((await caller.ok("get_booking", { booking_id })).data).toMatchObject({
      booking_id,
      state: "confirmed",
    });
    const cancelled = await caller.ok("cancel", {
      booking_id,
      reason_code: "plans_changed",
      delegation_token: await service.mintDelegation(),
    });
    expect(cancelled.receipt).toMatchObject({ kind: "booking_cancelled" });
    const { events } = (await caller.ok<{ events: object[] }>("get_audit", { booking_id })).data;
    expect(events.length).toBeGreaterThan(3);
    const again = { booking_id, delegation_token: await service.mintDelegation() };
    await caller.refused("cancel", again, "booking_not_cancellable");
    await caller.close();
  },
);

test.each(IN_BOTH_PROFILES)(
  "a client of $client with id and secret gets a token, in the profile $profile",
  async (options) => {
    const caller = await McpCaller.discover(service, options);
    expect(await caller.toolNames()).toEqual(TOOLS.map(({ id }) => id));
    await caller.ok("list_properties", {});
    await caller.close();
  },
);

test.each(CLIENTS)("a client of %s takes refusals of every tool as results", async (client) => {
  // Clients hold results against the schemas that this profile adds.
  const caller = await McpCaller.connect(service, { client, profile: "full" });
  expect(await caller.toolNames()).toEqual(TOOLS.map(({ id }) => id));
  for (const { id } of TOOLS) {
    const faults = await caller.faults(id, { nonsense: true, ...(id === "book" && { guest: 1 }) });
    if (id === "book") expect(faults).toContain("/guest");
    if (id !== "verify_receipt") expect(faults).toContain("/nonsense");
  }
  await caller.close();
});

test("a tool answers what its route answers", async () => {
  const { agent } = service.demo;
  const caller = await McpCaller.connect(service, { agent });
  const { booking_id } = await newBooking(service, stayRequest(hotel));
  const property = hotel.slug;
  const [id, currency] = [hotel.id, "USD"];
  for (const [tool, args, path] of [
    ["list_properties", {}, "/v1/properties"],
    ["get_property", { property: id }, `/v1/properties/${id}`],
    ["get_property", { property, currency }, `/v1/properties/${property}?currency=USD`],
    ["get_property_full", { property }, `/v1/properties/${property}/full`],
    ["get_booking", { booking_id }, `/v1/bookings/${booking_id}`],
    ["get_audit", { booking_id }, `/v1/bookings/${booking_id}/audit`],
    ["get_booking", { booking_id: "a/b" }, "/v1/bookings/a%2Fb"],
    ["get_property", { property: "none" }, "/v1/properties/none"],
  ] as const) {
    const answer = (await service.api("GET", path)).json;
    const told = JSON.stringify(asRest(await caller.send(tool, args)));
    // Each read has a trace, and offers keys of its own.
    const traceless = (text: string) => JSON.parse(text.replace(/[0-9a-f]{32}"|-\d{13}"/g, '"'));
    expect(traceless(told)).toEqual(traceless(JSON.stringify(asRest(answer))));
  }
  await caller.close();
});

test("one key is one hold and one booking, by tool or by route", async () => {
  const { agent } = service.demo;
  const caller = await McpCaller.connect(service, { agent });
  const { quote_id } = await newQuote(service, stayRequest(hotel));
  const key = newKey();
  const args = { quote_id, idempotency_key: key };
  const first = await caller.ok<Hold>("hold", args);
  expect(await caller.ok<Hold>("hold", args)).toEqual(first);
  const replay = await sendHold(service, quote_id, { key });
  expect(replay.isReplayed).toBeTrue();
  expect(asRest(replay.ok<Hold>(201))).toEqual(asRest(first) as never);
  await caller.refused("hold", { ...args, quote_id: "another" }, "idempotency_conflict");
  const book = await bookingArguments(first.data);
  const booked = await caller.ok<Booking>("book", book);
  expect(await caller.ok<Booking>("book", book)).toEqual(booked);
  const byRoute = await sendBooking(service, first.data, { key: book.idempotency_key });
  expect(asRest(byRoute.json)).toEqual(asRest(booked) as never);
  await caller.close();
});

test("what was lost is found again by tools alone", async () => {
  const hold = await held();
  const quote = await mcp.ok<Quote>("get_quote", { quote_id: hold.quote_id });
  expect(quote.data).toMatchObject({ quote_id: hold.quote_id });
  const { hold_id } = hold;
  expect((await mcp.ok("get_hold", { hold_id })).data).toMatchObject({ hold_id, state: "held" });
  await mcp.ok("extend_hold", { hold_id });
  const booked = await mcp.ok<Booking>("book", await bookingArguments(hold));
  const { booking_id, confirmation_code } = booked.data;
  const onQuote = async () => {
    const { next_actions } = await mcp.ok("get_quote", { quote_id: hold.quote_id });
    return next_actions.map(({ rel, ...each }) => [rel, (each as { tool?: string }).tool]);
  };
  expect(await onQuote()).toEqual([["get", "get_booking"]]);
  for (const known of [{ confirmation_code }, { hold_id }, { confirmation_code, hold_id }]) {
    const { data, next_actions } = await mcp.ok<{ items: Booking[] }>("find_bookings", known);
    expect(data.items.map((each) => each.booking_id)).toEqual([booking_id]);
    const offered = next_actions.map((each) => (each as { tool?: string }).tool);
    expect(offered).toEqual(["get_booking", "get_audit", "cancel"]);
  }
  const none = await mcp.ok<{ items: Booking[] }>("find_bookings", { hold_id: "hld_none" });
  expect(none.data.items).toEqual([]);
  const own = await mcp.ok<{ items: Booking[] }>("find_bookings", {});
  expect(own.data.items.map((each) => each.booking_id)).toContain(booking_id);
  const fee = await mcp.ok("get_cancellation_quote", { booking_id });
  expect(fee.data).toMatchObject({ booking_id });
  const delegation_token = await service.mintDelegation();
  const cancelled = await mcp.ok("cancel", { booking_id, delegation_token });
  const { refund } = cancelled.data as { refund: { refund_id: string } };
  const { refund_id } = refund;
  const found = await mcp.ok("get_refund", { booking_id, refund_id });
  expect(found.data).toMatchObject({ refund_id });
  expect(await onQuote()).toEqual([["create_hold", "hold"]]);
});

test("the delegation token comes as argument or header, and the header wins", async () => {
  const bare = { ...bookingBody(await held()), idempotency_key: newKey() };
  await mcp.refused("book", bare, "delegation_required");
  await mcp.refused("book", { ...bare, delegation_token: "a.b.c" }, "delegation_invalid");
  expect(await mcp.faults("book", { ...bare, delegation_token: "not one\r\nline" })).toEqual([
    "/delegation_token",
  ]);
  const delegation_token = await service.mintDelegation();
  const hold = await newHold(service, stayRequest(hotel));
  const args = { ...bookingBody(hold), idempotency_key: newKey() };
  const refusing = await McpCaller.connect(service, { headers: { "x-delegated-user": "a.b.c" } });
  await refusing.refused("book", { ...args, delegation_token }, "delegation_invalid");
  const sending = await McpCaller.connect(service, {
    headers: { "x-delegated-user": delegation_token },
  });
  const { booking_id } = (await sending.ok<Booking>("book", args)).data;
  await sending.ok("cancel", { booking_id });
  await Promise.all([refusing.close(), sending.close()]);
});

test("all faults of the arguments are reported at once with their paths", async () => {
  const { guest, payment, ...ids } = bookingBody({ hold_id: "h", quote_id: "q" });
  const primary = { ...guest.primary, email: "nobody" };
  const args = { ...ids, guest: { primary }, payment, colour: "red", delegation_token: 7 };
  expect(await mcp.faults("book", args)).toEqual([
    "/colour",
    "/delegation_token",
    "/guest/primary/email",
    "/idempotency_key",
  ]);
  const { stay, ...request } = stayRequest(hotel);
  const backwards = { check_in: stay.check_out, check_out: stay.check_in };
  expect(await mcp.faults("quote", { ...request, stay: backwards, currency: "euro" })).toEqual([
    "/currency",
  ]);
  expect(await mcp.faults("quote", { ...request, stay: backwards })).toEqual(["/stay/check_out"]);
  expect(await mcp.faults("get_booking", { booking_id: 7, currency: "EUR" })).toEqual([
    "/booking_id",
    "/currency",
  ]);
});

test("a call's own trace context wins over the request's", async () => {
  const span = "00f067aa0ba902b7";
  const [outer, inner] = ["4bf92f3577b34da6a3ce929d0e0e4736", "0af7651916cd43dd8448eb211c80319c"];
  const headers = { traceparent: `00-${outer}-${span}-01` };
  const caller = await McpCaller.connect(service, { headers });
  const traceOf = async (_meta: Record<string, unknown>) =>
    (await caller.ok("list_properties", {}, _meta)).trace_id;
  expect(await traceOf({})).toBe(outer);
  expect(await traceOf({ traceparent: `00-${inner}-${span}-01` })).toBe(inner);
  for (const traceparent of ["nonsense", 7, "é\r\n"])
    expect(await traceOf({ traceparent })).toBe(outer);
  await caller.close();
});

test("what a caller may not do is not offered, and refused when tried all the same", async () => {
  const [agent] = await service.newAgents([{ scopes: ["search"] }]);
  const caller = await McpCaller.connect(service, { agent: agent! });
  expect(await caller.toolNames()).toEqual([
    "search",
    "verify_receipt",
    "list_offers",
    "find_places",
  ]);
  expect((await caller.client.listPrompts()).prompts).toEqual([]);
  const { resources } = await caller.client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(["innkeep://errors", "innkeep://flows"]);
  const hold = { quote_id: "q", idempotency_key: newKey() };
  const { detail } = await caller.refused("hold", hold, "forbidden");
  expect(detail).toEqual({ required_scope: "holds", granted: ["search"] });
  // What is wrong with the arguments is nobody's business then.
  await caller.refused("hold", { colour: "red" }, "forbidden");
  for (const uri of [`hotel://properties/${hotel.slug}`, "hotel://search?q=a"]) {
    await expect(caller.client.readResource({ uri })).rejects.toMatchObject({
      code: -32600,
      data: { error: { code: "forbidden" } },
    });
  }
  const unlisted = caller.client.getPrompt({ name: "book_a_room" });
  await expect(unlisted).rejects.toMatchObject({ code: -32602 });
  await caller.close();
});

test("a caller without a traveler's token hands its hold over, and reads what came of it", async () => {
  const { quote_id } = (await mcp.ok<Quote>("quote", { ...stayRequest(hotel) })).data;
  const hold = await mcp.ok<Hold>("hold", { quote_id, idempotency_key: newKey() });
  const handover = { tool: "create_checkout_session", arguments: { hold_id: hold.data.hold_id } };
  expect(hold.next_actions).toContainEqual(expect.objectContaining({ tool: handover.tool }));
  const { delegation_token: _token, ...bare } = await bookingArguments(hold.data);
  const refused = await mcp.refused("book", bare, "delegation_required");
  const offers = refused.next_actions as readonly { tool?: string; arguments?: object }[];
  const offer = offers.find(({ tool }) => tool === handover.tool);
  expect(offer).toMatchObject(handover);
  expect(offer).not.toHaveProperty("fill_in");
  type Session = { session_id: string; state: string; continue_url: string };
  const made = await mcp.ok<Session>(handover.tool, { ...offer!.arguments });
  const { session_id, continue_url } = made.data;
  expect((await fetch(continue_url)).status).toBe(200);
  expect(made.next_actions).toMatchObject([
    { tool: "get_checkout_session", arguments: { session_id } },
  ]);
  const read = await mcp.ok<Session>("get_checkout_session", { session_id });
  expect(read.data).toMatchObject({ state: "open", booking_id: null });
});

test("another tenant's ids are unknown ids, and its hotels are not listed", async () => {
  const hold = await held();
  const { booking_id } = (await mcp.ok<Booking>("book", await bookingArguments(hold))).data;
  const theirs = await McpCaller.connect(service, { agent: service.demo.second_tenant.agent });
  const delegation_token = await service.mintDelegation();
  const shapeOf = async (tool: string, args: Record<string, unknown>, id: string) => {
    const text = JSON.stringify(await theirs.send(tool, args)).replaceAll(id, "<id>");
    return text.replace(/"trace_id":"[0-9a-f]{32}"/g, "");
  };
  for (const [tool, argsOf, id] of [
    ["get_booking", (id: string) => ({ booking_id: id }), booking_id],
    ["get_audit", (id: string) => ({ booking_id: id }), booking_id],
    ["cancel", (id: string) => ({ booking_id: id, delegation_token }), booking_id],
    ["release_hold", (id: string) => ({ hold_id: id }), hold.hold_id],
    ["get_property", (id: string) => ({ property: id }), hotel.id],
    ["get_property_full", (id: string) => ({ property: id }), hotel.slug],
  ] as const) {
    const unknown = `x${id.slice(1)}`;
    const foreign = await shapeOf(tool, argsOf(id), id);
    expect(foreign).toBe(await shapeOf(tool, argsOf(unknown), unknown));
    expect(foreign).toContain("_not_found");
  }
  const everywhere = await theirs.client.readResource({ uri: "hotel://search" });
  const listed = JSON.stringify(everywhere);
  expect(listed).toContain("hotel://properties/");
  expect(listed).not.toContain(hotel.slug);
  const uri = `hotel://properties/${hotel.slug}`;
  await expect(theirs.client.readResource({ uri })).rejects.toMatchObject({ data: { uri } });
  await theirs.close();
});

test.each(CLIENTS)("a client of %s reads resources and prompts", async (client) => {
  const caller = await McpCaller.connect(service, { client });
  const reader = caller.client;
  const { resources } = await reader.listResources();
  expect(resources.map((each) => each.uri)).toEqual(["innkeep://errors", "innkeep://flows"]);
  const uri = `hotel://properties/${hotel.slug}`;
  for (const each of [uri, "innkeep://errors", "innkeep://flows"]) {
    const { contents } = await reader.readResource({ uri: each });
    const [{ text, mimeType }] = contents as unknown as [{ text: string; mimeType: string }];
    expect(mimeType).toBe("application/json");
    expect(keysOf(JSON.parse(text))).toContain(each === uri ? "slug" : each.split("//")[1]!);
  }
  const { resourceTemplates } = await reader.listResourceTemplates();
  expect(resourceTemplates.map((each) => each.uriTemplate)).toEqual([
    ...["hotel://properties/{slug}", "hotel://search{?q}"],
  ]);
  const completed = await reader.complete({
    ref: { type: "ref/resource", uri: "hotel://properties/{slug}" },
    argument: { name: "slug", value: hotel.slug.slice(0, -3) },
  });
  expect(completed.completion.values).toEqual([hotel.slug]);
  const searched = await reader.readResource({ uri: `hotel://search?q=${hotel.slug}` });
  const [answer] = searched.contents as unknown as [{ text: string }];
  expect(JSON.parse(answer.text)).toMatchObject({ total: 1, properties: [{ uri }] });
  const { prompts } = await reader.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual([
    ...["book_a_room", "cancel_with_refund", "prove_what_happened"],
  ]);
  for (const { name, arguments: known = [] } of prompts) {
    const args = Object.fromEntries(known.map((each) => [each.name, `the ${each.name}`]));
    const { messages } = await reader.getPrompt({ name, arguments: args });
    expect(messages).toHaveLength(1);
    const { text } = messages[0]!.content as { text: string };
    expect(text.length).toBeLessThan(2_000);
    for (const each of known) expect(text).toContain(`- ${each.name}: the ${each.name}`);
    for (const step of FLOWS.find(({ id }) => id === name)!.steps) expect(text).toContain(step);
  }
  const empty = await reader.getPrompt({ name: "cancel_with_refund" });
  expect(JSON.stringify(empty.messages)).toContain("Ask for: booking_id.");
  await caller.close();
});

test("unknown names are errors of the protocol", async () => {
  const { client } = mcp;
  for (const call of [
    () => client.callTool({ name: "no_such_tool", arguments: {} }),
    () => client.getPrompt({ name: "no_such_prompt" }),
    () => client.getPrompt({ name: "abandon_and_retry" }),
    () => client.getPrompt({ name: "constructor" }),
    () => client.readResource({ uri: "hotel://properties/../admin" }),
    () => client.readResource({ uri: "hotel://search?q=a&limit=1" }),
    () => client.readResource({ uri: "file:///etc/passwd" }),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: -32602 });
  }
});

test("tools are described the same way to everyone, in words and hints a model can use", async () => {
  const { tools } = await mcp.client.listTools();
  for (const tool of tools) {
    const known = TOOLS.find(({ id }) => id === tool.name)!;
    expect(tool.title!.length).toBeGreaterThan(5);
    expect(tool.description!.length).toBeGreaterThan(60);
    expect(tool.annotations!.readOnlyHint).toBe(known.isReadOnly);
    expect(JSON.stringify(tool)).not.toContain("$id");
    const names = Object.keys(tool.inputSchema.properties ?? {});
    expect(names.includes("idempotency_key")).toBe(known.takesKey);
    expect(names.includes("delegation_token")).toBe(known.needsDelegation);
    if (known.takesKey) expect(JSON.stringify(tool)).toContain("same on retry");
  }
  const hinted = (hint: "destructiveHint" | "openWorldHint") =>
    tools.filter(({ annotations }) => annotations![hint]).map(({ name }) => name);
  expect(hinted("destructiveHint")).toEqual(["book", "cancel"]);
  expect(hinted("openWorldHint")).toEqual(["book"]);
  for (const { steps } of FLOWS)
    for (const id of steps) expect(TOOLS.some((t) => t.id === id)).toBeTrue();
  for (const { nextRel } of TOOLS) if (nextRel) expect(RELS).toContain(nextRel);
});

test("any arguments are answered with an envelope and never a server error", async () => {
  const nasty = fc.constantFrom("..", "a/b", "%2e%2e", "\u0000", "\ud800", "a".repeat(9_000));
  const values = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }), nasty);
  for (const { id, input } of TOOLS) {
    const names = [...Object.keys(input.properties), "__proto__", "constructor", ""];
    const args = fc.dictionary(fc.constantFrom(...names), values, { maxKeys: names.length });
    const property = fc.asyncProperty(args, async (given) => {
      const answer = await mcp.client
        .callTool({ name: id, arguments: given })
        // A lone surrogate is no JSON to the service: that is refused before there is a result.
        .catch(({ data }: HttpRefusal) => ({ structuredContent: JSON.parse(data.text) }));
      const { error } = answer.structuredContent as { error?: { code: string } };
      if (error) expect(error.code).not.toBe("internal_error");
    });
    await fc.assert(property, { seed: SEED, numRuns: 40 });
  }
  expect(service.log).not.toContain("threw");
});

test.each(CLIENTS)("a client of %s reads at most 16 KB of tools", async (client) => {
  const bytesOf = async (profile?: string) => {
    const caller = await McpCaller.connect(service, { client, ...(profile && { profile }) });
    const { tools } = await caller.client.listTools();
    await caller.close();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ id }) => id));
    const schemas = tools.filter(({ outputSchema }) => outputSchema !== undefined);
    expect(schemas.length).toBe(profile === "full" ? tools.length : 0);
    return Buffer.byteLength(JSON.stringify({ tools }));
  };
  const short = await bytesOf();
  expect(short).toBeLessThanOrEqual(16 * 1024);
  expect(await bytesOf("default")).toBe(short);
  expect(await bytesOf("full")).toBeGreaterThan(4 * short);
});

test("an unknown profile is refused with the known profiles", async () => {
  const answer = await service.api("POST", "/mcp?profile=tiny", {
    body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    headers: { accept: "application/json, text/event-stream" },
  });
  const { detail } = answer.refused("validation_failed");
  expect(detail.field_errors).toEqual([
    { path: "?profile", message: "is not a profile", expected: "one of default, full" },
  ]);
});

test("the address and headers that the guide tells to paste connect, in each of its set-ups", async () => {
  const { markdown } = addressed(await guide("mcp"), new URL(mcpUrl(service)).origin);
  const secret = service.demo.agent.secret;
  const connect = async (url: string, authorization: string) => {
    const bearer = authorization.replace(/\$\{[^}]+\}|<[^>]+>/, secret);
    const client = new Client({ name: "pasted", version: "1.0.0" });
    const requestInit = { headers: { authorization: bearer } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
    await client.close();
  };
  for (const [, text] of markdown.matchAll(/```json\n(.*?)```/gs)) {
    const [url] = text!.match(/http:[^"]*/)!;
    const [bearer] = text!.match(/Bearer [^"]*/)!;
    await connect(url, bearer);
  }
});

test("a receipt that was changed does not verify", async () => {
  const { booking_id } = await newBooking(service, stayRequest(hotel));
  const caller = await McpCaller.connect(service);
  const { receipts } = (await caller.ok<{ receipts: Receipt[] }>("get_booking", { booking_id }))
    .data;
  await caller.ok("verify_receipt", { ...receipts[0]! });
  const forged = { ...receipts[0]!, issuer: "https://example.com" };
  expect(await caller.faults("verify_receipt", forged)).toEqual(["/signature"]);
  await caller.close();
});
