/**
 * Goal: each published link is valid. Method: follow each of our own addresses in all documents and
 * pages, from `GET /` on, and look up each published call in the OpenAPI document.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { REFUSAL_CODES } from "../../engine/core/refusals.ts";
import { SAME_CALL } from "../../src/actions/steps.ts";
import { GUIDE_NAMES, guide } from "../../src/publish/docs/guides.ts";
import {
  type Booking,
  createHotel,
  newHold,
  sendBooking,
  sendCancel,
  sendHold,
  stayRequest,
} from "../support/client.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";

/** What a plain GET cannot be asked for, and why. */
const NOT_FOLLOWED: Readonly<Record<string, string>> = {
  "/mcp": "takes POST alone",
  "/a2a": "takes POST alone",
  "/oauth/token": "takes POST alone",
  "/oauth/register": "takes POST alone",
  "/oauth/revoke": "takes POST alone",
  "/oauth/introspect": "takes POST alone",
  "/oauth/authorize": "takes the request of a client alone",
};

interface OfferedCall {
  readonly method: string;
  readonly href: string;
}

let service: Service;
/** As documents spell it: `BASE_URL`, which differs from where tests reach it. */
let origin: string;

beforeAll(async () => {
  service = await Service.start(WHOLE_DEMO);
  const { links } = await json<{ links: Record<string, string> }>("/");
  origin = new URL(links.agent_card!).origin;
});
afterAll(() => service.stop());

const get = (path: string) => service.api("GET", path, { agent: null });

async function json<T>(path: string): Promise<T> {
  return (await get(path)).json as T;
}

/**
 * Paths on our origin that a text names: absolute addresses, and what a page refers to. What the
 * guides tell to call is not there to be followed; a test of its own looks it up.
 */
