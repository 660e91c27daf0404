/**
 * The MCP server of one request. Both eras of the protocol are served without sessions, so any
 * process can answer.
 */
import {
  type CallToolRequest,
  type CallToolResult,
  createMcpHandler,
  type Tool as McpTool,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import { PRODUCT_VERSION, SERVICE_NAME } from "../../about/about.ts";
import type { Verbatim } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import type { Routes } from "../../http/route-table.ts";
import { memoizeByKey } from "../../lib/memoize.ts";
import { toolById, toolsOf } from "../tools/catalogue.ts";
import { runTool, toolRefusal } from "../tools/run.ts";
import { listed, profileOf } from "./listed.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { complete, listResources, RESOURCE_TEMPLATES, readResource } from "./resources.ts";

const INSTRUCTIONS = `Innkeep sells hotel rooms. To book: search, quote, hold, book; a quote is the \
only price, a hold reserves the room for some minutes, book takes the payment. Every result is an \
envelope: on success data and next_actions, on failure error with code, remediation and \
next_actions; match on error.code. A next action names a tool and its arguments, ready but for what \
stands as <what it is>. Amounts are integers in minor units. book and cancel need the traveler's \
delegation token and the traveler's consent; without a token create_checkout_session hands a hold \
over to the traveler, who books it on a page. hold and book need an idempotency_key: a new one for \
each new intent, the same one when you retry; keys of other agents are other keys.`;

const HOUR_MS = 3_600_000;
const FOR_ALL = { ttlMs: HOUR_MS, cacheScope: "public" } as const;
/** Lists depend on the caller's scopes, and supply changes. */
const FOR_CALLER = { ttlMs: 60_000, cacheScope: "private" } as const;

const OPTIONS: ServerOptions = {
  capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
  instructions: INSTRUCTIONS,
  cacheHints: {
    "server/discover": FOR_ALL,
    "resources/templates/list": FOR_ALL,
    "tools/list": FOR_CALLER,
    "prompts/list": FOR_CALLER,
    "resources/list": FOR_ALL,
    "resources/read": FOR_CALLER,
  },
};

/** Answers the JSON-RPC message in the body of `call`. */
export async function answerMcp(call: Call): Promise<Verbatim> {
  const handler = createMcpHandler(() => serverFor(call));
  const response = await handler.fetch(call.request, { parsedBody: call.sent });
  const { status } = response;
  const own = { "cache-control": "no-store", "x-trace-id": call.traceId };
  const headers = { ...Object.fromEntries(response.headers), ...own };
  const isWhole = response.headers.get("content-type")?.startsWith("application/json");
  return { ok: true, status, headers, body: isWhole ? await response.text() : response.body };
}

function serverFor(call: Call): Server {
  const info = { name: SERVICE_NAME, title: "Innkeep", version: PRODUCT_VERSION };
  const server = new Server({ ...info, websiteUrl: call.context.config.docsUrl }, OPTIONS);
  server.setRequestHandler(
    "tools/list",
    guarded(call, () => listTools(call)),
  );
  server.setRequestHandler(
    "tools/call",
    guarded(call, (request) => callTool(call, request)),
  );
  server.setRequestHandler("resources/list", listResources);
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: RESOURCE_TEMPLATES,
  }));
  server.setRequestHandler(
    "resources/read",
    guarded(call, (request) => readResource(call, request)),
  );
  server.setRequestHandler(
    "prompts/list",
    guarded(call, () => listPrompts(call)),
  );
  server.setRequestHandler(
    "prompts/get",
    guarded(call, (request) => getPrompt(call, request)),
  );
  server.setRequestHandler(
    "completion/complete",
    guarded(call, (request) => complete(call, request)),
  );
  return server;
}

/** Logs a bug and hides its message, which the library would send. */
function guarded<In, Out>(
  { context, traceId }: Call,
  work: (request: In) => Out | Promise<Out>,
): (request: In) => Promise<Out> {
  return async (request) => {
    try {
      return await work(request);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      context.log.error("an MCP handler threw", { trace_id: traceId, error });
      throw new ProtocolError(ProtocolErrorCode.InternalError, "Internal error");
    }
  };
}

const listedTools = memoizeByKey((routes: Routes) => toolsOf(routes).map(listed));

/**
 * The tools that the caller's scopes allow, in a fixed order. Others are not listed; calling one is
 * answered `forbidden`.
 */
function listTools(call: Call): { tools: McpTool[] } {
  const profile = profileOf(call);
  const tools = listedTools(call.context.routes).filter(
    ({ tool }) => toolRefusal(call, tool) === null,
  );
  return { tools: tools.map((each) => each[profile]) };
}

/** Runs one tool; the result is the REST envelope. Throws a protocol error for an unknown name. */
async function callTool(call: Call, { params }: CallToolRequest): Promise<CallToolResult> {
  const tool = toolById(call.context.routes, params.name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown tool");
  const traceparent = params._meta?.traceparent;
  const { status, body } = await runTool(call, tool, params.arguments ?? {}, {
    delegation: call.request.headers.get("x-delegated-user"),
    traceparent: typeof traceparent === "string" ? traceparent : null,
  });
  return {
    content: [{ type: "text", text: JSON.stringify(body) }],
    structuredContent: body,
    ...(status >= 400 ? { isError: true } : {}),
  };
}
