/**
 * Goal: secrets and personal data never appear in clear. Method: plant unique words wherever a
 * secret may be, in successful and failing requests; then search for them, raw, in hex and in each
 * alignment of base64, in all files of the data directory, in Redis and its whole traffic, in the
 * logs and in each refusal. A word that is not secret is planted too, to prove that the search
 * works.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import { mintSecret } from "../../src/access/privacy/credential-secret.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import type { Answer } from "../support/answer.ts";
import {
  type Booking,
  bookingBody,
  createHotel,
  type Hold,
  type Hotel,
  newHold,
  newKey,
  newQuote,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { Service, until } from "../support/service.ts";

const word = (name: string) => `canary${name}${crypto.randomUUID().replaceAll("-", "")}`;

const CANARIES = {
  name: word("name"),
  companion: word("companion"),
  email: `${word("mail")}@example.com`,
  phone: `+34${String(crypto.getRandomValues(new BigUint64Array(1))[0]).padStart(20, "7")}`,
  request: word("request"),
  traveler: word("traveler"),
  card: word("card"),
  declinedCard: word("declined"),
  note: word("note"),
  stray: word("stray"),
  unknownSecret: mintSecret("live"),
};

let service: Service;
let agent: DemoAgent;
let hotel: Hotel;
let delegation: string;
let monitor: Socket;
/** Every command that Redis was sent. */
let passed = "";
/** Secrets that the service itself handed out. */
const issued: Record<string, string> = {};
const refusals: string[] = [];

beforeAll(async () => {
  service = await Service.start({ LOG_LEVEL: "debug" });
  monitor = createConnection(join(service.dataDir, "redis", "redis.sock"));
  monitor.setEncoding("latin1");
  monitor.on("data", (chunk: string) => {
    passed += chunk;
  });
  monitor.write("MONITOR\r\n");
  hotel = await createHotel(service, { units: [60_000] });
  [agent] = (await service.newAgents([{}])) as [DemoAgent];
  delegation = await service.mintDelegation({ sub: CANARIES.traveler });
  await book(CANARIES.card);
  await fail();
  await administer();
  await bookOtherwise();
});
afterAll(() => service.stop());

async function hold(): Promise<Hold> {
  return newHold(service, stayRequest(hotel), { agent });
}

function secretBody(of: Hold, provider_token: string) {
  const { name, companion, email, phone, request } = CANARIES;
  return {
    ...bookingBody(of),
    guest: {
      primary: { full_name: name, email, phone },
      additional: [{ full_name: companion }],
    },
    payment: { method: "card", provider_token, billing_country: "ES" },
    special_requests: request,
  };
}

function send(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  const common = { "x-delegated-user": delegation, "idempotency-key": newKey() };
  return service.api("POST", path, { agent, headers: { ...common, ...headers }, body });
}

/** A booking that succeeds, is read and is cancelled. */
async function book(token: string): Promise<void> {
  const answer = await send("/v1/bookings", secretBody(await hold(), token));
  const { booking_id } = answer.ok<Booking>(201).data;
  const shown = (await service.api("GET", `/v1/bookings/${booking_id}`, { agent })).ok();
  expect(shown.data).toMatchObject({
    guest: { primary: { full_name: CANARIES.name } },
    special_requests: CANARIES.request,
    traveler: { sub: CANARIES.traveler },
  });
  await change(booking_id);
  const audit = await service.api("GET", `/v1/bookings/${booking_id}/audit`, { agent });
  const { traveler, events } = audit.ok<{ traveler: object; events: object[] }>().data;
  // Who may read the booking is told its traveler, beside the events and in none of them.
  expect(traveler).toMatchObject({ sub: CANARIES.traveler });
  refusals.push(JSON.stringify(events));
  const cancel = { reason_code: "plans_changed", note: CANARIES.note };
  (await send(`/v1/bookings/${booking_id}/cancel`, cancel)).ok();
}

