/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP. Admission is that of every route;
 * here stand the two checks that the protocol asks for besides (basic/transports, security): pages
 * of other origins and rebound host names are refused.
 */
import { localhostAllowedHostnames, validateHostHeader } from "@modelcontextprotocol/server";
import { Type } from "@sinclair/typebox";
import type { Call, ProtectedRoute } from "../http/call.ts";
import { bad } from "../http/respond.ts";
import { compile } from "../http/validate.ts";
import { answerMcp } from "./server.ts";

/** Rules §2. */
const BODY_BYTES_MAX = 256 * 1024;

/** One message: a batch would be many calls for the price of one. */
const checkMessage = compile(Type.Object({ jsonrpc: Type.Literal("2.0") }));

function handle(call: Call): Response | Promise<Response> {
  const { baseUrl } = call.deps.config;
  const reason = intruderOf(call.request.headers, new URL(baseUrl));
  if (reason) return bad(call, { code: "forbidden", detail: { reason, allowed: baseUrl } });
  return answerMcp(call);
}

/** Why a request does not come from where it should; null when it does. */
function intruderOf(headers: Headers, base: URL): "origin_not_allowed" | "host_not_allowed" | null {
  const local = localhostAllowedHostnames();
  const isLocal = local.includes(base.hostname);
  const origin = headers.get("origin");
  if (origin !== null && origin !== base.origin) {
    const isLocalPage = isLocal && local.includes(URL.parse(origin)?.hostname ?? "");
    if (!isLocalPage) return "origin_not_allowed";
  }
  // A public name is the business of the proxy that serves it.
  if (isLocal && !validateHostHeader(headers.get("host"), local).ok) return "host_not_allowed";
  return null;
}

export const mcpRoutes: readonly ProtectedRoute[] = [
  {
    method: "POST",
    path: "/mcp",
    access: { kinds: ["agent", "operator", "service"], scope: null },
    resource: "mcp",
    reads: "json",
    bodyBytesMax: BODY_BYTES_MAX,
    check: checkMessage,
    handle,
  },
];
