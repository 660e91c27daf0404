/**
 * Goal: `/mcp` keeps to its protocol where no friendly client looks: admission, foreign pages and
 * hosts, sizes, batches, methods. Method: the conformance suite of the protocol's makers, through a
 * proxy that adds the credential it cannot send, and hand-made requests.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Answer } from "../support/answer.ts";
import { mcpUrl } from "../support/mcp-client.ts";
import { Service, WHOLE_DEMO } from "../support/service.ts";

const SUITE = Bun.resolveSync("@modelcontextprotocol/conformance/dist/index.js", import.meta.dir);
/** All that ask nothing of tools, resources and prompts that only a test server has. */
const SCENARIOS = [
  ...["server-initialize", "ping", "tools-list", "resources-list", "prompts-list"],
  ...["completion-complete", "dns-rebinding-protection"],
];
const KIB = 1024;
/** A page that the operator lets in. */
const INSPECTOR = "https://inspector.example";

let service: Service;
let url: URL;

beforeAll(async () => {
  service = await Service.start({ ...WHOLE_DEMO, CORS_ORIGINS: INSPECTOR });
  url = mcpUrl(service);
});
afterAll(() => service.stop());

const call = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

async function post(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: {
      authorization: `Bearer ${service.demo.agent.secret}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
  });
  return new Answer("POST /mcp", response.status, response.headers, await response.text());
}

test("the scenarios of the conformance suite pass", async () => {
  const directory = mkdtempSync(join(tmpdir(), "innkeep-mcp-"));
  const proxy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ method, headers, body }) => {
      headers.set("authorization", `Bearer ${service.demo.agent.secret}`);
      return fetch(url, { method, headers, body });
    },
  });
  try {
    for (const scenario of SCENARIOS) {
      const target = ["--url", `http://localhost:${proxy.port}/mcp`, "--scenario", scenario];
      const run = Bun.spawn([process.execPath, SUITE, "server", ...target], {
        cwd: directory,
        stdout: "pipe",
        stderr: "ignore",
      });
      const told = await run.stdout.text();
      expect({ scenario, told, exit: await run.exited }).toMatchObject({ exit: 0 });
      expect(told).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/);
    }
  } finally {
    await proxy.stop(true);
    rmSync(directory, { recursive: true });
  }
});

test("without a credential the answer says where to get a token", async () => {
  const answer = await post(call("tools/list"), { authorization: "" });
  answer.refused("unauthenticated");
  const metadata = `${url.origin}/.well-known/oauth-protected-resource/mcp`;
  expect(answer.headers.get("www-authenticate")).toContain(`resource_metadata="${metadata}"`);
});

test("a partner's credential is no agent's", async () => {
  const [partner] = await service.newAgents([{ kind: "partner" }]);
  const answer = await post(call("tools/list"), { authorization: `Bearer ${partner!.secret}` });
  answer.refused("principal_kind_not_allowed");
});

test("pages of other origins and rebound host names are refused", async () => {
  const near = ["https://inspector.example.evil.example", "http://inspector.example"];
  const others = ["https://evil.example", "null", "http://localhost.evil.example", ...near];
  for (const origin of others) {
    const answer = await post(call("ping"), { origin });
    const { detail } = answer.refused("forbidden");
    expect(detail.reason).toBe("origin_not_allowed");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  }
  const letIn = await post(call("ping"), { origin: INSPECTOR });
  expect([letIn.status, letIn.headers.get("access-control-allow-origin")]).toEqual([
    200,
    INSPECTOR,
  ]);
  for (const host of ["evil.example", `evil.example:${url.port}`]) {
    const { detail } = (await post(call("ping"), { host })).refused("forbidden");
    expect(detail.reason).toBe("host_not_allowed");
  }
  for (const headers of [
    { origin: url.origin },
    { origin: "http://127.0.0.1:5173" },
    { host: `127.0.0.1:${url.port}` },
  ]) {
    expect((await post(call("ping"), headers)).status).toBe(200);
  }
});

test("there is no session to open by GET or to end by DELETE", async () => {
  for (const method of ["GET", "DELETE"]) {
    const answer = await service.api(method, "/mcp");
    answer.refused("validation_failed", 405);
    expect(answer.headers.get("allow")).toBe("POST");
  }
});

test("one message of at most 256 KiB is read, and nothing else", async () => {
  const message = JSON.stringify(call("ping"));
  const padded = (bytes: number) => message + " ".repeat(bytes - message.length);
  expect((await post(padded(256 * KIB))).status).toBe(200);
  expect((await post(padded(256 * KIB + 1))).faults()).toEqual([""]);
  expect((await post([call("ping"), call("ping")])).faults()).toEqual([""]);
  expect((await post("")).faults()).toEqual([""]);
  expect((await post({ method: "ping" })).faults()).toEqual(["/jsonrpc"]);
  expect((await post(message, { "content-type": "text/plain" })).faults()).toEqual([
    "Content-Type",
  ]);
});

test("an unknown method is an error of the protocol in both eras", async () => {
  const legacy = await post(call("no/such"));
  expect(legacy.text).toContain("-32601");
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "no/such" };
  const modern = await post(call("no/such", { _meta }), headers);
  expect(modern.status).toBe(404);
  expect(modern.json).toMatchObject({ id: 1, error: { code: -32601 } });
});

test("a notification is taken without an answer", async () => {
  const answer = await post({ jsonrpc: "2.0", method: "notifications/initialized" });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 202, text: "" });
});
