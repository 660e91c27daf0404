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
import type { TSchema } from "@sinclair/typebox";
import { oncePer } from "../base/once-per.ts";
import { allowed } from "../http/admission.ts";
import type { Call } from "../http/call.ts";
import type { Routes } from "../http/route-table.ts";
import { bodyOf, ErrorEnvelope } from "../http/schema/envelope.ts";
import { type Tool, toolById, toolsOf } from "../tools/catalogue.ts";
import { runTool } from "../tools/run.ts";

type JsonSchema = McpTool["inputSchema"];

const listedTools = oncePer((routes: Routes) =>
  toolsOf(routes).map((tool) => ({ tool, listed: listedAs(tool) })),
);

/**
 * The tools that the caller's scopes allow, always in the same order. As with `next_actions`, what
 * the caller may not do is not offered; calling it all the same is answered `forbidden`.
 */
export function listTools(call: Call): { tools: McpTool[] } {
  const allowedTools = listedTools(call.context.routes).filter(({ tool }) => isAllowed(call, tool));
  return { tools: allowedTools.map(({ listed }) => listed) };
}

/** Whether the caller's kind and scopes allow a tool. */
export function isAllowed({ principal }: Call, { route }: Pick<Tool, "route">): boolean {
  return route.access === "public" || allowed(route.access, principal) === null;
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

function listedAs(tool: Tool): McpTool {
  const { id, title, description } = tool;
  return {
    name: id,
    title,
    description,
    inputSchema: jsonSchema(tool.input),
    outputSchema: outputSchema(tool),
    annotations: {
      title,
      readOnlyHint: tool.isReadOnly,
      destructiveHint: tool.isDestructive,
      idempotentHint: tool.isIdempotent,
      openWorldHint: tool.isOpenWorld,
    },
  };
}

/**
 * One object type for success and refusal: some clients hold refusals against this schema too, and
 * those of the 2025 revisions take no other root than `type: "object"`. What a refusal holds is
 * said once, in the error catalogue.
 */
function outputSchema(tool: Tool): JsonSchema {
  const success = bodyOf(tool.route.success);
  const { properties = {}, required = [] } = success ? jsonSchema(success) : {};
  const error = { type: "object", required: ErrorEnvelope.properties.error.required ?? [] };
  return {
    type: "object",
    properties: { ...properties, error },
    anyOf: [{ required }, { required: ["error"] }],
  };
}

/** A schema as plain JSON; ids would clash where the same part stands in two tools. */
function jsonSchema(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === "$id" ? undefined : value)));
}
