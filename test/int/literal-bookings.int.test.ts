/**
 * Goal: whoever follows next actions to the letter gets a room or an honest end, and loses no money
 * that it was not told of. Method: 100 random searches of the demo's hotels (the seed is printed),
 * by REST, MCP and A2A in turn, each followed to a booking and its cancellation by
 * `test/support/literal-booker.ts`.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Random } from "../../src/ops/demo/random.ts";
import { dateIn } from "../support/client.ts";
import { follow } from "../support/follow.ts";
import {
  bookLiterally,
  type End,
  type Envelope,
  type Offer,
  type Protocol,
  type Wish,
} from "../support/literal-booker.ts";
import { McpCaller } from "../support/mcp-client.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";

const SEED = process.env.SEED ?? crypto.randomUUID().slice(0, 8);
const SEARCHES = 100;
const AT_ONCE = 6;

let service: Service;
let mcp: McpCaller;
let protocols: readonly Protocol[];
let slugs: readonly string[];
let cities: readonly string[];

beforeAll(async () => {
  console.log(`seed ${SEED}`);
  service = await Service.start(WHOLE_DEMO);
  mcp = await McpCaller.connect(service);
  protocols = [rest(), byTools("MCP", (tool, args) => mcp.send(tool, args)), byTools("A2A", a2a)];
  const { data } = (await service.api("GET", "/v1/properties")).ok<{
    items: readonly { slug: string; address: { city: string } }[];
  }>();
  slugs = data.items.map(({ slug }) => slug);
  cities = [...new Set(data.items.map(({ address }) => address.city))];
});
afterAll(async () => {
  await mcp.close();
  await service.stop();
});

function rest(): Protocol {
  return {
    name: "REST",
    search: async (body) => (await service.api("POST", "/v1/search", { body })).json as Envelope,
    follow: async (action) => (await follow(service, action)).json as Envelope,
  };
}

type Fields = Record<string, unknown>;

function byTools(name: string, call: (tool: string, args: Fields) => Promise<unknown>): Protocol {
  return {
    name,
    search: async (wish) => (await call("search", { ...wish })) as Envelope,
    follow: async ({ tool, arguments: args, fill_in = [] }: Offer) => {
      const filled = structuredClone(args ?? {}) as Fields;
      const known: Fields = {
        "full name": "Ada Lovelace",
        "email address": "ada@example.com",
        "token from the payment provider": "tok_test_ok",
        "the traveler's delegation token": await service.mintDelegation(),
      };
      for (const { path, meaning } of fill_in) {
        if (!(meaning in known)) throw new Error(`nobody knows ${path}: ${meaning}`);
        const steps = path.slice(1).split("/");
        const last = steps.pop()!;
        const at = steps.reduce((each, step) => each[step] as Fields, filled);
        at[last] = known[meaning];
      }
      return (await call(tool!, filled)) as Envelope;
    },
  };
}

async function a2a(skill: string, input: object): Promise<unknown> {
  const message = {
    ...{ messageId: crypto.randomUUID(), role: "ROLE_USER" },
    parts: [{ data: { skill, input } }],
  };
  const body = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
  const headers = { "a2a-version": "1.0" };
  const { result } = (await service.api("POST", "/a2a", { body, headers })).json as {
    result: { message: { parts: [{ data: unknown }] } };
  };
  return result.message.parts[0].data;
}

/** A search as it comes to mind: most find something, some cannot. */
function randomWish(random: Random): Wish {
  const inDays = random.chance(0.2) ? random.int(1, 3) : random.int(4, 400);
  const stay = { check_in: dateIn(inDays), check_out: dateIn(inDays + random.int(1, 9)) };
  const children = random.chance(0.3) ? [{ age: random.int(0, 17) }] : [];
  const guests = { adults: random.chance(0.1) ? random.int(5, 9) : random.int(1, 4), children };
  const places = [
    () => ({ type: "area", value: random.pick(cities) }),
    () => ({ type: "area", value: random.pick(cities) }),
    () => ({ type: "property", value: random.pick(slugs) }),
    () => ({ type: "area", value: random.pick(["Atlantis", "Gotham", "Barcelonna"]) }),
  ];
  const destination = random.chance(0.1) ? null : random.pick(places)();
  const constraints = random.pick([
    ...[null, null, null, null],
    { meal_plan: "breakfast" },
    { cancellation: "free_cancellation" },
    { cancellation: "non_refundable" },
    { min_star_rating: 5 },
    { bed_type: "waterbed" },
  ]);
  return { ...(destination && { destination }), stay, guests, ...(constraints && { constraints }) };
}

test(`${SEARCHES} random searches book by next actions alone, without unannounced costs`, async () => {
  const random = new Random(SEED);
  const wishes = Array.from({ length: SEARCHES }, () => randomWish(random));
  const ends: End[] = [];
  const work = async (_: unknown, worker: number) => {
    for (let at = worker; at < SEARCHES; at += AT_ONCE) {
      const protocol = protocols[at % protocols.length]!;
      ends[at] = await bookLiterally(protocol, wishes[at]!).catch((error: Error) => {
        throw new Error(`${protocol.name}, ${JSON.stringify(wishes[at])}: ${error.message}`);
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const booked = ends.filter(({ isBooked }) => isBooked);
  const sum = (name: "paid" | "fee" | "refund") => booked.reduce((all, end) => all + end[name], 0);
  expect(booked.length).toBeGreaterThan(SEARCHES / 2);
  expect(ends.every(({ isBooked, wasEmpty }) => isBooked || wasEmpty)).toBeTrue();
  expect(sum("paid")).toBe(sum("fee") + sum("refund"));
});