/** What operators write about a booking, done and refused. */
async function change(booking_id: string): Promise<void> {
  const { name, phone, request, note, stray } = CANARIES;
  const operator = service.demo.admin;
  const post = (path: string, body: object) =>
    service.api("POST", `/v1/admin/${path}`, { agent: operator, body });
  const patch = (body: object, headers = {}) =>
    service.api("PATCH", `/v1/bookings/${booking_id}`, { agent: operator, headers, body });
  const guest = { primary: { full_name: `${name}2`, phone } };
  const keyed = { "idempotency-key": newKey() };
  const changes = { guest, special_requests: `${request}2` };
  (await patch(changes, keyed)).ok();
  (await post(`bookings/${booking_id}/notes`, { text: note })).ok(201);
  (await post("bookings/search", { guest: name })).ok();
  const refund = { amount: 1, reason: "service", note };
  (await post(`bookings/${booking_id}/refunds`, refund)).ok(201);
  const grant = { ...stayRequest(hotel), agent_id: agent.agent_id, currency: "EUR", note };
  (await post("booking-authorizations", { ...grant, max_amount: 1 })).ok(201);
  const refused = [
    await patch({ ...changes, stay: stayRequest(hotel, { nights: 3 }).stay }),
    await patch({ ...changes, rate_plan_id: "none" }, { "idempotency-key": newKey() }),
    await patch({ ...changes, stray }, keyed),
    await patch(changes, { ...keyed, "if-match": '"9"' }),
    await post(`bookings/${booking_id}/refunds`, { ...refund, amount: 100_000 }),
    await post("booking-authorizations/aut_x/approve", { note }),
    await post("bookings/bkg_x/notes", { text: note }),
    await post("bookings/search", { guest: name, stray }),
  ];
  for (const { status, text } of refused.filter(({ status }) => status !== 200)) {
    expect(status).toBeGreaterThanOrEqual(400);
    refusals.push(text);
  }
}

/** The same words in requests that are refused at every step, and in places they do not belong. */
async function fail(): Promise<void> {
  const { stray, unknownSecret, declinedCard } = CANARIES;
  const of = await hold();
  const body = secretBody(of, declinedCard);
  const refuse = async (answer: Promise<Answer>) => {
    const { text, status } = await answer;
    expect(status).toBeGreaterThanOrEqual(400);
    refusals.push(text);
  };
  await refuse(send("/v1/bookings", { ...body, hold_id: "hld_x" }));
  await refuse(send("/v1/bookings", { ...body, guest: { ...body.guest, stray } }));
  await refuse(send("/v1/bookings", { ...body, payment: { ...body.payment, cvc: stray } }));
  const wrong = { primary: { full_name: [CANARIES.name], email: stray, phone: {} } };
  await refuse(send("/v1/bookings", { ...body, guest: wrong }));
  const token = { "x-delegated-user": `${delegation}x` };
  await refuse(send("/v1/bookings", body, token));
  await refuse(send("/v1/bookings", body, { "x-delegated-user": stray }));
  await refuse(send(`/v1/bookings?email=${CANARIES.email}`, body));
  await refuse(send("/v1/search", { destination: 1, guests: stray }));
  await refuse(send("/v1/holds", {}, { authorization: `Bearer ${unknownSecret}` }));
  await refuse(send("/v1/holds", {}, { authorization: `Basic ${unknownSecret}` }));
  await refuse(
    send("/v1/receipts/verify", { kind: stray, signature: stray, subject: { a: stray } }),
  );
  const declined = secretBody(of, "tok_test_declined");
  await refuse(send("/v1/bookings", declined));
  await refuse(send("/v1/bookings", secretBody(of, "tok_test_provider_error")));
  (await send("/v1/bookings", body)).ok(201);
}

