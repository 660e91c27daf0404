/**
 * The MCP server of one request. Both eras of the protocol are served without sessions: all state
 * is the engine's, so any process can answer any request.
 */
import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import { PRODUCT_VERSION, SERVICE_NAME } from "../../about/version.ts";
import type { Verbatim } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { complete, listResources, RESOURCE_TEMPLATES, readResource } from "./resources.ts";
import { callTool, listTools } from "./tools.ts";

const INSTRUCTIONS = `Innkeep sells hotel rooms. To book: search, quote, hold, book; a quote is the \
only price, a hold reserves the room for some minutes, book takes the payment. Every result is an \
envelope: on success data and next_actions, on failure error with code, remediation and \
next_actions; match on error.code. A next action names a tool and its arguments, ready but for what \
stands as <what it is>. Amounts are integers in minor units. book and cancel need the traveler's \
delegation token and the traveler's consent. hold and book need an idempotency_key: a new one for \
each new intent, the same one when you retry; keys of other agents are other keys.`;

const HOUR_MS = 3_600_000;
const FOR_ALL = { ttlMs: HOUR_MS, cacheScope: "public" } as const;
/** Lists follow the caller's scopes, and supply changes. */
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

/** Answers the JSON-RPC message that is the body of `call`. */
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

/** Logs a bug without its message in the answer, which the library would send. */
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
