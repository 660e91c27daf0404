/**
 * Reads a message and builds the answer. A skill is called by exactly one data part; plain text is
 * answered with instructions, because natural language is not interpreted.
 */
import { type Message, type Part, Role } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import { Type } from "@sinclair/typebox";
import type { InProcessAnswer } from "../../http/in-process.ts";
import type { Routes } from "../../http/route-table.ts";
import { closed, oneOf } from "../../http/schema/request-parts.ts";
import { compile } from "../../http/validate.ts";
import { memoizeByKey } from "../../lib/memoize.ts";
import { type Tool, toolById, toolsOf } from "../tools/catalogue.ts";
import { shortSchema } from "../tools/short-schema.ts";

/** A skill with its arguments, validated by the skill's route. */
export interface SkillCall {
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
}

const checkFor = memoizeByKey((routes: Routes) =>
  compile(
    closed({
      skill: oneOf(toolsOf(routes).map(({ id }) => id)),
      input: Type.Optional(
        Type.Object({}, { description: "an object: the arguments of the skill" }),
      ),
    }),
  ),
);

type SkillCallData = { readonly skill: string; readonly input?: SkillCall["input"] };

/**
 * The skill that a message calls; null for plain text. Throws `RequestMalformedError` with all
 * faults of the data part, `ContentTypeNotSupportedError` for files.
 */
export function readMessage(routes: Routes, { messageId, parts }: Message): SkillCall | null {
  if (messageId === "") throw new RequestMalformedError("message.messageId is missing.");
  const contents = parts.map(({ content }) => content);
  if (contents.length === 0 || contents.includes(undefined)) {
    throw new RequestMalformedError("message.parts must be a list of text and data parts.");
  }
  if (contents.some((content) => content?.$case === "raw" || content?.$case === "url")) {
    throw new ContentTypeNotSupportedError("Files are not read: send one data part.");
  }
  const data = contents.filter((content) => content?.$case === "data");
  if (data.length === 0) return null;
  if (data.length > 1) throw new RequestMalformedError("A message may have one data part.");
  return readData(routes, data[0]?.value);
}

function readData(routes: Routes, value: unknown): SkillCall {
  const faults = checkFor(routes)(value);
  if (faults.length > 0) {
    const lines = faults.map(({ path, message }) => `${path || "it"} ${message}`);
    throw new RequestMalformedError({
      message: `The data part must be {"skill": id, "input": {…}}: ${lines.join("; ")}.`,
      metadata: Object.fromEntries(faults.map(({ path, expected }) => [path || "/", expected])),
    });
  }
  const { skill, input = {} } = value as SkillCallData;
  return { tool: toolById(routes, skill)!, input };
}

/** The envelope as a data part, with one line of text. */
export function skillAnswer(contextId: string, { tool }: SkillCall, { body }: InProcessAnswer) {
  return messageOf(contextId, summaryOf(tool.id, body), body);
}

interface Envelope {
  readonly error?: { readonly code: string; readonly remediation: string };
  readonly next_actions?: readonly { readonly rel: string; readonly tool?: string }[];
}

function summaryOf(skill: string, { error, next_actions = [] }: Envelope): string {
  if (error) return `${skill} was refused: ${error.code}. ${error.remediation}`;
  const next = [...new Set(next_actions.map(({ rel, tool }) => tool ?? rel))].join(", ");
  return next === "" ? `${skill} is done.` : `${skill} is done. Next: ${next}.`;
}

/** How to call a skill, with every input schema. */
export function helpAnswer(routes: Routes, contextId: string): Message {
  const tools = toolsOf(routes);
  const names = tools.map(({ id }) => id).join(", ");
  const text =
    'This agent reads no natural language. Send one data part {"skill": id, "input": {…}}; ' +
    `skills: ${names}. The data part holds the schema of each input.`;
  const skills = tools.map(({ id, description, input }) => {
    return { id, description, input_schema: shortSchema(input) };
  });
  return messageOf(contextId, text, { skills });
}

function messageOf(contextId: string, text: string, data: object): Message {
  return {
    messageId: crypto.randomUUID(),
    contextId: contextId || crypto.randomUUID(),
    taskId: "",
    role: Role.ROLE_AGENT,
    parts: [
      partOf({ $case: "data", value: data }, "application/json"),
      partOf({ $case: "text", value: text }, "text/plain"),
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

function partOf(content: NonNullable<Part["content"]>, mediaType: string): Part {
  return { content, mediaType, metadata: undefined, filename: "" };
}