function pathsIn(whole: string, isPage: boolean, from: string): string[] {
  const code = isPage ? /<(pre|code)\b.*?<\/\1>/gs : /^```.*?^```$|`[^`\n]+`/gms;
  const text = from.startsWith("/docs/guides/") ? whole.replace(code, "") : whole;
  const absolute = [...text.matchAll(/https?:\/\/[^\s"'<>()\\`;,]+/g)].map(([url]) => url);
  const referred = isPage ? [...text.matchAll(/(?:href|src)="([^"#][^"]*)"/g)] : [];
  const urls = [...absolute, ...referred.map(([, target]) => target!)]
    .map((url) => URL.parse(url.replace(/[.:]+$/, ""), origin + from))
    .filter((url) => url?.origin === origin)
    .map((url) => url!.pathname + url!.search);
  return [...new Set(urls)].filter((path) => !/[{}]|%7B/.test(path));
}

/** Path → status of everything that can be reached from the index, and who named it first. */
async function crawl(): Promise<Map<string, { status: number; namedBy: string }>> {
  const found = new Map([["/", { status: 0, namedBy: "" }]]);
  for (const [path, entry] of found) {
    const { status, text, headers } = await get(path);
    entry.status = status;
    const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
    const isAsset = /javascript|text\/css|^image\//.test(headers.get("content-type") ?? "");
    for (const next of isAsset ? [] : pathsIn(text, isPage, path)) {
      if (!found.has(next) && !(next in NOT_FOLLOWED)) {
        found.set(next, { status: 0, namedBy: path });
      }
    }
  }
  return found;
}

test("every address in a document exists", async () => {
  const found = await crawl();
  const dead = [...found].filter(([, { status }]) => status !== 200);
  expect(dead).toEqual([]);
  const paths = [...found.keys()];
  for (const path of ["/openapi.yaml", "/llms-full.txt", "/coverage.json", "/logo.svg"]) {
    expect(paths).toContain(path);
  }
});

test("every call in a guide is an operation of the OpenAPI document", async () => {
  const { paths } = await json<{ paths: Record<string, unknown> }>("/openapi.json");
  const patterns = Object.keys(paths).map((path) => {
    return new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
  });
  const called = await Promise.all(
    GUIDE_NAMES.map(async (name) => {
      const { markdown } = await guide(name);
      return [...markdown.matchAll(/http:\/\/localhost:3000(\/[^\s"'?`\\)]*)/g)].map(([, path]) => {
        return { name, path: path! };
      });
    }),
  );
  const isKnown = ({ path }: { path: string }) => patterns.some((each) => each.test(path));
  expect(called.flat().filter((each) => !isKnown(each))).toEqual([]);
  expect(called.flat().length).toBeGreaterThan(20);
});

test("every link of the index answers", async () => {
  const { links } = await json<{ links: Record<string, string> }>("/");
  for (const [name, url] of Object.entries(links)) {
    const { pathname } = new URL(url);
    expect({ name, status: (await get(pathname)).status }).toEqual({ name, status: 200 });
  }
});

test("each link that is not followed takes POST or is refused as documented", async () => {
  for (const path of Object.keys(NOT_FOLLOWED)) {
    const { status, headers } = await get(path);
    if (path === "/oauth/authorize") expect(status).toBe(400);
    else expect({ path, allow: headers.get("allow") }).toEqual({ path, allow: "POST" });
  }
});

test("every error's docs_url answers", async () => {
  const { errors } = await json<{ errors: readonly { code: string; docs_url: string }[] }>(
    "/.well-known/errors",
  );
  expect(errors).toHaveLength(REFUSAL_CODES.length);
  for (const { code, docs_url } of errors) {
    const answer = await get(new URL(docs_url).pathname);
    expect({ code, status: answer.status }).toEqual({ code, status: 200 });
    expect(answer.text).toContain(code);
  }
});

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
}

/**
 * Tells whether the OpenAPI document has an operation for a call, with the names of its query;
 * `{name}` stands for any id.
 */
async function operations(): Promise<(call: OfferedCall) => boolean> {
  const { paths } = await json<{ paths: Record<string, Record<string, Operation>> }>(
    "/openapi.json",
  );
  const patterns = Object.entries(paths).map(([template, operations]) => ({
    pattern: new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
    operations,
  }));
  return ({ method, href }) => {
    const [path = "", query = ""] = href.replace(/\{\w+\}/g, "some-id").split("?");
    const found = patterns.find(({ pattern }) => pattern.test(path));
    const operation = found?.operations[method.toLowerCase()];
    const names = operation?.parameters?.filter((each) => each.in === "query");
    const isKnown = (name: string) => names?.some((each) => each.name === name) === true;
    return operation !== undefined && [...new URLSearchParams(query).keys()].every(isKnown);
  };
}

test("every call that is published is an operation of the OpenAPI document", async () => {
  const isOperation = await operations();
  const { capabilities } = await json<{ capabilities: readonly OfferedCall[] }>(
    "/.well-known/agent-card.json",
  );
  expect(capabilities.filter((call) => !isOperation(call))).toEqual([]);
  const { errors } = await json<{
    errors: readonly { readonly next_actions: readonly OfferedCall[] }[];
  }>("/.well-known/errors");
  const offered = errors.flatMap(({ next_actions }) => next_actions);
  expect(offered.length).toBeGreaterThan(50);
  expect(offered.filter((call) => call.href !== SAME_CALL && !isOperation(call))).toEqual([]);
});

test("every next action of the flow and of its refusals is an operation too", async () => {
  const isOperation = await operations();
  const stay = stayRequest(await createHotel(service));
  const hold = await newHold(service, stay);
  const booked = await sendBooking(service, hold);
  const { booking_id } = booked.ok<Booking>(201).data;
  const { guests } = stay;
  const search = { body: { stay: stay.stay, guests } };
  const answers = [
    await service.api("POST", "/v1/search", search),
    await service.api("POST", "/v1/quotes", { body: stay }),
    await sendHold(service, hold.quote_id),
    await service.api("GET", `/v1/holds/${hold.hold_id}`),
    booked,
    await sendBooking(service, hold),
    await service.api("GET", `/v1/bookings/${booking_id}`),
    await sendCancel(service, booking_id),
    await sendCancel(service, booking_id),
    await service.api("GET", "/v1/holds/unknown"),
    await service.api("GET", "/v1/properties/unknown"),
    await service.api("GET", "/v1/admin/properties"),
    await service.api("POST", "/v1/bookings", { body: {} }),
  ];
  const offered = answers.flatMap(({ json }) => {
    const body = json as { error?: { next_actions: OfferedCall[] }; next_actions?: OfferedCall[] };
    return body.next_actions ?? body.error?.next_actions ?? [];
  });
  expect(offered.length).toBeGreaterThan(15);
  const paths = offered.map((call) => ({ ...call, href: call.href.split("?")[0]! }));
  expect(paths.filter((call) => !isOperation(call))).toEqual([]);
});
