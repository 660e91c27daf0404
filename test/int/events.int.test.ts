/**
 * Goal: a consumer gets exactly the journal's events, despite gaps, restarts, duplicates and a loss
 * of rows; filters and rights are respected. Method: one real service; the rows of its journal are
 * compared with the results of consumers.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { PublicEvent } from "../../engine/core/public-events.ts";
import { SCHEMAS } from "../../src/api/events/kinds.ts";
import type { DemoAgent } from "../../src/ops/demo/demo-file.ts";
import { schemaFaults } from "../openapi/contract-check.ts";
import { Random } from "../sim/random.ts";
import {
  createHotel,
  type Hotel,
  newBooking,
  newHold,
  newKey,
  sendCancel,
  stayRequest,
} from "../support/client.ts";
import { EventConsumer, type Page, type Pull } from "../support/event-consumer.ts";
import { eventsInJournal, pullOf } from "../support/event-pages.ts";
import { Service, until } from "../support/service.ts";

const SEED = Number(process.env.SEED ?? crypto.getRandomValues(new Uint32Array(1))[0]);
const random = new Random(SEED);
/** Of one agent. */
const OPEN_CALLS_MAX = 16;

let service: Service;
let hotels: readonly Hotel[];
let reader: DemoAgent;

beforeAll(async () => {
  console.log(`SEED=${SEED}`);
  service = await Service.start({ API_PROCESSES: "1", LANES: "1" });
  hotels = [
    await createHotel(service, { units: [500] }),
    await createHotel(service, { units: [500] }),
  ];
  reader = await newReader();
});
afterAll(() => service.stop());

async function newReader(terms: { scopes?: string[]; property_ids?: string[] } = {}) {
  const scopes = ["admin:events", ...(terms.scopes ?? [])];
  const [made] = await service.newAgents([{ kind: "operator", ...terms, scopes }]);
  return made!;
}

/** Something that happens at one of the hotels. */
async function act(): Promise<void> {
  const stay = stayRequest(hotels[random.below(2)]!, { inDays: random.between(30, 60) });
  if (random.chance(40)) {
    const { booking_id } = await newBooking(service, stay);
    if (random.chance(50)) (await sendCancel(service, booking_id, { key: newKey() })).ok();
    return;
  }
  const { hold_id } = await newHold(service, stay);
  if (random.chance(50)) (await service.api("POST", `/v1/holds/${hold_id}/extend`)).ok();
  if (random.chance(50)) (await service.api("POST", `/v1/holds/${hold_id}/release`)).ok();
}

/** All events, once nothing has come for a moment: refunds go on after the last call. */
async function settled(): Promise<PublicEvent[]> {
  for (let before = -1; ; ) {
    const events = eventsInJournal(service);
    if (events.length === before) return events;
    before = events.length;
    await Bun.sleep(300);
  }
}

/** Takes the blocks of the last rows of the journal away. */
function cutEnd(rows: number): void {
  using db = new Database(join(service.dataDir, "engine", "0.db"));
  db.run("DELETE FROM journal WHERE row > (SELECT max(row) FROM journal) - ?", [rows]);
}

