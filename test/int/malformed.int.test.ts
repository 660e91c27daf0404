/**
 * Goal: malformed requests are client errors, reported where possible, and never count as server
 * errors. Method: bytes on a socket, because client libraries cannot send them, and bodies that
 * break off halfway.
 */
import { afterEach, expect, test } from "bun:test";
import { connect } from "node:net";
import { newKey, propertyBody } from "../support/client.ts";
import { until } from "../support/service.ts";
import { serviceOfFile } from "../support/service-of-file.ts";

const service = await serviceOfFile({ API_PROCESSES: "1", TRUSTED_PROXIES: "1" });
afterEach(async () => {
  expect(service.log).not.toContain("a handler threw");
  expect(await service.metrics()).not.toMatch(/innkeep_http_requests_total\{.*status="500"/);
});

const VERIFY = "/v1/receipts/verify";
const TYPE = "content-type: application/json\r\n";

interface Raw {
  readonly status: number | null;
  readonly head: string;
  readonly body: string;
}

/** Sends each part 100 ms after the one before; answers what comes until the connection closes. */
function raw(...parts: readonly (string | Uint8Array)[]): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(service.baseUrl);
    let received = "";
    const socket = connect(Number(port), hostname, async () => {
      for (const part of parts) {
        if (!socket.destroyed) socket.write(part);
        await Bun.sleep(100);
      }
    });
    socket.setTimeout(10_000, () => socket.destroy(new Error("no answer")));
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("close", () => {
      const [head = "", ...body] = received.split("\r\n\r\n");
      const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
      resolve({ status: status ? Number(status) : null, head, body: body.join("\r\n\r\n") });
    });
    socket.on("error", reject);
  });
}

const head = (start: string, ...fields: readonly string[]) =>
  `${start} HTTP/1.1\r\n${["connection: close", ...fields].join("\r\n")}\r\n\r\n`;

/** The paths of the faults in an envelope. */
function faultsOf({ body }: Raw): string[] {
  const { error } = JSON.parse(body) as {
    error: { code: string; detail: { field_errors: { path: string }[] } };
  };
  expect(error.code).toBe("validation_failed");
  return error.detail.field_errors.map(({ path }) => path);
}

test("a request with two hosts or an invalid host is refused first", async () => {
  for (const path of ["/healthz", "/v1/properties", "/nowhere", "/metrics"]) {
    for (const hosts of [
      ["host: a", "host: b"],
      ["host: a", "host: a"],
      ["host: a, b"],
      ["host:"],
      ["host: a b"],
      ["host: a/../b"],
      ["host: user@a"],
      ["host: a:port"],
      ["host: a?b"],
    ]) {
      const answer = await raw(head(`GET ${path}`, ...hosts));
      expect({ hosts, path, status: answer.status }).toMatchObject({ status: 400 });
      expect(faultsOf(answer)).toEqual(["Host"]);
    }
  }
  for (const host of ["a", "a.example:8080", "127.0.0.1:1", "[::1]:3000", "my_service"]) {
    expect((await raw(head("GET /healthz", `host: ${host}`))).status).toBe(200);
  }
  // HTTP/1.0 has no hosts; balancers still ask in it.
  const old = await raw("GET /healthz HTTP/1.0\r\n\r\n");
  expect([old.status, JSON.parse(old.body).data.status]).toEqual([200, "ok"]);
  const lost = await raw("GET /nowhere/at/all HTTP/1.0\r\n\r\n");
  expect(JSON.parse(lost.body).error.detail.path).toBe("/nowhere/at/all");
});

test("a head that is too long is 431 in the envelope, with its trace", async () => {
  for (const [path, status] of [
    [`/healthz?${"x".repeat(16_000)}`, 200],
    [`/healthz?${"x".repeat(17_000)}`, 431],
    ["/nowhere", 431],
    ["/v1/properties", 431],
  ] as const) {
    const field = `x-padding: ${"y".repeat(path.length > 100 ? 0 : 60_000)}`;
    const answer = await raw(head(`GET ${path}`, "host: a", field));
    expect({ path: path.slice(0, 20), status: answer.status }).toMatchObject({ status });
    if (status !== 431) continue;
    expect(faultsOf(answer)).toEqual([""]);
    expect(JSON.parse(answer.body).error.trace_id).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.head).toMatch(/x-trace-id/i);
  }
});

test("a repeated length is refused, also when it says the same twice", async () => {
  const lengths = ["content-length: 2", "content-length: 2"];
  const answer = await raw(head(`POST ${VERIFY}`, "host: a", ...lengths), "{}");
  expect(answer.status).toBe(400);
  expect(faultsOf(answer)).toEqual(["Content-Length"]);
});