/** Secrets that are handed out, replays of the answer included. */
async function administer(): Promise<void> {
  const headers = { "idempotency-key": newKey() };
  const body = { name: "Canary", kind: "agent" };
  for (const _time of ["first", "replayed"]) {
    const options = { agent: service.demo.admin, headers, body };
    const answer = await service.api("POST", "/v1/admin/agents", options);
    const { data } = answer.ok<{ credential: { secret: string | null } }>(201);
    // A replay has none.
    if (data.credential.secret !== null) issued.agentSecret = data.credential.secret;
  }
  const client = { client_id: agent.agent_id, client_secret: agent.secret };
  const form = new URLSearchParams({ grant_type: "client_credentials", ...client });
  const type = { "content-type": "application/x-www-form-urlencoded" };
  const options = { agent: null, headers: type, raw: String(form) };
  const answer = await service.api("POST", "/oauth/token", options);
  issued.accessToken = (answer.json as { access_token: string }).access_token;
  form.set("resource", `${service.demo.base_url}/mcp`);
  const forMcp = await service.api("POST", "/oauth/token", { ...options, raw: String(form) });
  issued.mcpToken = (forMcp.json as { access_token: string }).access_token;
}

/** The same through MCP and A2A, with what REST has headers for as arguments. */
async function bookOtherwise(): Promise<void> {
  const { stray } = CANARIES;
  const rpc = async (path: string, method: string, params: object): Promise<string> => {
    const headers = {
      authorization: `Bearer ${path === "/mcp" ? issued.mcpToken : issued.accessToken}`,
      accept: "application/json, text/event-stream",
      "a2a-version": "1.0",
    };
    const body = { jsonrpc: "2.0", id: 1, method, params };
    return (await service.api("POST", path, { agent: null, headers, body })).text;
  };
  const tool = (name: string, args: unknown) =>
    rpc("/mcp", "tools/call", { name, arguments: args });
  const skill = (data: unknown) => {
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ data }] };
    return rpc("/a2a", "SendMessage", { message });
  };
  const booking = async () => {
    const keyed = { idempotency_key: newKey(), delegation_token: delegation };
    return { ...secretBody(await hold(), CANARIES.card), ...keyed };
  };
  expect(await tool("book", await booking())).toContain("confirmation_code");
  expect(await skill({ skill: "book", input: await booking() })).toContain("confirmation_code");
  const wrong = { ...(await booking()), guest: stray, [`x${stray}`]: stray };
  for (const text of [
    await tool("book", { ...wrong, delegation_token: `${delegation}x` }),
    await tool("book", stray),
    await skill({ skill: "book", input: { ...(await booking()), hold_id: "hld_x" } }),
    await skill({ skill: 1, input: stray }),
    await skill([stray]),
    await rpc("/a2a", "SendMessage", { message: stray }),
    await rpc("/mcp", "resources/read", { uri: [stray] }),
  ]) {
    expect(text).toContain("error");
    const answered = JSON.stringify(unrepeated(JSON.parse(text.slice(text.indexOf("{")))));
    refusals.push(answered.replaceAll(`x${stray}`, "<a name is no value>"));
  }
}

/** An answer without the arguments of a tool's retry: they go back to the one who sent them. */
function unrepeated(value: unknown): unknown {
  if (typeof value === "string" && value.startsWith("{")) return unrepeated(JSON.parse(value));
  if (Array.isArray(value)) return value.map(unrepeated);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(
    ([name]) => !(name === "arguments" && "rel" in value),
  );
  return Object.fromEntries(members.map(([name, own]) => [name, unrepeated(own)]));
}

/** A word in all the ways it could have been written. */
function spellings(text: string): string[] {
  const bytes = Buffer.from(text);
  const shifted = [0, 1, 2].map((shift) => {
    const coded = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    // The first and last characters depend on the neighbours.
    return coded.slice(shift === 0 ? 0 : 4, -4);
  });
  const url = shifted.map((coded) => coded.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([text, bytes.toString("hex"), ...shifted, ...url])];
}

/** What must be found nowhere, with the places where it was found. */
function hitsIn(places: Readonly<Record<string, string>>): string[] {
  const [, payload = "", signature = ""] = delegation.split(".");
  const own = { ...issued, callerSecret: agent.secret, token: delegation, payload, signature };
  const secrets = { ...CANARIES, ...own };
  return Object.entries(secrets).flatMap(([name, secret]) =>
    Object.entries(places).flatMap(([place, text]) =>
      spellings(secret).some((spelling) => text.includes(spelling)) ? [`${name} in ${place}`] : [],
    ),
  );
}

