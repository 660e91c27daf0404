/**
 * Goal: an A2A agent finds the service by its cards, trusts them by their signatures and books a
 * room through `POST /a2a`. Method: the protocol's own client, unmodified, in versions 1.0 and 0.3;
 * raw requests only where that client is too polite to send them.
 */
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import {
  AgentCard,
  type Message,
  Role,
  type SendMessageRequest,
  verifyAgentCardSignature,
} from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import type { JWK } from "jose";
import { ROUTES } from "../../src/app.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { Random } from "../../src/ops/demo/random.ts";
import { toolsOf } from "../../src/protocols/tools/catalogue.ts";
import { Answer, asRest, keysOf, type Refusal, type Success } from "../support/answer.ts";
import {
  type Booking,
  bookingBody,
  createHotel,
  type Hold,
  type Hotel,
  newHold,
  newKey,
  type Quote,
  stayRequest,
} from "../support/client.ts";
import { McpCaller } from "../support/mcp-client.ts";
import { mutate } from "../support/mutate.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";

const SEED = process.env.SEED ?? crypto.randomUUID();
const BODIES = 300;
const CARD_PATH = "/.well-known/agent.json";
const A2A_1 = { "a2a-version": "1.0" };

let service: Service;
let hotel: Hotel;
let client: Client;

beforeAll(async () => {
  console.log(`SEED=${SEED}`);
  service = await Service.start({ ...WHOLE_DEMO, API_PROCESSES: "2" });
  hotel = await createHotel(service);
  client = await clientFor(service.demo.agent);
});
afterAll(() => service.stop());

interface ClientTerms {
  readonly path?: string;
  readonly isLegacyToo?: boolean;
  readonly delegation?: string;
}

function factoryFor(agent: DemoAgent | null, { isLegacyToo, delegation }: ClientTerms = {}) {
  const legacyCompat = { enabled: isLegacyToo ?? false };
  const credentials = {
    ...(agent ? { authorization: `Bearer ${agent.secret}` } : {}),
    ...(delegation ? { "x-delegated-user": delegation } : {}),
  };
  const fetchImpl = ((url: string, init: RequestInit) =>
    fetch(url, { ...init, headers: { ...init.headers, ...credentials } })) as typeof fetch;
  return new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })],
    cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
  });
}

function clientFor(agent: DemoAgent | null, terms: ClientTerms = {}): Promise<Client> {
  return factoryFor(agent, terms).createFromUrl(service.demo.base_url, terms.path ?? CARD_PATH);
}

function requestOf(...parts: object[]): SendMessageRequest {
  const message = { messageId: crypto.randomUUID(), role: Role.ROLE_USER, parts };
  return { message } as unknown as SendMessageRequest;
}

const partOf = ($case: "data" | "text", value: unknown) => ({ content: { $case, value } });

async function send(to: Client, ...parts: object[]): Promise<Message> {
  return (await to.sendMessage(requestOf(...parts))) as Message;
}

/** The data of the answer to one skill call. */
async function ask(skill: string, input: object, to = client): Promise<unknown> {
  const answer = await send(to, partOf("data", { skill, input }));
  expect(answer.role).toBe(Role.ROLE_AGENT);
  expect(answer.parts.map(({ content }) => content?.$case)).toEqual(["data", "text"]);
  return answer.parts[0]?.content?.value;
}

async function done<Data>(skill: string, input: object, to = client): Promise<Success<Data>> {
  const text = JSON.stringify(asRest(await ask(skill, input, to)));
  return new Answer(skill, 200, new Headers(), text).ok<Data>();
}

async function refused(skill: string, input: object, to = client): Promise<Refusal> {
  const { error } = (await ask(skill, input, to)) as { readonly error: Refusal };
  return error;
}

/** A request as no client would send it. */
async function rpc(method: string, params: unknown, headers: object = A2A_1) {
  const body = { jsonrpc: "2.0", id: 7, method, params };
  const answer = await service.api("POST", "/a2a", { body, headers: { ...headers } });
  expect(answer.status).toBe(200);
  const { id, result, error } = answer.json as {
    readonly id: unknown;
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string };
  };
  expect(id).toBe(7);
  return { result, code: error?.code, message: error?.message };
}