test("an unsupported method is 405 in the envelope on every path", async () => {
  for (const method of ["PROPFIND", "TRACE", "LOCK"]) {
    for (const path of ["/", "/v1/properties", "/v1/holds/x", "/nowhere"]) {
      const answer = await raw(head(`${method} ${path}`, "host: a"));
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: 405 });
      expect(faultsOf(answer)).toEqual([""]);
      expect(answer.head.toLowerCase()).toContain("allow: get, ");
    }
  }
  const tunnel = await raw(head("CONNECT other.example:443", "host: a"));
  expect([tunnel.status, faultsOf(tunnel)]).toEqual([405, [""]]);
  // Words that HTTP has never heard of end at the runtime, which hangs up (oven-sh/bun#6556).
  for (const method of ["BREW", "get"]) {
    expect((await raw(head(`${method} /`, "host: a"))).status).toBeOneOf([null, 400, 405, 501]);
  }
  (await service.api("GET", "/healthz", { agent: null })).ok();
});

const UNREADABLE: Readonly<Record<string, Uint8Array>> = {
  "not UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  "half a character": Buffer.from([0x22, 0xe2, 0x82, 0x22]),
  "a surrogate in UTF-8": Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  "a lone surrogate": Buffer.from('{"a":"\\ud800"}'),
  "a zero byte": Buffer.from("{\0}"),
};

test("a body that is no text is 400 in every encoding, declared or in chunks", async () => {
  for (const [what, bytes] of Object.entries(UNREADABLE)) {
    const declared = `content-length: ${bytes.length}`;
    const chunk = Buffer.concat([
      Buffer.from(`${bytes.length.toString(16)}\r\n`),
      bytes,
      Buffer.from("\r\n0\r\n\r\n"),
    ]);
    for (const [field, sent] of [
      [declared, bytes],
      ["transfer-encoding: chunked", chunk],
    ] as const) {
      const type = TYPE.trim();
      const answer = await raw(head(`POST ${VERIFY}`, "host: a", type, field), sent);
      expect({ what, field, status: answer.status }).toEqual({ what, field, status: 400 });
      expect(faultsOf(answer)).toEqual([""]);
      const token = await raw(head("POST /oauth/token", "host: a", type, field), sent);
      expect([token.status, JSON.parse(token.body).error]).toEqual([400, "invalid_client"]);
    }
  }
});

test("a mark of the byte order before JSON means nothing, declared or in chunks", async () => {
  const sent = Buffer.from("\ufeff{}");
  const chunked = Buffer.concat([Buffer.from("5\r\n"), sent, Buffer.from("\r\n0\r\n\r\n")]);
  for (const [field, bytes] of [
    ["content-length: 5", sent],
    ["transfer-encoding: chunked", chunked],
  ] as const) {
    const answer = await raw(head(`POST ${VERIFY}`, "host: a", TYPE.trim(), field), bytes);
    expect(faultsOf(answer)).toContain("/signature");
  }
});

test("a body that is compressed is refused by the name of the header", async () => {
  const { admin } = service.demo;
  const raw = "{}";
  for (const encoding of ["gzip", "br", "deflate", "zstd", "gzip, gzip", "x"]) {
    const headers = { "content-encoding": encoding };
    expect((await service.api("POST", VERIFY, { agent: null, raw, headers })).faults()).toEqual([
      "Content-Encoding",
    ]);
    const lines = { ...headers, "content-type": "application/x-ndjson" };
    const path = "/v1/admin/properties/import";
    const imported = await service.api("POST", path, { agent: admin, raw, headers: lines });
    expect(imported.faults()).toEqual(["Content-Encoding"]);
    const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
    const token = await service.api("POST", "/oauth/token", { agent: null, raw, headers: form });
    expect(token.text).toContain("Content-Encoding is not supported");
  }
});

test("a body with broken chunks is not a server error", async () => {
  const { admin, agent } = service.demo;
  const by = (secret: string) => `authorization: Bearer ${secret}`;
  const chunked = ["host: a", "transfer-encoding: chunked"];
  const begun = '2\r\n{"\r\n';
  const calls = {
    [VERIFY]: [TYPE.trim()],
    "/oauth/token": [TYPE.trim()],
    "/v1/search": [TYPE.trim(), by(agent.secret)],
    "/mcp": [TYPE.trim(), by(agent.secret)],
    "/v1/admin/properties/import": ["content-type: application/x-ndjson", by(admin.secret)],
  };
  for (const [path, fields] of Object.entries(calls)) {
    for (const rest of ["ZZ\r\nabc\r\n", "2\r\nabcdef\r\n", "-1\r\n", "\r\n\r\n"]) {
      const answer = await raw(head(`POST ${path}`, ...chunked, ...fields), begun, rest);
      expect({ path, rest, status: answer.status }).toEqual({ path, rest, status: 400 });
    }
  }
  await until("they are counted as gone", async () => {
    const text = await service.metrics();
    return Object.keys(calls).every((path) => text.includes(`route="${path}",status="499"`));
  });
});