/** Whom a mail is for stands in it, and nothing else of the guest. */
const IN_MAILS = /^(name|email) in /;

/** All mails that were written into the outbox. */
function mails(): Record<string, string> {
  const outbox = join(service.dataDir, "outbox");
  const read = (name: string) => [name, readFileSync(join(outbox, name), "latin1")];
  return Object.fromEntries(existsSync(outbox) ? readdirSync(outbox).map(read) : []);
}

/** All files of the data directory but those whose purpose is to hold secrets, or mails. */
function files(): Record<string, string> {
  const all = readdirSync(service.dataDir, { recursive: true, withFileTypes: true });
  const paths = all.filter((entry) => entry.isFile()).map((at) => join(at.parentPath, at.name));
  const read = paths.filter((path) => !/\/((demo|secrets)\.json|outbox\/.*)$/.test(path));
  return Object.fromEntries(read.map((path) => [path, readFileSync(path, "latin1")]));
}

/** Every key of Redis and what it holds. */
async function redisContents(): Promise<string> {
  const client = new Bun.RedisClient(
    `redis+unix://${join(service.dataDir, "redis", "redis.sock")}`,
  );
  const readers: Readonly<Record<string, readonly string[]>> = {
    string: ["GET"],
    hash: ["HGETALL"],
    list: ["LRANGE", "0", "-1"],
    set: ["SMEMBERS"],
    zset: ["ZRANGE", "0", "-1"],
    stream: ["XRANGE", "-", "+"],
  };
  const keys = new Set<string>();
  let cursor = "0";
  do {
    const [next, page] = (await client.send("SCAN", [cursor, "COUNT", "500"])) as [
      string,
      string[],
    ];
    for (const key of page) keys.add(key);
    cursor = next;
  } while (cursor !== "0");
  let text = "";
  for (const key of keys) {
    const type = String(await client.send("TYPE", [key]));
    const [command, ...args] = readers[type] ?? [];
    if (command) text += `${key} ${JSON.stringify(await client.send(command, [key, ...args]))}\n`;
  }
  client.close();
  return text;
}

/** Enough rows that the worker writes a snapshot when it stops. */
async function fillJournal(): Promise<void> {
  const { quote_id } = await newQuote(service, stayRequest(hotel));
  let left = 5_000;
  const lane = async () => {
    for (; left > 0; left -= 1) (await sendHold(service, quote_id)).ok(201);
  };
  await Promise.all(Array.from({ length: 40 }, lane));
}

test("Redis never sees a secret, neither kept nor in passing", async () => {
  const kept = await redisContents();
  expect(kept).toContain(hotel.id);
  expect(passed).toContain(hotel.slug);
  expect(hitsIn({ kept, passed })).toEqual([]);
});

test("no refusal and no audit repeats a secret", () => {
  expect(refusals.length).toBeGreaterThan(10);
  expect(hitsIn(Object.fromEntries(refusals.entries()))).toEqual([]);
});

test("no log line holds a secret, at the most talkative level", () => {
  expect(service.log).toContain('"msg":"ready"');
  expect(hitsIn({ log: service.log })).toEqual([]);
});

test("a mail in the outbox holds its recipient and no other data of the guest", async () => {
  const isThere = () => Object.values(mails()).some((text) => text.includes(CANARIES.email));
  await until("the mails are written", isThere);
  const hits = hitsIn(mails());
  expect(hits.filter((hit) => IN_MAILS.test(hit))).not.toBeEmpty();
  expect(hits.filter((hit) => !IN_MAILS.test(hit))).toEqual([]);
  expect(hitsIn(Object.fromEntries(Object.keys(mails()).entries()))).toEqual([]);
});

/** `npm run requests -- …` about this service, as an operator at the machine gives it. */
async function requests(...words: string[]) {
  const child = Bun.spawn(["node", "scripts/entry.cjs", "requests", ...words], {
    cwd: join(import.meta.dir, "..", ".."),
    env: { ...process.env, ...service.place, DOCS_URL: "https://docs.example" },
    stdout: "pipe",
  });
  return { text: await child.stdout.text(), exitCode: await child.exited };
}

