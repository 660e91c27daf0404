/**
 * Goal: an agent asks about a hotel over REST and gets answers that rest on facts. Method: a real
 * service with its demo hotels, asked as agents do.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { NextAction } from "../../src/actions/next-action.ts";
import { newKey } from "../support/client.ts";
import { type ModelAct, ModelServer } from "../support/model-server.ts";
import { Service } from "../support/service.ts";

const SESSIONS = "/v1/advisor/sessions";

interface Message {
  readonly role: string;
  readonly message: string;
  readonly grounded_facts: readonly string[];
  readonly suggestions: readonly { readonly label: string; readonly href: string }[];
  readonly answered_by: string | null;
  readonly fallback_reason: string | null;
}

interface Session {
  readonly session_id: string;
  readonly property_slug: string;
  readonly property_name: string;
  readonly messages: readonly Message[];
}

interface Property {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly checkin_time: string;
}

let service: Service;
let hotel: Property;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1", WEBHOOKS_ALLOW_PRIVATE: "1" });
  const list = await service.api("GET", "/v1/properties");
  const [first] = list.ok<{ readonly items: readonly Property[] }>().data.items;
  hotel = (await service.api("GET", `/v1/properties/${first!.slug}/full`)).ok<Property>().data;
});
afterAll(() => service.stop());

async function newSession(locale?: string): Promise<Session> {
  const body = { property_slug: hotel.slug, ...(locale && { locale }) };
  return (await service.api("POST", SESSIONS, { body })).ok<Session>(201).data;
}

function ask(session_id: string, message: string, headers: Record<string, string> = {}) {
  return service.api("POST", `${SESSIONS}/${session_id}/messages`, { body: { message }, headers });
}

test("a session is made, answers when check-in is, is read again and deleted", async () => {
  const created = await service.api("POST", SESSIONS, { body: { property_slug: hotel.slug } });
  const { data, expires_at } = created.ok<Session>(201);
  expect(Object.keys(data).sort()).toEqual(
    ["created_at", "messages", "property_name", "property_slug", "session_id", "updated_at"].sort(),
  );
  expect(data).toMatchObject({ property_slug: hotel.slug, property_name: hotel.name });
  expect(data.messages).toEqual([]);
  expect(Date.parse(expires_at!) - Date.now()).toBeWithin(86_000_000, 86_410_000);
  const answered = (await ask(data.session_id, "When can we check in?")).ok<Session>().data;
  const [question, answer] = answered.messages;
  expect(question).toMatchObject({ role: "user", grounded_facts: [], answered_by: null });
  expect(answer!.message).toContain(hotel.checkin_time);
  expect(answer!.grounded_facts).toContain(`checkin_time: ${hotel.checkin_time}`);
  expect(answer!.answered_by).toBe("rules");
  const path = `${SESSIONS}/${data.session_id}`;
  expect((await service.api("GET", path)).ok<Session>().data).toEqual(answered);
  expect((await service.api("DELETE", path)).ok<Session>().data.messages).toEqual([]);
  expect((await service.api("GET", path)).status).toBe(404);
});

test("the search that an answer offers is for the stay and party of the conversation", async () => {
  const { session_id } = await newSession();
  const [check_in, check_out] = [40, 42].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
  );
  const offered = async (message: string) => {
    const { next_actions } = (await ask(session_id, message)).ok<Session>();
    return next_actions.find(({ rel }) => rel === "search")!.body_hint;
  };
  const about = { stay: { check_in, check_out }, guests: { adults: 9, children: [] } };
  const text = `A room for 9 adults from ${check_in} to ${check_out}?`;
  expect(await offered(text)).toMatchObject(about);
  expect(await offered("Is there a pool?")).toMatchObject(about);
});

test("another agent's session and a session that does not exist are refused alike", async () => {
  const { session_id } = await newSession();
  const stranger = service.demo.admin;
  const unknown = crypto.randomUUID();
  for (const [method, tail, body] of [
    ["GET", "", undefined],
    ["POST", "/messages", { message: "Is there a pool?" }],
    ["DELETE", "", undefined],
  ] as const) {
    const refusals = [];
    for (const id of [session_id, unknown]) {
      const answer = await service.api(method, `${SESSIONS}/${id}${tail}`, {
        ...{ agent: stranger, body },
      });
      const { code, detail } = answer.refused("validation_failed", 404);
      refusals.push({ code, detail });
    }
    expect(refusals[0]).toEqual(refusals[1]!);
    expect(refusals[0]!.detail).toMatchObject({ field_errors: [{ path: "/session_id" }] });
  }
});

test("a key has one effect: the answer is replayed, also after further messages", async () => {
  const { session_id } = await newSession();
  const headers = { "idempotency-key": newKey() };
  const first = await ask(session_id, "When is check-in?", headers);
  first.ok<Session>();
  (await ask(session_id, "Is there a pool?")).ok();
  const again = await ask(session_id, "When is check-in?", headers);
  expect(again.text).toBe(first.text);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  (await ask(session_id, "Something else", headers)).refused("idempotency_conflict", 409);
  const now = (await service.api("GET", `${SESSIONS}/${session_id}`)).ok<Session>().data;
  expect(now.messages).toHaveLength(4);
});

test("an unknown hotel is refused, and with a key for ever", async () => {
  const headers = { "idempotency-key": newKey() };
  const body = { property_slug: "hotel-that-never-was" };
  const first = await service.api("POST", SESSIONS, { body, headers });
  first.refused("property_not_found", 404);
  const again = await service.api("POST", SESSIONS, { body, headers });
  again.refused("property_not_found", 404);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("asked for events, the answer comes line by line and ends with the session", async () => {
  const { session_id } = await newSession();
  const answer = await ask(session_id, "When is check-in?", { accept: "text/event-stream" });
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  const frames = answer.text.trim().split("\n\n");
  expect(frames[0]).toStartWith("event: delta\n");
  const last = frames.at(-1)!;
  expect(last).toStartWith("event: session\n");
  const envelope = JSON.parse(last.slice(last.indexOf("{"))) as {
    readonly data: Session;
    readonly next_actions: readonly NextAction[];
  };
  expect(envelope.data.messages).toHaveLength(2);
  expect(envelope.next_actions.map(({ rel }) => rel)).toContain("get");
});

const CONFIG = "/v1/admin/ai-config";

function configure(terms: object, headers: Record<string, string> = {}) {
  const agent = service.demo.admin;
  return service.api("PUT", CONFIG, { agent, headers, body: { provider: "http", ...terms } });
}

/** What a question is answered while a model acts so. */
async function answerWhile(model: ModelServer, act: ModelAct): Promise<Message> {
  model.act = act;
  const { session_id } = await newSession();
  return (await ask(session_id, "When is check-in?")).ok<Session>().data.messages.at(-1)!;
}

