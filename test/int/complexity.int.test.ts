/**
 * Goal: the cost of a request grows no faster than its size, and no request delays the others of
 * its process. Method: each route gets its worst bodies, made from its schema, at full and half
 * size, with an api process in the test's own; the least CPU time of several runs is taken, because
 * the machine may be busy.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ROUTES } from "../../src/app.ts";
import { BODY_BYTES_MAX } from "../../src/http/body.ts";
import type { Route } from "../../src/http/route.ts";
import { EXAMPLES } from "../../src/publish/openapi/examples.ts";
import { createHotel, dateIn, type Hotel, newKey } from "../support/client.ts";
import { SecondApi } from "../support/second-api.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";
import { type WorstBody, worstBodies } from "../support/worst-bodies.ts";

/** One request must not hold its process longer. */
const HOLD_MS_MAX = 50;
/** CPU time of the yardstick on the machine that these limits were set on. */
const YARDSTICK_MS = 16;
/** Below this nothing is judged: noise and the client's own share are of that size. */
const FLOOR_MS = 20;
/** n log n doubles to 2.2, n² to 4. */
const GROWTH_MAX = 3;
/** So far below the limit one run is enough. */
const GROWTH_PLAIN = 2.4;
const RUNS = 15;
/** Head and query of a request together must stay below what the runtime reads. */
const HEAD_BYTES = 12_000;
/** A stream has no limit of its own that one request should come near; what a line may have. */
const STREAM_BYTES = 512 * 1024;

let service: Service;
let api: SecondApi;
let hotel: Hotel;
let delegation: string;
let clients = 0;
/** Ids of routes that found nothing wrong in one of their worst bodies and worked on it. */
const taken = new Set<string>();

beforeAll(async () => {
  service = await Service.start({ ...WHOLE_DEMO, API_PROCESSES: "1", LOG_LEVEL: "error" });
  hotel = await createHotel(service, { units: [60_000] });
  delegation = await service.mintDelegation();
  const events = { STRIPE_WEBHOOK_SECRET: "whsec_of_this_test" };
  api = await SecondApi.start(service, { TRUSTED_PROXIES: "1", ...events });
});
afterAll(async () => {
  await api?.stop();
  await service.stop();
});

