/**
 * Goal: a stream sends each event once and in order, and ends exactly when it should. Method: one
 * real service; streams are opened, closed, cut and starved while holds are placed.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { PublicEvent } from "../../engine/core/public-events.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { createHotel, type Hotel, newHold, stayRequest } from "../support/client.ts";
import { openCallsOf } from "../support/event-pages.ts";
import { EventStreamReader } from "../support/event-stream.ts";
import { Service, until } from "../support/service.ts";

let service: Service;
let hotel: Hotel;
let reader: DemoAgent;

const SCOPES = { kind: "operator", scopes: ["admin:events"] } as const;

beforeAll(async () => {
  service = await Service.start({ API_PROCESSES: "1" });
  hotel = await createHotel(service, { units: [5_000] });
  reader = await newReader();
});
afterAll(() => service.stop());

async function newReader(): Promise<DemoAgent> {
  const [made] = await service.newAgents([SCOPES]);
  return made!;
}

const hold = () => newHold(service, stayRequest(hotel));

interface Page {
  readonly items: readonly PublicEvent[];
  readonly last_seq: number;
  readonly head_seq: number;
  readonly journal_id: string;
}

async function pull(query = "limit=1000", agent = reader): Promise<Page> {
  return (await service.api("GET", `/v1/admin/events?${query}`, { agent })).ok<Page>().data;
}

const headSeq = async () => (await pull("limit=1")).head_seq;

function open(query = "", lastEventId: string | null = null, agent = reader) {
  return EventStreamReader.open(`${service.baseUrl}/v1/admin/events?${query}`, agent, lastEventId);
}

/** Processes say once a second how many there are. */
function untilOpen(count: number, limitMs?: number): Promise<void> {
  const isSo = async () => (await openCallsOf(service)) === count;
  return until(`${count} calls are open`, isSo, limitMs);
}

test("a stream begins with its history and sends the same events as a pull, as they happen", async () => {
  const from = await headSeq();
  const stream = await open(`after_seq=${from}`);
  expect(stream.response.headers.get("content-type")).toBe("text/event-stream");
  expect(stream.response.headers.get("cache-control")).toBe("no-store");
  const first = (await stream.next())!;
  const { journal_id } = await pull("limit=1");
  expect({ ...first, data: JSON.parse(first.data) }).toEqual({
    id: null,
    event: "metadata",
    data: {
      ...{ journal_id, tenant_id: service.demo.tenant_id, mode: "live" },
      ...{ after_seq: from, head_seq: from },
    },
  });
  const told: unknown[] = [];
  for (let nth = 0; nth < 3; nth += 1) {
    await hold();
    const frame = (await stream.next())!;
    expect(frame).toMatchObject({ id: String(from + 1 + nth), event: "hold.created" });
    told.push(JSON.parse(frame.data));
  }
  expect((await pull(`after_seq=${from}`)).items).toEqual(told as PublicEvent[]);
  stream.hangUp();
});

test("a client that reconnects with Last-Event-ID continues after it, regardless of after_seq", async () => {
  const from = await headSeq();
  const stream = await open(`after_seq=${from}`);
  await hold();
  const { seq } = (await stream.event())!;
  stream.hangUp();
  await hold();
  await hold();
  const again = await open(`after_seq=${from}`, String(seq));
  expect((await again.event())!).toMatchObject({ seq: seq + 1, prev_seq: seq });
  expect((await again.event())!).toMatchObject({ seq: seq + 2, prev_seq: seq + 1 });
  again.hangUp();
  const broken = await open("", "x");
  expect(broken.response.status).toBe(400);
  expect(await broken.response.text()).toContain("Last-Event-ID");
});

test("an event of a filtered stream names the previous event of the same list", async () => {
  const from = await headSeq();
  const stream = await open(`after_seq=${from}&kinds=hold.released,hold.extended`);
  const { hold_id } = await hold();
  await service.api("POST", `/v1/holds/${hold_id}/extend`);
  await hold();
  await service.api("POST", `/v1/holds/${hold_id}/release`);
  const extended = (await stream.event())!;
  const released = (await stream.event())!;
  expect(extended).toMatchObject({ type: "hold.extended", prev_seq: from, seq: from + 2 });
  expect(released).toMatchObject({ type: "hold.released", prev_seq: from + 2, seq: from + 4 });
  stream.hangUp();
});

