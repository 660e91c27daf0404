/** A tool of the catalogue in `tools/list`, for each profile. */
import type { Tool as McpTool } from "@modelcontextprotocol/server";
import { type TSchema, Type } from "@sinclair/typebox";
import { freeForm } from "../../http/schema/answer-parts.ts";
import { bodyOf, ErrorEnvelope, NextAction } from "../../http/schema/envelope.ts";
import type { Tool } from "../tools/catalogue.ts";
import { shortSchema } from "../tools/short-schema.ts";
import type { Profile } from "./profile.ts";

type JsonSchema = McpTool["inputSchema"];

/** A tool with what is told of it. */
export interface Listed extends Readonly<Record<Profile, McpTool>> {
  readonly tool: Tool;
}

/** What each profile tells of a tool. */
export function listed(tool: Tool): Listed {
  const { id: name, title, description } = tool;
  const words = { name, title, description };
  return {
    tool,
    default: {
      ...words,
      inputSchema: shortSchema(tool.input) as JsonSchema,
      annotations: hintsOf(tool),
    },
    full: {
      ...words,
      inputSchema: jsonSchema(tool.input),
      outputSchema: outputSchema(tool),
      annotations: { title, ...hintsOf(tool) },
    },
  };
}

/** Hosts assume destructive tools by default, so negative hints are set too. */
function hintsOf({ isReadOnly, isDestructive, isIdempotent, isOpenWorld }: Tool) {
  if (isReadOnly) return { readOnlyHint: true, openWorldHint: isOpenWorld };
  return {
    readOnlyHint: false,
    destructiveHint: isDestructive,
    idempotentHint: isIdempotent,
    openWorldHint: isOpenWorld,
  };
}

/** What `toolEnvelope` makes of next actions. */
const NextCalls = Type.Array(
  Type.Object({
    ...NextAction.properties,
    tool: Type.Optional(Type.String({ description: "The tool for it, if any." })),
    arguments: Type.Optional(freeForm("Its arguments, ready like `body_hint`.")),
  }),
);

/**
 * One object type for success and refusal: some clients hold refusals against this schema too, and
 * those of the 2025 revisions take no other root than `type: "object"`. What a refusal holds is
 * said once, in the error catalogue.
 */
function outputSchema(tool: Tool): JsonSchema {
  const { properties: parts, ...rest } = bodyOf(tool.route.success)!;
  const body = { ...rest, properties: { ...parts, next_actions: NextCalls } } as TSchema;
  const { properties, required = [] } = jsonSchema(body);
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