/** `npm run events -- tail` at work, as an operator has it. */
function tail(...args: readonly string[]) {
  const main = join(import.meta.dir, "../../src/ops/main.ts");
  const child = Bun.spawn([process.execPath, main, "events", "tail", ...args], {
    env: { ...process.env, INNKEEP_URL: service.baseUrl, INNKEEP_SECRET: reader.secret },
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = child.stderr.text();
  const lines: string[] = [];
  const read = (async () => {
    let text = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const whole = text.split("\n");
      text = whole.pop()!;
      lines.push(...whole);
    }
  })();
  const ended = async () => {
    await read;
    return { code: await child.exited, said: await said, lines };
  };
  return { child, lines, ended };
}

/** Pulls until there is no more. */
async function drain(consumer: EventConsumer, pull: Pull, limit = 50): Promise<void> {
  for (;;) {
    const asked = consumer.at;
    const page = await pull(asked, limit);
    expect(consumer.take(page, asked)).toBe(true);
    if (consumer.at >= page.head_seq) return;
  }
}

test("a consumer with gaps, restarts and duplicates ends with exactly the journal's events", async () => {
  const pull = pullOf(service, reader);
  const watching = tail("--after", "0", "--json");
  let consumer = new EventConsumer();
  let kept = consumer.revived();
  const late: (readonly [asked: number, page: Awaited<ReturnType<Pull>>])[] = [];
  let gaps = 0;
  for (let step = 0; step < 48; step += 1) {
    if (step % 3 === 0) await act();
    if (step === 24) {
      await service.end("SIGKILL");
      await service.restart();
    }
    // A page may be asked for ahead, get lost, come late, or come twice.
    const asked = consumer.at + (random.chance(20) ? random.below(20) : 0);
    const page = await pull(asked, random.between(1, 7));
    if (random.chance(30)) late.push([asked, page]);
    else if (!consumer.take(page, asked)) gaps += 1;
    if (random.chance(25) && late.length > 0) {
      const [at, old] = late[random.below(late.length)]!;
      if (!consumer.take(old, at)) gaps += 1;
    }
    if (random.chance(50)) kept = consumer.revived();
    if (random.chance(20)) consumer = kept.revived();
  }
  const told = await settled();
  await drain(consumer, pull);
  expect(gaps).toBeGreaterThan(0);
  expect(told.length).toBeGreaterThan(30);
  expect(told.map(({ seq }) => seq)).toEqual(told.map((_, i) => i + 1));
  const unchained = ({ prev_seq: _prev, ...event }: PublicEvent) => event;
  expect(consumer.applied.map(unchained)).toEqual(told.map(unchained));
  // Read in one go, every byte is the same, `prev_seq` too.
  const whole = new EventConsumer();
  await drain(whole, pull, 1_000);
  expect(JSON.stringify(whole.applied)).toBe(JSON.stringify(told));
  // So is what the command line has seen happen, through the end of the service.
  await until("the command line is there too", () => watching.lines.length >= told.length);
  watching.child.kill("SIGINT");
  const { code, said, lines } = await watching.ended();
  expect(code).toBe(0);
  expect(said).toContain("; resuming");
  expect(lines.join()).toBe(told.map((event) => JSON.stringify(event)).join());
  for (const event of told) {
    expect({ event, faults: schemaFaults(SCHEMAS.get(event.type)!, event) }).toEqual({
      ...{ event, faults: [] },
    });
  }
});

test("a filtered list has every matching event, and each page continues the previous one", async () => {
  const told = await settled();
  const some = told.find(({ type }) => type === "booking.cancelled")!.subject;
  const isOfSome = ({ subject }: PublicEvent) => subject.id === some.id;
  const kinds = ["booking.confirmed", "refund.requested", "hold.created"];
  const isOfKinds = ({ type }: PublicEvent) => kinds.includes(type);
  const trials: readonly (readonly [string, (event: PublicEvent) => boolean])[] = [
    [`kinds=${kinds.join(",")}`, isOfKinds],
    [`subject=booking:${some.id}`, isOfSome],
    [`subject=booking:${some.id}&kinds=${kinds}`, (event) => isOfSome(event) && isOfKinds(event)],
    [`subject=hold:${some.id}`, () => false],
    ["kinds=fx.changed", ({ type }) => type === "fx.changed"],
  ];
  for (const [query, isAsked] of trials) {
    for (const limit of [2, 1_000]) {
      const consumer = new EventConsumer();
      await drain(consumer, pullOf(service, reader, query), limit);
      const ids = told.filter(isAsked).map(({ id }) => id);
      expect({ query, ids: consumer.applied.map(({ id }) => id) }).toEqual({ query, ids });
    }
  }
});

test("guests are shown to readers of bookings; for others they are marked as left out", async () => {
  await newBooking(service, stayRequest(hotels[0]!));
  const both = await newReader({ scopes: ["bookings:read"] });
  const query = "kinds=booking.confirmed,hold.created";
  const dataOf = async (agent: DemoAgent) => {
    const { items } = await pullOf(service, agent, query)(0, 1_000);
    return items.filter(({ type }) => type === "booking.confirmed").map(({ data }) => data);
  };
  const [blind, seeing] = [await dataOf(reader), await dataOf(both)];
  expect(blind.length).toBeGreaterThan(0);
  const guest = { primary: { full_name: "Ada Lovelace", email: "ada@example.com" } };
  for (const [i, { omitted, ...rest }] of blind.entries()) {
    expect(omitted).toEqual(["guest"]);
    expect(seeing[i]).toMatchObject({ ...rest, guest });
    expect(seeing[i]).not.toHaveProperty("omitted");
  }
  expect(JSON.stringify(await pullOf(service, reader)(0, 1_000))).not.toContain("Lovelace");
});

test("an operator of one property gets only its events", async () => {
  const [own, other] = hotels.map(({ id }) => id);
  const limited = await newReader({ property_ids: [own!] });
  const consumer = new EventConsumer();
  await drain(consumer, pullOf(service, limited), 1_000);
  const isOwn = ({ data }: PublicEvent) => data.property_id === own;
  const ids = (await settled()).filter(isOwn).map(({ id }) => id);
  expect(consumer.applied.map(({ id }) => id)).toEqual(ids);
  expect(JSON.stringify(consumer.applied)).not.toContain(other!);
  const foreign = await pullOf(service, limited, `subject=property:${other}`)(0, 1_000);
  expect(foreign.items).toEqual([]);
});

test("a long poll that is answered gives its place back", async () => {
  const path = "/v1/admin/events?after_seq=0&limit=1&wait_s=1";
  for (let n = 0; n <= OPEN_CALLS_MAX; n += 1) {
    (await service.api("GET", path, { agent: reader })).ok();
  }
});

test("an invalid parameter is refused by its name", async () => {
  for (const [query, path] of [
    ["after_seq=-1", "?after_seq"],
    ["kinds=hold.created,hold.lost", "?kinds"],
    ["subject=room:1", "?subject"],
    ["limit=0", "?limit"],
    ["limit=1001", "?limit"],
    ["wait_s=26", "?wait_s"],
  ]) {
    const answer = await service.api("GET", `/v1/admin/events?${query}`, { agent: reader });
    expect(answer.faults()).toEqual([path!]);
  }
});

test("the command line shows events and explains a wrong call", async () => {
  const query = "kinds=booking.confirmed&limit=1";
  const path = `/v1/admin/events?${query}`;
  const { items } = (await service.api("GET", path, { agent: reader })).ok<Page>().data;
  const [{ timestamp, seq, subject }] = items as [PublicEvent];
  const told = tail("--after", "0", "--kinds", "booking.confirmed", "--count", "1");
  const { code, said, lines } = await told.ended();
  expect({ code, said }).toEqual({ code: 0, said: expect.stringMatching(/^events after seq 0 /) });
  expect(lines[0]).toBe(`${timestamp}  seq ${seq}  booking.confirmed  booking:${subject.id}`);
  expect(lines[1]).toContain('"state":"confirmed"');
  const wrong = [
    [["--after", "x"], 2, "--after must be"],
    [["--after", "999999"], 1, "no event 999999"],
    [["--kinds", "hold.lost"], 1, "has an unknown event kind"],
  ] as const;
  const trials = wrong.map(async ([args, status, words]) => {
    const { code, said } = await tail(...args).ended();
    expect({ args, code, said }).toEqual({
      ...{ args, code: status, said: expect.stringContaining(words) },
    });
  });
  await Promise.all(trials);
});

test("after a loss of rows the history has another name, and the remedy finds where it parted", async () => {
  const pull = pullOf(service, reader);
  const consumer = new EventConsumer();
  await settled();
  await drain(consumer, pull);
  const watching = tail("--after", String(consumer.at - 1));
  await until("the last event is seen", () => watching.lines.length > 0);
  const before = consumer.journalId;
  await service.end("SIGTERM");
  cutEnd(4);
  const { message } = await service.startSecond();
  const [, value] = /ACCEPT_LOSS=([0-9a-f]{12})/.exec(message)!;
  await service.restart({ ACCEPT_LOSS: value! });
  await act();
  const told = await settled();
  const { journal_id } = await pull(consumer.at, 1);
  expect(journal_id).not.toBe(before!);
  const { code, said } = await watching.ended();
  expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining(journal_id) });
  const undone = await consumer.reconcile(pull);
  expect(undone).toBeGreaterThan(0);
  await drain(consumer, pull);
  expect(consumer.journalId).toBe(journal_id);
  expect(consumer.applied.map(({ id }) => id)).toEqual(told.map(({ id }) => id));
});
