/**
 * Goal: the nights of a property as they were at any event. Method: they are read after each of
 * many changes, then again as of each of these moments; both answers must be equal.
 */
import { expect, test } from "bun:test";
import type { Answer } from "../support/answer.ts";
import {
  createHotel,
  dateIn,
  newBooking,
  newHold,
  sendCancel,
  stayRequest,
} from "../support/client.ts";
import { lastSeqOf, ofPast } from "../support/past.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile({ API_PROCESSES: "1" });
const { admin } = service.demo;
const hotel = await createHotel(service, { units: [3, 2] });
const path = `/v1/admin/properties/${hotel.id}/ari`;
const range = `from=${dateIn(29)}&to=${dateIn(33)}`;

interface Nights {
  readonly as_of?: { readonly seq: number; readonly at: string };
  readonly room_types: readonly object[];
}

function read(query: string, agent = admin): Promise<Answer> {
  return service.api("GET", `${path}?${range}&${query}`, { agent });
}

/** The answer as of then, however often it has to be asked for. */
async function past(asOf: string | number, agent = admin): Promise<Answer> {
  return ofPast(service, await read(`as_of=${asOf}`, agent), agent);
}

const lastSeq = () => lastSeqOf(service, admin);

async function put(body: object) {
  (await service.api("PUT", path, { agent: admin, body })).ok();
}

const on = { from: dateIn(30), to: dateIn(31) };
const room = { room_type_id: hotel.rooms[0]!.id };
const plan = { rate_plan_id: hotel.rooms[0]!.planIds[0]! };

const CHANGES: readonly (() => Promise<unknown>)[] = [
  () => put({ inventory: [{ ...room, ...on, capacity: 7 }] }),
  () => put({ rates: [{ ...plan, ...on, amount: 12_300 }] }),
  () => newHold(service, stayRequest(hotel)),
  async () => {
    const { booking_id } = await newBooking(service, stayRequest(hotel));
    await sendCancel(service, booking_id);
  },
  () => put({ restrictions: [{ ...room, ...on, stop_sell: true }] }),
];

interface Seen {
  readonly seq: number;
  readonly nights: Nights;
}

async function seenNow(): Promise<Seen> {
  const nights = (await read("")).ok<Nights>().data;
  return { seq: await lastSeq(), nights };
}

test("as of each moment the nights are what they were, by event and by instant", async () => {
  const seen = [await seenNow()];
  for (const change of CHANGES) {
    await change();
    seen.push(await seenNow());
  }
  expect(new Set(seen.map(({ nights }) => JSON.stringify(nights))).size).toBe(seen.length - 1);
  for (const { seq, nights } of seen) {
    const { as_of, ...then } = (await past(seq)).ok<Nights>().data;
    expect<Omit<Nights, "as_of">>(then).toEqual(nights);
    expect(as_of!.seq).toBe(seq);
    const atInstant = (await past(as_of!.at)).ok<Nights>().data;
    expect(atInstant).toEqual({ ...nights, as_of: as_of! });
  }
});

test("calls at once are answered in turn", async () => {
  const last = await lastSeq();
  const seqs = Array.from({ length: 6 }, (_, i) => last - i);
  const first = await Promise.all(seqs.map((seq) => read(`as_of=${seq}`)));
  const waiting = first.filter(({ status }) => status === 202);
  expect(waiting.length).toBeGreaterThan(0);
  const { data, next_actions } = waiting[0]!.ok<{ property_id: string; as_of: object }>(202);
  expect(data.property_id).toBe(hotel.id);
  expect(next_actions.map(({ rel }) => rel)).toEqual(["retry"]);
  for (const seq of seqs) (await past(seq)).ok();
});

test("a table of the past is one that import takes", async () => {
  const answer = await read(`as_of=${await lastSeq()}&format=csv`);
  expect(answer.headers.get("content-type")).toStartWith("text/csv");
  expect(answer.text.split("\r\n")[0]).toBe((await read("format=csv")).text.split("\r\n")[0]!);
});

test("moments that are unknown, in the future or before the property are refused by name", async () => {
  const late = new Date(Date.now() + 60_000).toISOString();
  for (const asOf of [
    "yesterday",
    String((await lastSeq()) + 1),
    late,
    "0",
    "2020-01-01T00:00:00Z",
  ]) {
    expect((await past(asOf)).faults()).toEqual(["?as_of"]);
  }
  const both = await read("as_of=x&room_type=");
  expect(both.faults()).toEqual(["?as_of", "?room_type"]);
});

test("the past of a property is as private as its present", async () => {
  const { second_tenant, test_admin } = service.demo;
  for (const other of [second_tenant.admin, test_admin]) {
    (await read("as_of=1", other)).refused("property_not_found");
  }
});
