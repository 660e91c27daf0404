import { expect, test } from "bun:test";
import { ROUTES } from "../app.ts";
import { readConfig } from "../config.ts";
import { type Answer, refuse } from "./answer.ts";
import type { Asked } from "./call.ts";
import type { Context } from "./context.ts";
import { sendData } from "./send-data.ts";

const trace_id = "0af7651916cd43dd8448eb211c80319c";
const config = readConfig({ DOCS_URL: "https://docs.example" });

/** A request as far as answers show it. */
function asked(headers: Readonly<Record<string, string>> = {}): Asked {
  return {
    context: { config, routes: ROUTES } as unknown as Context,
    request: new Request("http://localhost/v1/quotes", { headers }),
    traceId: trace_id,
    ...{ method: "POST", path: "/v1/quotes", sent: undefined, may: undefined },
    ...{ query: new Map(), realm: undefined },
  };
}

/** The error of an answer in the envelope. */
async function errorOf(response: Response) {
  return ((await response.json()) as { error: Record<string, unknown> }).error;
}

const send = async (answer: Answer) => await sendData("envelope", asked(), answer);

test("a success has its three members, and optional ones only if they are given", async () => {
  const plain = await send({ ok: true, data: { b: 1, a: 2 } });
  expect(await plain.text()).toBe(
    `{"data":{"b":1,"a":2},"trace_id":"${trace_id}","next_actions":[]}`,
  );
  const timed = await send({ ok: true, data: {}, expires_at: "2027-01-01T00:00:00.000Z" });
  expect(await timed.text()).toEndWith(
    `,"next_actions":[],"expires_at":"2027-01-01T00:00:00.000Z"}`,
  );
});

test("a versioned resource has its version as tag, and a client with that tag gets 304", async () => {
  const answer = { ok: true, data: { version: 7 } } as const;
  const route = ROUTES.byId("admin_get_property");
  const sent = (headers = {}) => sendData("envelope", { ...asked(headers), route }, answer);
  expect((await sent()).headers.get("etag")).toBe('"7"');
  expect((await sent({ "if-none-match": '"6"' })).status).toBe(200);
  const known = await sent({ "if-none-match": '"6", "7"' });
  expect([known.status, known.body, known.headers.get("etag")]).toEqual([304, null, '"7"']);
  expect(known.headers.get("x-trace-id")).toBe(trace_id);
  expect((await send(answer)).headers.get("etag")).toBeNull();
});

test("an unversioned answer's tag covers its whole body, for any caller and encoding", async () => {
  const route = ROUTES.byId("get_property");
  const answer = { ok: true, data: { name: "Hotel", text: "é".repeat(2_000) } } as const;
  const sent = async (headers = {}, of: object = answer.data, traceId = trace_id) => {
    const call = { ...asked(headers), route, traceId };
    return await sendData("envelope", call, { ...answer, data: { ...of } });
  };
  const etag = (await sent()).headers.get("etag")!;
  expect(etag).toMatch(/^W\/"[a-z0-9]+"$/);
  expect((await sent({}, answer.data, "f".repeat(32))).headers.get("etag")).toBe(etag);
  const coded = await sent({ "accept-encoding": "br" });
  expect([coded.headers.get("content-encoding"), coded.headers.get("etag")]).toEqual(["br", etag]);
  expect((await sent({}, { ...answer.data, name: "Hostel" })).headers.get("etag")).not.toBe(etag);
  for (const tags of [etag, etag.slice(2), `"x", ${etag}`, "*"]) {
    const known = await sent({ "if-none-match": tags, "accept-encoding": "br" });
    expect([known.status, known.body, known.headers.get("etag")]).toEqual([304, null, etag]);
    expect(known.headers.get("content-type")).toBeNull();
    expect(known.headers.get("cache-control")).toBe("private, no-cache");
    expect(known.headers.get("vary")).toBe("Authorization, Accept-Encoding");
    expect(known.headers.get("x-trace-id")).toBe(trace_id);
    expect(known.headers.get("content-encoding")).toBeNull();
  }
  expect((await sent({ "if-none-match": '"x"' })).status).toBe(200);
});

test("an error has every member of the contract in a fixed order", async () => {
  const response = await send(refuse("property_not_found", { property_id: "h" }));
  expect(response.status).toBe(404);
  const error = await errorOf(response);
  expect(Object.keys(error)).toEqual([
    ...["code", "message", "detail", "remediation", "retry_after", "docs_url", "trace_id"],
    "next_actions",
  ]);
  expect(error.docs_url).toBe("https://docs.example/errors/property_not_found");
});

test("a replay is marked, and has the trace and the docs of the first answer", async () => {
  const stored = { trace_id: "f".repeat(32), docs: "https://old.example", isReplayed: true };
  const refused = await send(refuse("hold_not_found", {}, stored));
  expect(refused.headers.get("idempotent-replayed")).toBe("true");
  const error = await errorOf(refused);
  expect(error.trace_id).toBe(stored.trace_id);
  expect(error.docs_url).toBe("https://old.example/errors/hold_not_found");
  const { docs: _docs, ...ofSuccess } = stored;
  const done = await send({ ok: true, data: {}, ...ofSuccess });
  expect(done.headers.get("x-trace-id")).toBe(stored.trace_id);
});

test("an OAuth route's 4xx has OAuth's small body, with the time to wait", async () => {
  const refusal = refuse("rate_limited", { policy: "token" }, { retry_after: 7 });
  const small = await sendData("oauth", asked(), refusal);
  expect([small.status, small.headers.get("retry-after")]).toEqual([429, "7"]);
  expect(await small.json()).toEqual({
    error: "invalid_client",
    error_description: "too many requests: wait 7 s",
  });
  const broken = await sendData("oauth", asked(), refuse("internal_error"));
  expect((await errorOf(broken)).code).toBe("internal_error");
});

test("XML is a document with its own type, and a client that has it gets 304", async () => {
  const view = { ok: true, xml: "<a/>" } as const;
  const first = await sendData("xml", asked(), view);
  expect(first.headers.get("content-type")).toBe("application/xml; charset=utf-8");
  expect(first.headers.get("cache-control")).toBe("public, max-age=300, must-revalidate");
  expect(await first.text()).toBe("<a/>");
  const etag = first.headers.get("etag")!;
  const again = await sendData("xml", asked({ "if-none-match": etag }), view);
  expect([again.status, await again.text()]).toEqual([304, ""]);
  const refused = await sendData("xml", asked(), refuse("validation_failed", {}, { status: 404 }));
  expect((await errorOf(refused)).code).toBe("validation_failed");
});