interface Sent {
  readonly path?: string;
  readonly body?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The path with ids in it, of the hotel where there is one. */
function pathOf({ path }: Route): string {
  const id = path.includes("/properties/") ? hotel.id : "x";
  return path.replace(/:\w+/g, id);
}

/** Milliseconds of this thread, the client's few included. */
interface Cost {
  /** All that a request takes. */
  readonly whole: number;
  /** The most that it takes between two turns of the loop. */
  readonly hold: number;
}

/** CPU time that this thread has used, milliseconds. */
function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const ITEMS = Array.from({ length: 20_000 }, (_, i) => ({ id: `x${i}`, amount: i, on: true }));
const YARDSTICK = JSON.stringify(ITEMS);

/** How many times slower than that machine this one is now: cores may be slow or shared. */
function slowness(): number {
  const startMs = spentMs();
  for (let i = 0; i < 10; i++) JSON.parse(YARDSTICK);
  return Math.max(1, (spentMs() - startMs) / YARDSTICK_MS);
}

/** Whether a time is within a limit, as this machine counts now. */
function isWithin(ms: number, limitMs: number): boolean {
  return ms <= limitMs || ms <= limitMs * slowness();
}

/** What is spent until `work` is done; how busy the machine is besides does not count. */
async function costOfWork(work: () => Promise<void>): Promise<Cost> {
  const startMs = spentMs();
  let hold = 0;
  let turnMs = startMs;
  const turn = () => {
    const nowMs = spentMs();
    hold = Math.max(hold, nowMs - turnMs);
    turnMs = nowMs;
  };
  const timer = setInterval(turn, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
    turn();
  }
  return { whole: turnMs - startMs, hold };
}

async function costOf(route: Route, sent: Sent): Promise<Cost> {
  const isAdmin = route.access !== "public" && route.access.scope?.startsWith("admin:");
  const { body, type = "application/json", path = pathOf(route) } = sent;
  const bytes = body === undefined ? null : new TextEncoder().encode(body);
  const options = {
    agent: isAdmin ? service.demo.admin : service.demo.agent,
    ...(bytes ? { raw: bytes } : {}),
    headers: {
      ...(bytes ? { "content-type": type } : {}),
      // Each comes from elsewhere: nothing of interest is hidden behind a 429.
      "x-forwarded-for": `203.0.${clients >> 8}.${clients++ & 255}`,
      "idempotency-key": newKey(),
      "x-delegated-user": delegation,
      ...sent.headers,
    },
  };
  return costOfWork(async () => {
    const { status, text } = await api.api(route.method, path, options);
    if (status !== 400 && body !== undefined) taken.add(route.id);
    if (status >= 500) throw new Error(`${route.id} answered ${status}: ${text}`);
  });
}

/**
 * What is wrong with the cost of something that comes in any size; null when nothing is. The least
 * of all runs so far is judged, and runs go on only while they may be only unlucky.
 */
async function faultOf(
  route: Route,
  what: string,
  bytes: number,
  sentOf: (bytes: number) => Sent,
): Promise<string | null> {
  const least = { whole: Number.POSITIVE_INFINITY, hold: Number.POSITIVE_INFINITY };
  let half = Number.POSITIVE_INFINITY;
  for (let run = 1; run <= RUNS; run++) {
    const { whole, hold } = await costOf(route, sentOf(bytes));
    least.whole = Math.min(least.whole, whole);
    least.hold = Math.min(least.hold, hold);
    if (isWithin(least.whole, FLOOR_MS)) return null;
    half = Math.min(half, (await costOf(route, sentOf(bytes / 2))).whole);
    const growthMax = run === 1 ? GROWTH_PLAIN : GROWTH_MAX;
    if (isWithin(least.hold, HOLD_MS_MAX) && least.whole <= growthMax * half) return null;
  }
  const [halfMs, wholeMs, holdMs] = [half, least.whole, least.hold].map((ms) => ms.toFixed(1));
  return `${route.id}: ${what}: ${halfMs} ms, doubled ${wholeMs} ms, held for ${holdMs} ms`;
}

/** An example with the ids of things that exist and dates to come. */
function ownIds(example: unknown): unknown {
  if (example === undefined) return undefined;
  const [room] = hotel.rooms;
  const ids = { hotel_id: hotel.id, room_type_id: room!.id, rate_plan_id: room!.planIds[0]! };
  let text = JSON.stringify(example);
  for (const [name, id] of Object.entries(ids)) {
    text = text.replace(new RegExp(`"${name}":"[^"]*"`, "g"), `"${name}":"${id}"`);
  }
  const dates = { from: dateIn(10), to: dateIn(11), check_in: dateIn(10), check_out: dateIn(12) };
  for (const [name, date] of Object.entries(dates)) {
    text = text.replace(new RegExp(`"${name}":"\\d{4}-[^"]*"`, "g"), `"${name}":"${date}"`);
  }
  return JSON.parse(text);
}

function bodiesOf({ id, body }: Route): readonly WorstBody[] {
  const example = ownIds(EXAMPLES.operations[id]?.request);
  // Whatever a search does for each property it shall do for all of them.
  if (typeof example === "object" && example && "destination" in example) {
    delete example.destination;
  }
  return worstBodies(body!.schema, example);
}

const WITH_BODY = ROUTES.all.filter(({ body }) => body !== undefined);

async function faultsOf(faults: Iterable<() => Promise<string | null>>): Promise<string[]> {
  const found: string[] = [];
  for (const look of faults) {
    const fault = await look();
    if (fault) found.push(fault);
  }
  return found;
}

for (const route of WITH_BODY) {
  test(`the cost of the worst bodies of ${route.id} is proportional to their size`, async () => {
    const { bodyBytesMax = BODY_BYTES_MAX } = route;
    const looks = bodiesOf(route).map(({ name, make }) => () => {
      return faultOf(route, name, bodyBytesMax, (bytes) => ({ body: make(bytes) }));
    });
    expect(await faultsOf(looks)).toEqual([]);
  });
}

test("the worst valid bodies were accepted and processed", () => {
  const heavy = ["search", "admin_create_property", "admin_update_ari", "a2a"];
  expect(heavy.filter((id) => !taken.has(id))).toEqual([]);
});

const FORMS: Readonly<Record<string, (bytes: number) => string>> = {
  "names alone": (bytes) => "a&".repeat(bytes / 2),
  "names that differ": (bytes) =>
    Array.from({ length: bytes / 7 }, (_, i) => `${i.toString(36).padStart(4, "a")}=`).join("&"),
  separators: (bytes) => "&".repeat(bytes),
  "a long value": (bytes) => `token=${"%61".repeat((bytes - 6) / 3)}`,
  scopes: (bytes) => `grant_type=client_credentials&scope=${"a+".repeat((bytes - 40) / 2)}`,
};

test("the cost of forms is proportional to their size", async () => {
  const routes = ROUTES.all.filter(({ accepts = {} }) => {
    return "application/x-www-form-urlencoded" in accepts;
  });
  expect(routes).not.toBeEmpty();
  const { agent_id, secret } = service.demo.agent;
  const basic = Buffer.from(`${agent_id}:${secret}`).toString("base64");
  const type = "application/x-www-form-urlencoded";
  const headers = { authorization: `Basic ${basic}` };
  const looks = routes.flatMap((route) =>
    Object.entries(FORMS).map(([name, make]) => () => {
      return faultOf(route, name, BODY_BYTES_MAX, (n) => ({ body: make(n), type, headers }));
    }),
  );
  expect(await faultsOf(looks)).toEqual([]);
});

test("the cost of streams of lines is proportional to their size", async () => {
  const routes = ROUTES.all.filter(({ accepts = {} }) => "application/x-ndjson" in accepts);
  expect(routes).not.toBeEmpty();
  const property = ROUTES.byId("admin_create_property");
  const lines: readonly WorstBody[] = [
    { name: "empty lines", make: (bytes) => "\n".repeat(bytes) },
    { name: "short lines", make: (bytes) => "0\n".repeat(bytes / 2) },
    ...bodiesOf(property),
  ];
  const type = "application/x-ndjson";
  const looks = routes.flatMap((route) =>
    lines.map(({ name, make }) => () => {
      return faultOf(route, name, STREAM_BYTES, (bytes) => ({ body: make(bytes), type }));
    }),
  );
  expect(await faultsOf(looks)).toEqual([]);
});

/** Documents of one part, repeated. */
const DOCUMENTS: Readonly<Record<string, (bytes: number) => string>> = Object.fromEntries(
  Object.entries({
    ...{ "opening tags": "<a>", "empty elements": "<a/>", elements: "<a></a>", closing: "</a>" },
    ...{ attributes: "<a b='c' d='e'/>", comments: "<!---->", "open comments": "<!--" },
    ...{ texts: "a", "white space": " ", references: "&amp;", "less-than signs": "<", ends: "]]>" },
    ...{ sections: "<![CDATA[a]]>", "open sections": "<![CDATA[", instructions: "<?a?>" },
    ...{ statuses: "<AvailStatusMessage/>", quotes: "<a b='", names: "<a:" },
  }).map(([name, unit]) => {
    const head = '<OTA_HotelAvailNotifRQ><AvailStatusMessages HotelCode="a">';
    const end = "</AvailStatusMessages></OTA_HotelAvailNotifRQ>";
    const count = (bytes: number) => Math.floor((bytes - head.length - end.length) / unit.length);
    return [name, (bytes: number) => head + unit.repeat(count(bytes)) + end];
  }),
);

test("the cost of messages in XML is proportional to their size", async () => {
  const routes = ROUTES.all.filter(({ accepts = {} }) => "application/xml" in accepts);
  expect(routes).not.toBeEmpty();
  const type = "application/xml";
  const looks = routes.flatMap((route) =>
    Object.entries({
      ...DOCUMENTS,
      "attributes of one element": (bytes: number) => {
        const names = Array.from({ length: bytes / 12 }, (_, i) => i.toString(36).padStart(5, "a"));
        return `<a${names.map((name) => ` a${name}=''`).join("")}/>`;
      },
      "spaces in a tag": (bytes: number) => `<a${" ".repeat(bytes - 4)}/>`,
    }).map(([name, make]) => () => {
      return faultOf(route, name, route.bodyBytesMax!, (bytes) => ({ body: make(bytes), type }));
    }),
  );
  expect(await faultsOf(looks)).toEqual([]);
});

/** What every route reads of a request apart from its body. */
const HEADS: Readonly<Record<string, (text: (unit: string) => string, route: Route) => Sent>> = {
  "names in the query": (text, route) => ({ path: `${pathOf(route)}?${text("a&")}` }),
  "parameters that differ": (text, route) => {
    let i = 0;
    const query = text("abcd=&").replaceAll("abcd", () => (i++).toString(36).padStart(4, "_"));
    return { path: `${pathOf(route)}?${query}` };
  },
  "escapes in the query": (text, route) => ({ path: `${pathOf(route)}?a=${text("%F0%9F%8F%A8")}` }),
  "a long segment": (text, route) => ({ path: route.path.replace(/:\w+/g, text("a")) }),
  "an escaped segment": (text, route) => ({ path: route.path.replace(/:\w+/g, text("%2F")) }),
  "many segments": (text, route) => ({ path: pathOf(route) + text("/a") }),
  slashes: (text, route) => ({ path: pathOf(route) + text("/") }),
  ...Object.fromEntries(
    Object.entries({
      authorization: "Bearer a.",
      "x-delegated-user": "a.",
      "idempotency-key": '\\"',
      traceparent: "00-",
      "if-match": '"1",',
      "if-none-match": 'W/"a", ',
      accept: "text/html;q=0.1, ",
      "accept-language": "en;q=0.1, ",
      "x-forwarded-for": "1.1.1.1, ",
      "x-tenant-id": "0",
      "a2a-version": "1.",
      cookie: "a=b; ",
    }).map(([name, unit]) => [
      name,
      (text: (unit: string) => string) => ({ headers: { [name]: text(unit).trim() } }),
    ]),
  ),
};

test("the cost of heads, paths and queries is proportional to their size", async () => {
  const looks = ROUTES.all.flatMap((route) =>
    Object.entries(HEADS).map(([name, make]) => () => {
      return faultOf(route, name, HEAD_BYTES, (bytes) => {
        return make((unit) => unit.repeat(bytes / unit.length), route);
      });
    }),
  );
  expect(await faultsOf(looks)).toEqual([]);
});

/** A request inside another protocol's message. */
const MESSAGES: Readonly<Record<string, (tool: string, args: string) => string>> = {
  mcp: (name, args) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`,
  a2a: (skill, args) =>
    `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message",` +
    `"messageId":"1","role":"user","parts":[{"kind":"data","data":{"skill":"${skill}",` +
    `"input":${args}}}]}}}`,
};

test("the cost of tools and skills is proportional to the size of their arguments", async () => {
  const tools = ROUTES.all.filter(({ tool, body }) => tool && body);
  expect(tools).not.toBeEmpty();
  const looks = Object.entries(MESSAGES).flatMap(([id, wrap]) => {
    const route = ROUTES.byId(id);
    const bytesMax = route.bodyBytesMax! - 300;
    return tools.flatMap((tool) =>
      bodiesOf(tool).map(({ name, make }) => () => {
        const sentOf = (bytes: number) => ({ body: wrap(tool.id, make(bytes)) });
        return faultOf(route, `${tool.id}: ${name}`, bytesMax, sentOf);
      }),
    );
  });
  expect(await faultsOf(looks)).toEqual([]);
});