test("an import beyond its limit is refused and says where it stopped", async () => {
  const body = propertyBody();
  const LIMIT = 256 * 1024 * 1024;
  const block = new Uint8Array(1024 * 1024).fill(0x20);
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === 0) controller.enqueue(Buffer.from(`\n${JSON.stringify(body)}\n`));
      else controller.enqueue(block);
      sent += block.length;
      if (sent > LIMIT + block.length) controller.close();
    },
  });
  const headers = { "content-type": "application/x-ndjson", "idempotency-key": newKey() };
  const path = "/v1/admin/properties/import";
  const { admin } = service.demo;
  const answer = await service.api("POST", path, { agent: admin, raw: stream, headers });
  const { detail } = answer.refused("validation_failed", 400);
  expect(detail).toMatchObject({
    field_errors: [{ path: "", message: expect.any(String), expected: `≤ ${LIMIT} bytes` }],
    ...{ stopped_at_line: 3, imported: 1, failed: 0 },
    items: [{ line: 2, property_id: body.id, result: "created" }],
  });
  const kept = await service.api("GET", `/v1/admin/properties/${body.id}`, { agent: admin });
  kept.ok();
});

test("an import of a thousand bad lines is refused and says where it stopped", async () => {
  const good = propertyBody();
  const raw = `${JSON.stringify(good)}\n${"{}\n".repeat(1_500)}`;
  const headers = { "content-type": "application/x-ndjson" };
  const { admin } = service.demo;
  const path = "/v1/admin/properties/import";
  const answer = await service.api("POST", path, { agent: admin, raw, headers });
  const { detail } = answer.refused("validation_failed");
  expect(detail).toMatchObject({ stopped_at_line: 1_002, imported: 1, failed: 1_000 });
  expect((detail as { items: object[] }).items).toHaveLength(1_001);
});

test("of many faults the first hundred are listed with the number of the others", async () => {
  const unknown = Array.from({ length: 400 }, (_, i) => [`x${i}`, 0]);
  const body = Object.fromEntries(unknown);
  const answer = await service.api("POST", "/v1/quotes", { body });
  const { detail } = answer.refused("validation_failed");
  expect(detail.field_errors).toHaveLength(100);
  // With the six members that are missing, those of `stay` each.
  expect(detail.more_field_errors).toBe(306);
});

test("lines of an import that are no text fail alone, however they are cut", async () => {
  const good = [propertyBody(), propertyBody()];
  const line = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\r\n`);
  const bytes = Buffer.concat([
    line({ ...good[0], name: "Hôtel à 5 €" }),
    Buffer.from([0x22, 0xff, 0x22, 0x0a, 0x0a]),
    line({ ...good[1], name: "Gasthof 🏨" }),
  ]);
  // Cut inside characters and line ends.
  const parts = Array.from({ length: bytes.length }, (_, i) => bytes.subarray(i, i + 1));
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  const headers = { "content-type": "application/x-ndjson" };
  const path = "/v1/admin/properties/import";
  const { admin } = service.demo;
  const answer = await service.api("POST", path, { agent: admin, raw: stream, headers });
  const { data } = answer.ok<{ items: { line: number; error?: { detail: unknown } }[] }>();
  expect(data).toMatchObject({
    ...{ imported: 2, failed: 1 },
    items: [
      { line: 1, property_id: good[0]!.id },
      { line: 2, error: { detail: { field_errors: [{ message: "is not UTF-8" }] } } },
      { line: 4, property_id: good[1]!.id },
    ],
  });
  const path1 = `/v1/admin/properties/${good[1]!.id}`;
  expect((await service.api("GET", path1, { agent: admin })).text).toContain("Gasthof 🏨");
});

test("every answer with a trace has its own span, beside the stored trace of a replay", async () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
  const spans = new Set<string>();
  for (const path of ["/healthz", "/v1/properties", "/v1/holds/x", "/nowhere", "/oauth/token"]) {
    const answer = await service.api("GET", path, { headers });
    const { groups } =
      /^00-(?<trace>[0-9a-f]{32})-(?<span>[0-9a-f]{16})-00$/.exec(
        answer.headers.get("traceresponse") ?? "",
      ) ?? {};
    expect({ path, trace: groups?.trace }).toEqual({ path, trace });
    expect(answer.headers.get("x-trace-id")).toBe(trace);
    spans.add(groups!.span!);
  }
  expect(spans.size).toBe(5);
  const document = await service.api("GET", "/llms.txt", { agent: null, headers });
  expect(document.headers.has("traceresponse")).toBeFalse();
});