test("a disconnect frees its slot, and no caller has more than sixteen streams", async () => {
  const agent = await newReader();
  await untilOpen(0);
  const streams = await Promise.all(Array.from({ length: 17 }, () => open("", null, agent)));
  const refused = streams.filter(({ response }) => response.status === 429);
  expect(refused).toHaveLength(1);
  const { error } = (await refused[0]!.response.json()) as { error: { detail: object } };
  expect(error.detail).toEqual({ policy: "open_calls", limit: 16 });
  const poll = await service.api("GET", "/v1/admin/events?after_seq=99999&wait_s=1", { agent });
  poll.refused("rate_limited");
  await untilOpen(16);
  const other = await open();
  expect(other.response.status).toBe(200);
  other.hangUp();
  for (const stream of streams) stream.hangUp();
  await untilOpen(0);
});

test("a stream ends with its credential", async () => {
  const agent = await newReader();
  const stream = await open("", null, agent);
  expect((await stream.next())!.event).toBe("metadata");
  const admin = service.demo.admin;
  (await service.api("DELETE", `/v1/admin/agents/${agent.agent_id}`, { agent: admin })).ok();
  await stream.ended();
  const again = await open("", null, agent);
  expect(again.response.status).toBe(401);
});

test("a stream uses the current rights and stops for an agent that lost the scope", async () => {
  const agent = await newReader();
  const stream = await open(`after_seq=${await headSeq()}`, null, agent);
  const path = `/v1/admin/agents/${agent.agent_id}`;
  const body = { scopes: ["search"] };
  (await service.api("PATCH", path, { agent: service.demo.admin, body })).ok();
  await stream.ended();
});

test("a long poll waits for the event, and no longer", async () => {
  const from = await headSeq();
  const startedMs = performance.now();
  const waiting = pull(`after_seq=${from}&wait_s=20`);
  await untilOpen(1);
  await hold();
  const { items, last_seq } = await waiting;
  expect(items.map(({ seq }) => seq)).toEqual([from + 1]);
  expect(last_seq).toBe(from + 1);
  expect(performance.now() - startedMs).toBeLessThan(15_000);
  const idle = await pull(`after_seq=${last_seq}&wait_s=1`);
  expect(idle).toMatchObject({ items: [], last_seq });
});

test("a long poll uses the current rights, and a revoked caller gets no event", async () => {
  const agent = await newReader();
  const query = `after_seq=${await headSeq()}&wait_s=12`;
  const waiting = service.api("GET", `/v1/admin/events?${query}`, { agent });
  await untilOpen(1);
  const admin = service.demo.admin;
  (await service.api("DELETE", `/v1/admin/agents/${agent.agent_id}`, { agent: admin })).ok();
  await until("the credential is refused", async () => {
    return (await service.api("GET", "/v1/properties", { agent })).status === 401;
  });
  await hold();
  (await waiting).refused("unauthenticated");
});

test("a disconnect from a long poll frees its slot at once", async () => {
  const abort = new AbortController();
  const asked = fetch(`${service.baseUrl}/v1/admin/events?after_seq=999999&wait_s=25`, {
    headers: { authorization: `Bearer ${reader.secret}` },
    signal: abort.signal,
  }).catch(() => null);
  await untilOpen(1);
  abort.abort();
  await asked;
  await untilOpen(0, 3_000);
});

test("a shutdown ends polls with an answer and streams with an end", async () => {
  const from = await headSeq();
  const stream = await open(`after_seq=${from}`);
  const polling = service.api("GET", `/v1/admin/events?after_seq=${from}&wait_s=25`, {
    agent: reader,
  });
  await untilOpen(2);
  const startedMs = performance.now();
  const ended = Promise.all([stream.ended(), polling]);
  await service.end("SIGTERM");
  const [, answer] = await ended;
  expect(answer.ok<Page>().data).toMatchObject({ items: [], last_seq: from });
  expect(performance.now() - startedMs).toBeLessThan(20_000);
});
