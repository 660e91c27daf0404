/**
 * Goal: a call is retried until it has a final answer, and never takes effect twice. Method: a
 * real local server that fails as configured, and records its requests.
 */
import { afterAll, beforeEach, expect, test } from "bun:test";
import { Innkeep, InnkeepError, type NextAction, NoAnswerError } from "./index.ts";

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly key: string | null;
  readonly delegation: string | null;
  readonly ifMatch: string | null;
  readonly type: string | null;
  readonly body: unknown;
}

type Step = (request: Request) => Response | Promise<Response>;

const TRACE = "0123456789abcdef0123456789abcdef";
const ok: Step = () => {
  return Response.json({ data: { hold_id: "hld_1" }, trace_id: TRACE, next_actions: [] });
};
let steps: Step[] = [];
let seen: Seen[] = [];

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const text = await request.text();
    const { pathname, searchParams } = new URL(request.url);
    const type = request.headers.get("content-type");
    seen.push({
      method: request.method,
      path: pathname,
      query: searchParams.toString(),
      key: request.headers.get("idempotency-key"),
      delegation: request.headers.get("x-delegated-user"),
      ifMatch: request.headers.get("if-match"),
      type,
      body: type === "application/json" ? JSON.parse(text) : text,
    });
    return (steps.shift() ?? ok)(request);
  },
});
const innkeep = new Innkeep({ baseUrl: server.url.href, key: async () => "ik_test_1" });

beforeEach(() => {
  steps = [];
  seen = [];
});
afterAll(() => server.stop(true));

function refusal(status: number, code: string, retryAfter: number | null = null): Step {
  const error = {
    ...{ code, message: "No.", detail: {}, remediation: "Wait.", retry_after: retryAfter },
    ...{ docs_url: "http://localhost/docs", trace_id: TRACE, next_actions: [] },
  };
  const headers = retryAfter === null ? {} : { "retry-after": String(retryAfter) };
  return () => Response.json({ error }, { status, headers });
}

/** A proxy that has lost its upstream in the middle of an answer. */
const broken: Step = () => new Response('{"data":');

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.unreachable("it succeeded"),
    (error: unknown) => error,
  );
}