test("a refused request is found by its trace id, with its fields and its reason, and no values", async () => {
  const { name, email, stray, unknownSecret } = CANARIES;
  const body = {
    ...bookingBody(await hold()),
    guest: { primary: { full_name: name }, [stray]: 1 },
  };
  const unknown = { authorization: `Bearer ${unknownSecret}` };
  const path = `/v1/holds/${stray}`;
  const answers = [
    [await send(`/v1/bookings?email=${email}`, body), /\n {2}fields {2}.*\?\*.*\/guest\/\*/],
    [await send("/v1/holds", {}, unknown), /\n {2}reason {2}unknown_credential\n/],
    [await service.api("GET", path, { agent }), /GET \/v1\/holds\/:id {2}404 hold_not_found/],
    [await service.api("GET", `${path}/${stray}`, { agent }), /GET \(no route\) {2}404/],
  ] as const;
  expect(answers.map(([{ status }]) => status)).toEqual([400, 401, 404, 404]);
  const directory = join(service.dataDir, "requests");
  const log = () =>
    readdirSync(directory).map((file) => readFileSync(join(directory, file), "utf8"));
  const traces = answers.map(([answer]) => answer.headers.get("x-trace-id")!);
  await until("the requests are logged", () =>
    traces.every((trace) => log().join("").includes(trace)),
  );
  for (const [nth, [answer, told]] of answers.entries()) {
    const { code, remediation } = (answer.json as { error: Record<string, string> }).error;
    const found = await requests(traces[nth]!);
    expect(found.text).toMatch(told);
    expect(found.text).toContain(`\n  docs    https://docs.example/errors/${code}\n`);
    if (nth < 3) expect(found.text).toContain(`\n  do      ${remediation}\n`);
    expect(found.exitCode).toBe(0);
  }
  // A tool's arguments are refused before they reach a route, in an answer whose status is 200.
  const params = { name: "get_hold", arguments: { hold_id: 7, [stray]: stray } };
  const called = await service.api("POST", "/mcp", {
    ...{ agent, headers: { accept: "application/json, text/event-stream" } },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
  });
  const [, ofTool = ""] = /trace_id\W+([0-9a-f]{32})/.exec(called.text) ?? [];
  await until("the tool call is logged", () => log().join("").includes(ofTool));
  expect((await requests(ofTool)).text).toContain("POST /mcp  400 validation_failed");
  const listed = await requests(
    "--agent",
    agent.agent_id,
    "--status",
    "4xx",
    "--since",
    "1h",
    "--json",
  );
  const codes = (JSON.parse(listed.text) as { code: string }[]).map(({ code }) => code);
  expect(codes).toContain("hold_not_found");
  expect(codes).not.toContain("unauthenticated");
  expect((await requests("0".repeat(32))).exitCode).toBe(1);
  expect(hitsIn({ log: log().join(""), listed: listed.text })).toEqual([]);
});

test("no file of the data directory holds a secret, running or stopped", async () => {
  const running = files();
  const named = (part: string, places: Record<string, string>) =>
    Object.entries(places).filter(([path]) => path.includes(part));
  const holds = (part: string, places: Record<string, string>) =>
    named(part, places).some(([, text]) => text.includes(hotel.slug));
  expect(holds("/engine/0.db", running)).toBeTrue();
  expect(holds("appendonly", running)).toBeTrue();
  expect(hitsIn(running)).toEqual([]);
  monitor.destroy();
  await fillJournal();
  await service.end("SIGTERM");
  // A worker that is short of time leaves the snapshot to the next stop.
  for (let i = 0; i < 3 && named("snapshot", files()).length === 0; i += 1) {
    await service.restart();
    await service.end("SIGTERM");
  }
  const stopped = files();
  expect(named("snapshot", stopped)).not.toBeEmpty();
  expect(hitsIn(stopped)).toEqual([]);
});