async function cardAt(path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await service.api("GET", path, { agent: null, headers });
  expect(answer.status).toBe(200);
  return answer.json as AgentCard & Record<string, unknown>;
}

/** Verifies with the published keys, as a stranger would. */
const verify = verifyAgentCardSignature(async (kid, jku) => {
  const { keys } = (await (await fetch(jku!)).json()) as { readonly keys: readonly JWK[] };
  return { ...keys.find((key) => key.kid === kid)! };
});

const CARDS = [
  [CARD_PATH, {}],
  ["/.well-known/agent-card.json", A2A_1],
] as const;

test("the card at agent.json has the contract's members and those of A2A 1.0", async () => {
  const card = await cardAt(CARD_PATH);
  expect(keysOf(card)).toEqual([
    ...["authentication", "capabilities", "defaultInputModes", "defaultOutputModes"],
    ...[
      "description",
      "documentationUrl",
      "iconUrl",
      "name",
      "provider",
      "security",
      "securitySchemes",
    ],
    ...["signatures", "skills", "supportedInterfaces", "url", "version"],
  ]);
  expect(card).toMatchObject({
    url: `${service.demo.base_url}/a2a`,
    authentication: { schemes: ["Bearer"] },
    capabilities: { streaming: false, pushNotifications: false, stateTransitionHistory: false },
    securitySchemes: { bearer: { type: "http" }, oauth2: { type: "oauth2" } },
  });
  expect(card.skills.map(({ id }) => id)).toEqual(toolsOf(ROUTES).map(({ id }) => id));
  for (const skill of card.skills) {
    expect(keysOf(skill)).toEqual(["description", "examples", "id", "name", "tags"]);
  }
});

test("the card for A2A 1.0 has nothing that A2A 1.0 does not know", async () => {
  const card = await cardAt(...CARDS[1]);
  const known = AgentCard.toJSON(AgentCard.fromJSON(card)) as object;
  expect(card).toMatchObject(known);
  expect(keysOf(known)).toEqual(keysOf(card));
});

test("both cards verify against the published keys, and a changed one does not", async () => {
  // The SDK tells the console of every signature that does not verify.
  const report = spyOn(console, "debug").mockImplementation(() => {});
  for (const [path, headers] of CARDS) {
    const card = await cardAt(path, headers);
    await verify(card);
    const [first] = card.supportedInterfaces;
    const forged = { ...card, supportedInterfaces: [{ ...first!, url: "https://x.example" }] };
    await expect(verify(forged)).rejects.toThrow("No valid signatures");
  }
  report.mockRestore();
});

test("a card has the same ETag in every process and is not sent again to a client that has it", async () => {
  for (const [path, headers] of CARDS) {
    const etags = new Set<string | null>();
    for (let i = 0; i < 20; i += 1) {
      const asked = { ...headers, connection: "close" };
      const sent = await service.api("GET", path, { agent: null, headers: asked });
      expect(sent.headers.get("cache-control")).toBe("public, max-age=300");
      etags.add(sent.headers.get("etag"));
    }
    const [etag, ...others] = etags;
    expect(others).toEqual([]);
    const known = { ...headers, "if-none-match": etag! };
    expect((await service.api("GET", path, { agent: null, headers: known })).status).toBe(304);
  }
});

test("the client finds the endpoint by every card and speaks the version it is meant to", async () => {
  for (const path of [CARD_PATH, "/.well-known/agent-card.json"]) {
    for (const isLegacyToo of [false, true]) {
      const found = await clientFor(service.demo.agent, { path, isLegacyToo });
      expect(found.protocolVersion).toBe("1.0");
      expect((await done("list_properties", {}, found)).data).toHaveProperty("items");
    }
  }
  await (await clientFor(service.demo.agent)).getAgentCard(undefined, verify);
  const { supportedInterfaces: _, ...old } = await cardAt(CARD_PATH);
  const factory = factoryFor(service.demo.agent, { isLegacyToo: true });
  const legacy = await factory.createFromAgentCard(old as unknown as AgentCard);
  expect(legacy.protocolVersion).toBe("0.3");
  expect((await done("list_properties", {}, legacy)).data).toHaveProperty("items");
  expect((await refused("get_booking", { booking_id: "x" }, legacy)).code).toBe(
    "booking_not_found",
  );
});