test("a temporary refusal is retried, with one key for all tries of a call", async () => {
  steps = [
    refusal(503, "upstream_unavailable", 0),
    refusal(504, "payment_timeout", 0),
    refusal(502, "payment_provider_error", 0),
    () => new Response("<html>bad gateway</html>", { status: 503 }),
    broken,
  ];
  const { data } = await innkeep.hold({ quote_id: "quo_1" });
  expect(data.hold_id).toBe("hld_1");
  expect(seen.length).toBe(6);
  expect(seen[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
  await innkeep.hold({ quote_id: "quo_1" });
  expect(seen[6]?.key).not.toBe(seen[0]!.key);
  await innkeep.hold({ quote_id: "quo_1" }, { idempotencyKey: "mine" });
  expect(seen[7]?.key).toBe("mine");
});

test("the client waits at least as long as Retry-After says", async () => {
  steps = [refusal(429, "rate_limited", 1)];
  const startedMs = performance.now();
  await innkeep.getHold("hld_1");
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(1000);
  expect(seen.map(({ key }) => key)).toEqual([null, null]);
});

test("a permanent refusal is thrown at once, with its next actions", async () => {
  steps = [refusal(409, "allocation_failed"), refusal(503, "service_not_configured")];
  const error = await failureOf(innkeep.hold({ quote_id: "quo_1" }));
  expect(error).toBeInstanceOf(InnkeepError);
  expect(error).toMatchObject({ code: "allocation_failed", status: 409, retryAfter: null });
  expect((error as InnkeepError).idempotencyKey).toBe(seen[0]!.key);
  expect(await failureOf(innkeep.getHold("hld_1"))).toMatchObject({ status: 503 });
  expect(seen.length).toBe(2);
});

test("a wait beyond the deadline is not begun: the refusal is thrown with its retryAfter", async () => {
  steps = [refusal(429, "rate_limited", 30)];
  const error = await failureOf(innkeep.getHold("hld_1", { deadlineMs: 1000 }));
  expect(error).toMatchObject({ code: "rate_limited", retryAfter: 30 });
});

test("a missing answer is its own error, which has the key and the tries", async () => {
  const gone = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const baseUrl = gone.url.href;
  await gone.stop(true);
  const nobody = new Innkeep({ baseUrl, key: "ik_test_1", triesMax: 2 });
  const error = await failureOf(nobody.hold({ quote_id: "quo_1" }, { idempotencyKey: "mine" }));
  expect(error).toBeInstanceOf(NoAnswerError);
  expect(error).toMatchObject({ attempts: 2, idempotencyKey: "mine" });
  const { message, cause } = error as NoAnswerError;
  const where = `no answer to POST /v1/holds of ${baseUrl.slice(0, -1)}, tried 2 ×: `;
  expect(message).toBe(`${where}${(cause as Error).message}`);
});

test("the message of a failed call includes the causes of its cause", async () => {
  const cause = Object.assign(new Error(""), { code: "ECONNREFUSED" });
  const fetch = (() => Promise.reject(new TypeError("fetch failed", { cause }))) as never;
  const nobody = new Innkeep({ baseUrl: server.url.href, key: "k", triesMax: 1, fetch });
  const error = await failureOf(nobody.getHold("hld_1"));
  expect((error as Error).message).toEndWith("tried 1 ×: fetch failed: ECONNREFUSED");
});

test("a client with an invalid address or without a key is refused at once", () => {
  expect(() => new Innkeep({ baseUrl: "localhost:3000", key: "k" })).toThrow("https://");
  expect(() => new Innkeep({ baseUrl: server.url.href, key: "" })).toThrow("key is missing");
});

test("a request that cannot be sent is refused at once, as a rejection", async () => {
  const broken = new Innkeep({ baseUrl: server.url.href, key: "ik_test_1\nX-Tenant-Id: other" });
  expect(await failureOf(broken.getHold("hld_1"))).toBeInstanceOf(TypeError);
  for (const id of ["", ".", ".."]) {
    expect(await failureOf(innkeep.getHold(id))).toMatchObject({ message: `"${id}" is no id` });
  }
  expect(seen).toEqual([]);
});

test("a hanging try is aborted and repeated", async () => {
  steps = [() => new Promise<Response>(() => {})];
  const impatient = new Innkeep({ baseUrl: server.url.href, key: "ik_test_1", tryMs: 100 });
  expect((await impatient.getHold("hld_1")).data.hold_id).toBe("hld_1");
  expect(seen.length).toBe(2);
  const hanging: Step = () => new Promise<Response>(() => {});
  steps = [hanging];
  const once = new Innkeep({ baseUrl: server.url.href, key: "k", tryMs: 50, triesMax: 1 });
  const error = await failureOf(once.getHold("hld_1"));
  expect(error).toMatchObject({ cause: { message: "nothing came within 50 ms" } });
});

test("an infinite time limit means no limit", async () => {
  const endless = { deadlineMs: Number.POSITIVE_INFINITY, tryMs: Number.POSITIVE_INFINITY };
  steps = [() => Bun.sleep(50).then(() => ok(new Request(server.url.href)))];
  const patient = new Innkeep({ baseUrl: server.url.href, key: "ik_test_1", ...endless });
  await patient.getHold("hld_1");
  expect(seen.length).toBe(1);
});

test("a caller's signal ends the call, also while it waits", async () => {
  steps = [refusal(503, "upstream_unavailable", 30)];
  const ending = new AbortController();
  const call = failureOf(innkeep.getHold("hld_1", { signal: ending.signal }));
  while (seen.length === 0) await Bun.sleep(1);
  ending.abort(new Error("enough"));
  expect(await call).toMatchObject({ message: "enough" });
});

test("consent is sent with booking and cancellation only", async () => {
  const baseUrl = server.url.href;
  const travelling = new Innkeep({ baseUrl, key: "ik_test_1", delegation: () => "consent" });
  await travelling.cancel("bkg_1");
  await travelling.hold({ quote_id: "quo_1" });
  await travelling.getBooking("bkg_1");
  expect(seen.map(({ delegation }) => delegation)).toEqual(["consent", null, null]);
});

test("a next action is followed only with the values that the caller must add", async () => {
  const action: NextAction = {
    rel: "confirm",
    method: "POST",
    href: "/v1/bookings",
    body_hint: { hold_id: "hld_1", guest: { primary: { full_name: "<full name>" } } },
  };
  expect(await failureOf(innkeep.follow(action))).toMatchObject({
    message: "not filled in: guest.primary.full_name <full name>",
  });
  await innkeep.follow(action, { guest: { primary: { full_name: "Ada Lovelace" } } });
  const body = { hold_id: "hld_1", guest: { primary: { full_name: "Ada Lovelace" } } };
  expect(seen).toMatchObject([{ method: "POST", path: "/v1/bookings", body }]);
});

test("no next action sends the key to another host", async () => {
  const ways = ["//elsewhere.example/", "/\\elsewhere.example/", "/\t/elsewhere.example/"];
  for (const href of [...ways, "https://elsewhere.example/", "v1/holds"]) {
    const error = await failureOf(innkeep.follow({ rel: "get", method: "GET", href }));
    expect(error).toMatchObject({ message: `${href} is no path of the service` });
  }
  expect(seen).toEqual([]);
});

test("a next action may fetch a public document, which has no envelope", async () => {
  const get = (href: string) => innkeep.follow({ rel: "get", method: "GET", href });
  steps = [() => Response.json({ codes: [] })];
  expect(await get("/.well-known/errors")).toMatchObject({ data: { codes: [] }, nextActions: [] });
  steps = [() => new Response("# Events", { headers: { "content-type": "text/markdown" } })];
  expect((await get("/docs/events")).data).toBe("# Events");
  steps = [() => new Response('{"codes"', { headers: { "content-type": "application/json" } }), ok];
  expect((await get("/v1/holds/hld_1")).data).toEqual({ hold_id: "hld_1" });
});

test("the offers of a property are requested by its slug, the stay and the party", async () => {
  const stay = { check_in: "2027-06-01", check_out: "2027-06-03" };
  const children = [{ age: 5 }, { age: 9 }];
  await innkeep.listOffers("ho/tel", { stay, guests: { adults: 2, children }, currency: "USD" });
  await innkeep.listOffers("hotel", { stay, guests: { adults: 1 } });
  const dates = "check_in=2027-06-01&check_out=2027-06-03";
  expect(seen.map(({ method, path, query }) => [method, path, query])).toEqual([
    [...["GET", "/v1/properties/ho%2Ftel/offers"], `${dates}&adults=2&children=5%2C9&currency=USD`],
    ["GET", "/v1/properties/hotel/offers", `${dates}&adults=1&children=`],
  ]);
});

test("places are requested as they are typed", async () => {
  await innkeep.findPlaces("são p");
  await innkeep.findPlaces("a&b", { limit: 3 });
  expect(seen.map(({ method, path, query }) => [method, path, query])).toEqual([
    ["GET", "/v1/places", "q=s%C3%A3o+p"],
    ["GET", "/v1/places", "q=a%26b&limit=3"],
  ]);
});

test("the outcome of a booking whose answer was lost is found by its hold", async () => {
  await innkeep.findBookings({ holdId: "hld_1" });
  await innkeep.findBookings({ confirmationCode: "QMPJ8TG2" });
  expect(seen.map(({ query }) => query)).toEqual(["hold_id=hld_1", "confirmation_code=QMPJ8TG2"]);
});

test("an operation is called by its id, with what it takes in its place", async () => {
  const booking = { params: { id: "bkg/1" } };
  await innkeep.call("admin_cancel_booking", { ...booking, body: { reason: "Boiler" } });
  await innkeep.call("admin_check_in", booking);
  const ids = { id: "agt_1", credential_id: "crd_1" };
  await innkeep.call("revoke_credential", { params: ids });
  await innkeep.call("list_events", { query: { after_seq: 0, kinds: undefined, limit: 5 } });
  const table = { contentType: "text/csv", body: "property\nidem" } as const;
  await innkeep.call("admin_import_ari", { query: { dry_run: "true" }, ...table });
  expect(seen.map(({ method, path, query }) => [method, path, query])).toEqual([
    ["POST", "/v1/admin/bookings/bkg%2F1/cancel", ""],
    ["POST", "/v1/admin/bookings/bkg%2F1/check-in", ""],
    ["DELETE", "/v1/admin/agents/agt_1/credentials/crd_1", ""],
    ["GET", "/v1/admin/events", "after_seq=0&limit=5"],
    ["POST", "/v1/admin/ari/import", "dry_run=true"],
  ]);
  expect(seen.map(({ type, body }) => [type, body])).toEqual([
    ["application/json", { reason: "Boiler" }],
    ...[1, 2, 3].map(() => [null, ""]),
    ["text/csv", "property\nidem"],
  ]);
  expect(seen.map(({ key }) => key === null)).toEqual([false, false, false, true, false]);
});

test("what is no operation, and an operation without its id, is refused at once", async () => {
  for (const id of ["admin_check_out", "toString"]) {
    const failure = await failureOf(innkeep.call(id as "list_agents"));
    expect(failure).toMatchObject({ message: `"${id}" is no operation` });
  }
  const nowhere = innkeep.call("admin_check_in", {} as { params: { id: string } });
  expect(await failureOf(nowhere)).toMatchObject({ message: '"undefined" is no id' });
  expect(seen).toEqual([]);
});

test("an idempotency key in a body is sent as the header alone, and an own one goes before", async () => {
  const body = { hold_id: "hld_1", idempotency_key: "of the body" };
  await innkeep.hold({ quote_id: "quo_1", idempotency_key: "of the body" });
  await innkeep.follow({ rel: "confirm", method: "POST", href: "/v1/bookings", body_hint: body });
  await innkeep.hold({ quote_id: "quo_1", idempotency_key: "x" }, { idempotencyKey: "mine" });
  expect(seen.map(({ key, body }) => [key, body])).toEqual([
    ["of the body", { quote_id: "quo_1" }],
    ["of the body", { hold_id: "hld_1" }],
    ["mine", { quote_id: "quo_1" }],
  ]);
});

test("a change names the version that it expects", async () => {
  const change = { params: { id: "agt_1" }, body: { name: "Agent" } };
  await innkeep.call("update_agent", change, { ifMatch: 3 });
  await innkeep.call("update_agent", change);
  expect(seen.map(({ method, ifMatch }) => [method, ifMatch])).toEqual([
    ["PATCH", '"3"'],
    ["PATCH", null],
  ]);
});

test("a call that waits for events is not aborted while it waits", async () => {
  steps = [() => Bun.sleep(300).then(() => ok(new Request(server.url.href)))];
  const impatient = new Innkeep({ baseUrl: server.url.href, key: "ik_test_1", tryMs: 100 });
  await impatient.call("list_events", { query: { wait_s: 5 } });
  expect(seen.length).toBe(1);
});