test("the configuration is stored by version and its key is never shown", async () => {
  const agent = service.demo.admin;
  const before = await service.api("GET", CONFIG, { agent });
  const { version } = before.ok<{ readonly version: number }>().data;
  const secret = "sk-model-key-that-nobody-reads";
  const set = await configure({ enabled: false, secret }, { "if-match": `"${version}"` });
  expect(set.ok().data).toMatchObject({ has_secret: true, version: version + 1 });
  expect(set.text).not.toContain(secret);
  expect((await service.api("GET", CONFIG, { agent })).text).not.toContain(secret);
  const late = await configure({ enabled: false }, { "if-match": `"${version}"` });
  expect(late.refused("conflict").detail).toMatchObject({ reason: "version_mismatch" });
  (await service.api("GET", CONFIG)).refused("principal_kind_not_allowed");
  (await configure({ enabled: true, endpoint: "http://10.0.0.1/x" })).refused("validation_failed");
  (await configure({ enabled: true })).ok();
  const { session_id } = await newSession();
  (await ask(session_id, "When is check-in?")).refused("service_not_configured");
});

test("a grounded answer of a model is returned; after any misbehaviour the rules answer", async () => {
  const model = new ModelServer();
  try {
    const terms = { enabled: true, endpoint: model.url, model: "m", secret: "sk-test" };
    (await configure({ ...terms, disclosure: "Written by a model." })).ok();
    const fact = `checkin_time: ${hotel.checkin_time}`;
    const message = `You can check in from ${hotel.checkin_time}.`;
    const told = await answerWhile(model, { is: "says", message, used_facts: [fact] });
    expect(told).toMatchObject({
      ...{ answered_by: "model", fallback_reason: null, grounded_facts: [fact] },
      message: `${message}\nWritten by a model.`,
    });
    expect(model.authorization).toBe("Bearer sk-test");
    expect(model.prompt).toContain(fact);
    const acts: readonly (readonly [ModelAct, string])[] = [
      [{ is: "says", message: "Check-in is from 03:33.", used_facts: [fact] }, "ungrounded_time"],
      [{ is: "says", message, used_facts: ["checkin_time: 03:33"] }, "ungrounded_unknown_fact"],
      [{ is: "says", message: "See https://evil.example", used_facts: [fact] }, "ungrounded_link"],
      [{ is: "floods" }, "too_large"],
      [{ is: "half" }, "unreachable"],
      [{ is: "dies" }, "unreachable"],
      [{ is: "refuses" }, "status"],
      [{ is: "streams" }, "malformed"],
    ];
    for (const [act, fallback_reason] of acts) {
      const answer = await answerWhile(model, act);
      expect(answer).toMatchObject({ answered_by: "rules", fallback_reason });
      expect(answer.message).toContain(hotel.checkin_time);
      expect(answer.message).not.toMatch(/evil|03:33/);
    }
    const stalled = await answerWhile(model, { is: "stalls" });
    expect(stalled).toMatchObject({ answered_by: "rules", fallback_reason: "timeout" });
    (await configure({ ...terms, max_calls_per_day: 0 })).ok();
    const limited = await answerWhile(model, { is: "says", message, used_facts: [fact] });
    expect(limited).toMatchObject({ answered_by: "rules", fallback_reason: "daily_limit" });
    (await configure({ ...terms, allowed_topics: ["pets"] })).ok();
    const other = await answerWhile(model, { is: "says", message, used_facts: [fact] });
    expect(other).toMatchObject({ answered_by: "rules", fallback_reason: "topic_not_allowed" });
  } finally {
    (await configure({ enabled: false, provider: "rules" })).ok();
    model.stop();
  }
});
