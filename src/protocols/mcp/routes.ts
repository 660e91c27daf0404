/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP. Adds the two checks of the protocol
 * (basic/transports, security): origins outside `CORS_ORIGINS` and rebound host names are refused.
 */
import { localhostAllowedHostnames, validateHostHeader } from "@modelcontextprotocol/server";
import { Type } from "@sinclair/typebox";
import type { Config } from "../../config.ts";
import { type Refusal, refuse, type Verbatim } from "../../http/answer.ts";
import type { Call } from "../../http/call.ts";
import { route } from "../../http/route.ts";
import { JsonRpcAnswer } from "../../http/schema/answer-parts.ts";
import { ErrorEnvelope } from "../../http/schema/envelope.ts";
import { json } from "../../http/validate.ts";
import { PROFILE } from "./listed.ts";
import { answerMcp } from "./server.ts";

const BODY_BYTES_MAX = 256 * 1024;

/** A single message: a batch would be many calls for the price of one. */
const Message = Type.Object({ jsonrpc: Type.Literal("2.0") });

async function answer(call: Call): Promise<Verbatim | Refusal> {
  const { config } = call.context;
  const reason = intruderOf(call.request.headers, config);
  return reason ? refuse("forbidden", { reason, allowed: config.baseUrl }) : answerMcp(call);
}

/** Why the origin or host is refused, else null. */
function intruderOf(
  headers: Headers,
  { baseUrl, corsOrigins }: Config,
): "origin_not_allowed" | "host_not_allowed" | null {
  const base = new URL(baseUrl);
  const local = localhostAllowedHostnames();
  const isLocal = local.includes(base.hostname);
  const origin = headers.get("origin");
  if (origin !== null && origin !== base.origin && !corsOrigins.has(origin)) {
    const isLocalPage = isLocal && local.includes(URL.parse(origin)?.hostname ?? "");
    if (!isLocalPage) return "origin_not_allowed";
  }
  // Public names are checked by the proxy.
  if (isLocal && !validateHostHeader(headers.get("host"), local).ok) return "host_not_allowed";
  return null;
}

/** Requests that are not JSON-RPC get the usual refusal. */
const Refused = Type.Union([JsonRpcAnswer, ErrorEnvelope]);
const Events = Type.String({ description: "One event; its data is the JSON-RPC response." });

export const mcpRoutes = [
  route({
    id: "mcp",
    tag: "Protocols",
    method: "POST",
    path: "/mcp",
    summary: "Model Context Protocol",
    description:
      "Streamable HTTP, one message per request. Tools have the names of the operations here; " +
      "`structuredContent` of a result is the envelope.",
    access: { kinds: ["agent", "operator", "service"], scope: null, touches: "nothing" },
    resource: "mcp",
    query: { profile: PROFILE },
    body: json(Message),
    bodyBytesMax: BODY_BYTES_MAX,
    renderer: "verbatim",
    success: {
      status: 200,
      description: "A JSON-RPC response.",
      body: JsonRpcAnswer,
      alternatives: { "text/event-stream": Events },
    },
    errors: [],
    ownErrors: {
      400: { description: "The message is not one of the protocol.", body: Refused },
      404: { description: "The method is unknown.", body: JsonRpcAnswer },
    },
    handle: answer,
  }),
];
