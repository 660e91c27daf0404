/** Goal: every outcome of a call has a message with its remedy. Method: real servers. */
import { afterEach, expect, test } from "bun:test";
import { ApiClient } from "./api-client.ts";
import { ApiRefused, CommandFailed } from "./failures.ts";

const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

function serve(fetch: (request: Request) => Response): string {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
  servers.push(server);
  return server.url.origin;
}

const clientOf = (baseUrl: string, signal = new AbortController().signal) =>
  new ApiClient({ baseUrl, secret: "ik_live_s" }, signal);

function refusal(status: number, code: string, more: object = {}): Response {
  const words = { code, message: "It went wrong.", remediation: "Do it right." };
  const error = { ...words, detail: {}, retry_after: null, trace_id: "abc", ...more };
  return Response.json({ error }, { status });
}

async function failureOf(work: Promise<unknown>): Promise<CommandFailed> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CommandFailed);
  return error as CommandFailed;
}

test("a list is read to its end through the next calls that its pages offer", async () => {
  const asked: string[] = [];
  const url = serve((request) => {
    const { pathname, search, searchParams } = new URL(request.url);
    asked.push(pathname + search);
    const after = Number(searchParams.get("after") ?? 0);
    // A page in the middle holds nothing that was asked for; the last one leads to itself.
    const items = after < 6 && after !== 2 ? [after + 1, after + 2] : [];
    const then = Math.min(6, after + 2);
    const next = { rel: "get", method: "GET", href: `/v1/numbers?after=${then}` };
    const other = { rel: "get", method: "GET", href: "/v1/numbers/1" };
    return Response.json({ data: { items }, next_actions: [other, next] });
  });
  const found = await Array.fromAsync(clientOf(url).items<number>("/v1/numbers"));
  expect(found).toEqual([1, 2, 5, 6]);
  const afters = [2, 4, 6].map((after) => `/v1/numbers?after=${after}`);
  expect(asked).toEqual(["/v1/numbers", ...afters]);
});

test("a refusal's message has problem, reason and remedy; its code is available", async () => {
  const detail = { required_scope: "admin:webhooks" };
  const url = serve(() => refusal(403, "forbidden", { detail }));
  const failure = await failureOf(clientOf(url).get("/v1/x"));
  expect(failure).toBeInstanceOf(ApiRefused);
  expect((failure as ApiRefused).error.code).toBe("forbidden");
  expect(failure.message).toStartWith("GET /v1/x: 403 forbidden\n  It went wrong.\n");
  expect(failure.message).toContain("required_scope: admin:webhooks");
  const unknown = serve(() => refusal(401, "unauthenticated"));
  expect((await failureOf(clientOf(unknown).get("/"))).message).toContain("Set INNKEEP_SECRET");
});

test("a temporary refusal is waited for and retried under the same key", async () => {
  const keys: (string | null)[] = [];
  const url = serve((request) => {
    keys.push(request.headers.get("idempotency-key"));
    if (keys.length < 3) return refusal(429, "rate_limited", { retry_after: 0 });
    return Response.json({ data: { done: true }, next_actions: [] });
  });
  const { data } = await clientOf(url).post<{ readonly done: boolean }>("/v1/x");
  expect(data.done).toBe(true);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  const decided = serve(() => refusal(409, "webhook_delivery_not_replayable", { retry_after: 5 }));
  expect((await failureOf(clientOf(decided).post("/v1/x"))).message).toContain("again in 5 s");
});

test("an unreachable service, another service and a redirect have distinct messages", async () => {
  const url = serve(() => new Response("gone"));
  await servers.pop()!.stop(true);
  expect((await failureOf(clientOf(url).get("/"))).message).toContain("refuses the connection");
  const stranger = serve(() => new Response("<html>", { status: 404 }));
  expect((await failureOf(clientOf(stranger).get("/"))).message).toContain("check INNKEEP_URL");
  let isReached = false;
  const elsewhere = serve(() => {
    isReached = true;
    return new Response();
  });
  const moved = serve(() => Response.redirect(elsewhere));
  expect((await failureOf(clientOf(moved).get("/"))).message).toContain("with 302");
  expect(isReached).toBe(false);
});

test("an interrupt by the operator ends a wait", async () => {
  const ending = new AbortController();
  const url = serve(() => {
    queueMicrotask(() => ending.abort());
    return refusal(429, "rate_limited", { retry_after: 60 });
  });
  expect(clientOf(url, ending.signal).get("/")).rejects.toThrow("abort");
});