test("a point and an unknown place are answered the same to route, tool and skill", async () => {
  const { stay, guests } = stayRequest(hotel);
  const caller = await McpCaller.connect(service);
  interface Found {
    readonly results: readonly { readonly hotel_id: string }[];
    readonly suggestions?: readonly object[];
  }
  const ways = [
    async (body: object) => (await service.api("POST", "/v1/search", { body })).ok<Found>(),
    (body: object) => caller.ok<Found>("search", { ...body }),
    (body: object) => done<Found>("search", body),
  ];
  const at = (value: string) => ({ destination: { type: "area", value }, stay, guests });
  const place = { value: "Testville, Spain", name: "Testville", kind: "city", country: "ES" };
  const [search] = ways as [(typeof ways)[0]];
  for (const search of ways) {
    const near = await search(at("geo:40.4,-3.7;u=100"));
    expect(near.data.results.map(({ hotel_id }) => hotel_id)).toContain(hotel.id);
    expect(near.data.suggestions).toBeUndefined();
    for (const [value, suggested] of [
      ["geo:40.399,-3.7;u=100", { ...place, distance_m: 111 }],
      ["Testvile", place],
    ] as const) {
      const { data, next_actions } = await search(at(value));
      expect(data.results).toEqual([]);
      const searches = next_actions.filter(({ rel }) => rel === "search");
      expect(data.suggestions).toHaveLength(searches.length);
      expect(data.suggestions![0]).toMatchObject(suggested);
      const [next] = searches;
      expect(next).toMatchObject({ href: "/v1/search", changes: ["/destination"] });
      const meant = await search(next!.body_hint!);
      expect(meant.data.results.map(({ hotel_id }) => hotel_id)).toContain(hotel.id);
    }
  }
  const malformed = await service.api("POST", "/v1/search", { body: at("geo:91,0") });
  expect(malformed.refused("validation_failed").detail).toMatchObject({
    field_errors: [{ path: "/destination/value" }],
  });
  const begun = (await service.api("GET", "/v1/places?q=testv&limit=1")).ok();
  expect(begun.data).toMatchObject({ items: [place] });
  const none = (await service.api("GET", "/v1/places?q=zzzzz")).ok();
  expect(none.data).toEqual({ items: [] });
  for (const { next_actions } of [begun, none]) {
    expect(next_actions.map(({ rel, href }) => [rel, href])).toEqual([["search", "/v1/search"]]);
    expect((await search(next_actions[0]!.body_hint!)).data.results.length).toBeGreaterThan(0);
  }
  expect((await caller.ok("find_places", { q: "testv", limit: 1 })).data).toEqual(begun.data);
  expect((await done("find_places", { q: "testv", limit: 1 })).data).toEqual(begun.data);
});

test("messages alone find, hold, book, read and cancel a room", async () => {
  const stayWanted = stayRequest(hotel);
  const { stay, guests } = stayWanted;
  const destination = { type: "property", value: hotel.slug };
  const found = await done<{ results: readonly { hotel_id: string }[] }>("search", {
    ...{ destination, stay, guests },
  });
  expect(found.data.results[0]!.hotel_id).toBe(hotel.id);
  const { quote_id } = (await done<Quote>("quote", stayWanted)).data;
  const holding = { quote_id, idempotency_key: newKey() };
  const hold = await done<Hold>("hold", holding);
  expect(await done<Hold>("hold", holding)).toEqual(hold);
  const booking = {
    ...bookingBody(hold.data),
    idempotency_key: newKey(),
    delegation_token: await service.mintDelegation(),
  };
  const booked = await done<Booking>("book", booking);
  expect(booked.receipt!.kind).toBe("booking_confirmed");
  expect(await done<Booking>("book", booking)).toEqual(booked);
  const { booking_id } = booked.data;
  expect((await done<Booking>("get_booking", { booking_id })).data.state).toBe("confirmed");
  const delegation = await service.mintDelegation();
  const delegated = await clientFor(service.demo.agent, { delegation });
  const cancelled = await done("cancel", { booking_id }, delegated);
  expect(cancelled.receipt!.kind).toBe("booking_cancelled");
  const { kind, subject, issued_at, issuer, signature } = cancelled.receipt!;
  const receipt = { kind, subject, issued_at, issuer, signature };
  // Who is admitted is not counted by address as well: that would be 60 a minute.
  for (let i = 0; i < 61; i += 1) {
    expect((await done("verify_receipt", receipt)).data).toMatchObject({ valid: true });
  }
  const { events } = (await done<{ events: readonly unknown[] }>("get_audit", { booking_id })).data;
  expect(events).not.toBeEmpty();
});

