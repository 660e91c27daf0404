/**
 * The catalogue's tools as MCP tools. A result is the REST envelope as it is, so that an agent has
 * one set of shapes and errors to learn, whichever way it calls.
 */
import {
  type CallToolRequest,
  type CallToolResult,
  type Tool as McpTool,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { Call } from "../../http/call.ts";
import type { Routes } from "../../http/route-table.ts";
import { memoizeByKey } from "../../lib/memoize.ts";
import { toolById, toolsOf } from "../tools/catalogue.ts";
import { runTool, toolRefusal } from "../tools/run.ts";
import { listed } from "./listed.ts";
import { profileOf } from "./profile.ts";

const listedTools = memoizeByKey((routes: Routes) => toolsOf(routes).map(listed));

/**
 * The tools that the caller's scopes allow, always in the same order. As with `next_actions`, what
 * the caller may not do is not offered; calling it all the same is answered `forbidden`.
 */
export function listTools(call: Call): { tools: McpTool[] } {
  const profile = profileOf(call);
  const tools = listedTools(call.context.routes).filter(
    ({ tool }) => toolRefusal(call, tool) === null,
  );
  return { tools: tools.map((each) => each[profile]) };
}

/** Runs one tool. Throws a protocol error for a name that is no tool's. */
export async function callTool(call: Call, { params }: CallToolRequest): Promise<CallToolResult> {
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
