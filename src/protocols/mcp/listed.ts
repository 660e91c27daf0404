/** Entries of `tools/list`, for each profile: how much of each tool is listed. */
import type { Tool as McpTool } from "@modelcontextprotocol/server";
import { type TSchema, Type } from "@sinclair/typebox";
import type { PublicCall } from "../../http/call.ts";
import type { QueryParameter } from "../../http/contract.ts";
import { freeForm } from "../../http/schema/answer-parts.ts";
import { bodyOf, ErrorEnvelope, NextAction } from "../../http/schema/envelope.ts";
import type { Tool } from "../tools/catalogue.ts";
import { shortSchema } from "../tools/short-schema.ts";

type JsonSchema = McpTool["inputSchema"];

export interface Listed extends Readonly<Record<Profile, McpTool>> {
  readonly tool: Tool;
}

/** The entry of a tool in a profile. */
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

/** The next actions of `toolEnvelope`. */
const NextCalls = Type.Array(
  Type.Object({
    ...NextAction.properties,
    tool: Type.Optional(Type.String({ description: "The tool for it, if any." })),
    arguments: Type.Optional(freeForm("Its arguments, ready like `body_hint`.")),
  }),
);

/**
 * One object type for success and refusal: some clients validate refusals too, and those of the
 * 2025 revisions require a root of `type: "object"`. The error catalogue describes refusals.
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

/** A schema as plain JSON, without ids: shared parts would clash between tools. */
function jsonSchema(schema: TSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === "$id" ? undefined : value)));
}

const PROFILES = ["default", "full"] as const;
type Profile = (typeof PROFILES)[number];

/**
 * The parameter of `/mcp`. Tool lists are in the model's context on every turn, so the default is
 * the least that a good call needs.
 */
export const PROFILE: QueryParameter = {
  schema: Type.Unsafe<string>({ type: "string", enum: PROFILES }),
  description:
    "Detail of `tools/list`: `default` is short; `full` adds the schemas of answers and the " +
    "bounds of every argument.",
  isValid: (value) => PROFILES.some((known) => known === value),
  fault: { message: "is not a profile", expected: `one of ${PROFILES.join(", ")}` },
};

/** The requested profile. */
export function profileOf({ query }: Pick<PublicCall, "query">): Profile {
  return query.get("profile") === "full" ? "full" : "default";
}