test("a refusal is the envelope that REST answers with", async () => {
  const { hold_id, quote_id } = await newHold(service, stayRequest(hotel));
  const booking = { ...bookingBody({ hold_id, quote_id }), idempotency_key: newKey() };
  const { code, next_actions, remediation } = await refused("book", booking);
  expect(code).toBe("delegation_required");
  expect(next_actions).not.toBeEmpty();
  const answer = await send(client, partOf("data", { skill: "book", input: booking }));
  expect(answer.parts[1]!.content!.value).toBe(`book was refused: ${code}. ${remediation}`);
  const { detail } = await refused("hold", { quote: "x" });
  expect(detail.field_errors!.map(({ path }) => path).sort()).toEqual([
    ...["/idempotency_key", "/quote", "/quote_id"],
  ]);
  expect((await done("release_hold", { hold_id })).data).toMatchObject({ state: "released" });
});

test("text alone is answered with the skills and the schema of their inputs", async () => {
  const question = requestOf(partOf("text", "A room in Madrid, please"));
  question.message!.contextId = "ctx-1";
  const answer = (await client.sendMessage(question)) as Message;
  expect(answer.contextId).toBe("ctx-1");
  const { skills } = answer.parts[0]!.content!.value as {
    readonly skills: readonly { readonly id: string; readonly input_schema: object }[];
  };
  expect(skills.map(({ id }) => id)).toEqual(toolsOf(ROUTES).map(({ id }) => id));
  for (const { input_schema } of skills) expect(input_schema).toMatchObject({ type: "object" });
});

test("callers at the same time each act as themselves", async () => {
  const { agent, second_tenant } = service.demo;
  const foreign = await createHotel(service, { operator: second_tenant.admin });
  const callers = [
    { client: await clientFor(agent), own: hotel, other: foreign },
    { client: await clientFor(second_tenant.agent), own: foreign, other: hotel },
  ];
  const rounds = Array.from({ length: 20 }, () => callers).flat();
  await Promise.all(
    rounds.map(async ({ client, own, other }) => {
      const { data } = await done<{ id: string }>("get_property", { property: own.id }, client);
      expect(data.id).toBe(own.id);
      const { code } = await refused("quote", stayRequest(other), client);
      expect(code).toBe("property_not_found");
    }),
  );
});

test("the trace of the request continues in the skill", async () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const headers = { ...A2A_1, traceparent: `00-${trace}-00f067aa0ba902b7-01` };
  const message = { messageId: "m", parts: [{ data: { skill: "list_properties" } }] };
  const { result } = await rpc("SendMessage", { message }, headers);
  expect(JSON.stringify(result)).toContain(`"trace_id":"${trace}"`);
});

test("unsupported operations are refused with the protocol's own errors", async () => {
  const message = { messageId: "m", parts: [{ data: { skill: "search" } }] };
  const part = (data: unknown) => ({ message: { messageId: "m", parts: [{ data }] } });
  const cases = [
    ["GetTask", { id: "t1" }, -32001],
    ["GetTask", {}, -32602],
    ["CancelTask", { id: "t1" }, -32001],
    ["SendMessage", { message: { ...message, taskId: "t1" } }, -32001],
    ["CreateTaskPushNotificationConfig", { taskId: "t1", url: "https://x.example" }, -32003],
    ["GetTaskPushNotificationConfig", { taskId: "t1", id: "c" }, -32003],
    ["SendStreamingMessage", { message }, -32004],
    ["SubscribeToTask", { id: "t1" }, -32004],
    ["GetExtendedAgentCard", {}, -32004],
    ["SendMessage", { message: { messageId: "m", parts: [{ url: "https://x.example" }] } }, -32005],
    ["SendMessage", part({ skill: "pay" }), -32602],
    ["SendMessage", part({ skill: "search", input: 1 }), -32602],
    ["SendMessage", { message: { parts: message.parts } }, -32602],
    ["SendMessage", { message, tenant: service.demo.second_tenant.tenant_id }, -32602],
    ["SendMessage", { message: { messageId: "m", parts: [null] } }, -32602],
    ["SendMessage", {}, -32602],
    ["ListTasks", { pageSize: 101 }, -32602],
    ["Nonsense", {}, -32601],
  ] as const;
  for (const [method, params, code] of cases) {
    expect({ method, params, code: (await rpc(method, params)).code }).toEqual({
      method,
      params,
      code,
    });
  }
  expect((await rpc("ListTasks", {})).result).toMatchObject({ tasks: [], totalSize: 0 });
  const own = { message, tenant: service.demo.tenant_id };
  expect((await rpc("SendMessage", own)).code).toBeUndefined();
});

test("version 0.3 is spoken when no version is named, others are refused", async () => {
  const message = { kind: "message", messageId: "m", role: "user" };
  const parts = [{ kind: "data", data: { skill: "list_properties" } }];
  const { result } = await rpc("message/send", { message: { ...message, parts } }, {});
  expect(result).toMatchObject({ kind: "message", parts: [{ kind: "data" }, { kind: "text" }] });
  expect((await rpc("tasks/get", { id: "t1" }, {})).code).toBe(-32001);
  expect((await rpc("message/stream", { message: { ...message, parts } }, {})).code).toBe(-32004);
  const file = [{ kind: "file" }];
  expect((await rpc("message/send", { message: { ...message, parts: file } }, {})).code).toBe(
    -32602,
  );
  expect((await rpc("SendMessage", {}, {})).code).toBe(-32601);
  for (const version of ["0.2", "1.1", "2.0", "x"]) {
    expect((await rpc("SendMessage", {}, { "a2a-version": version })).code).toBe(-32009);
  }
});

test("a malformed or unauthenticated JSON-RPC request is refused in the envelope", async () => {
  const agentless = await service.api("POST", "/a2a", { agent: null, body: {} });
  agentless.refused("unauthenticated");
  expect(agentless.headers.get("www-authenticate")).toStartWith("Bearer");
  await expect(clientFor(null).then((nobody) => ask("search", {}, nobody))).rejects.toThrow("401");
  const post = (body: unknown) => service.api("POST", "/a2a", { body, headers: A2A_1 });
  expect((await post({})).faults()).toEqual(["/jsonrpc", "/method"]);
  expect((await post([{ jsonrpc: "2.0", id: 1, method: "GetTask" }])).faults()).toEqual([""]);
  const raw = " ".repeat(256 * 1024 + 1);
  const large = await service.api("POST", "/a2a", { raw, headers: A2A_1 });
  expect(large.faults()).toEqual([""]);
  expect(service.log).not.toContain("a handler threw");
});

test("300 mutated requests are answered as JSON-RPC or refused in the envelope", async () => {
  const random = new Random(SEED);
  const input = stayRequest(hotel);
  const common = { messageId: "m", contextId: "c", metadata: { a: 1 }, extensions: ["x"] };
  const configuration = { acceptedOutputModes: ["text/plain"], historyLength: 1 };
  const newer = { ...common, role: "ROLE_USER", parts: [{ data: { skill: "quote", input } }] };
  const older = {
    ...{ ...common, kind: "message", role: "user" },
    parts: [{ kind: "data", data: { skill: "quote", input }, metadata: {} }],
  };
  const bodyOf = (method: string, message: object) => {
    return { jsonrpc: "2.0", id: 1, method, params: { message, configuration, metadata: {} } };
  };
  const codes = new Set<unknown>();
  for (let i = 0; i < BODIES; i += 1) {
    const isNew = random.chance(0.5);
    const body = isNew ? bodyOf("SendMessage", newer) : bodyOf("message/send", older);
    const raw = mutate(body, random);
    const answer = await service.api("POST", "/a2a", { raw, headers: isNew ? A2A_1 : {} });
    if (answer.status !== 200) {
      answer.refused("validation_failed");
      continue;
    }
    const { jsonrpc, error } = answer.json as Record<string, { readonly code: number }>;
    expect({ raw, jsonrpc }).toMatchObject({ jsonrpc: "2.0" });
    codes.add(error?.code);
    expect({ raw, code: error?.code }).not.toEqual({ raw, code: -32603 });
  }
  for (const code of [undefined, -32602]) expect(codes).toContain(code);
  expect(service.log).not.toContain("a handler threw");
});
