/**
 * What a message asks for, and the message that answers it. A skill is called by exactly one data
 * part; text alone is answered with how to call one, because nothing here reads natural language.
 */
import { type Message, type Part, Role } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError, RequestMalformedError } from "@a2a-js/sdk/errors";
import { Type } from "@sinclair/typebox";
import type { InProcessAnswer } from "../http/in-process.ts";
import { closed, oneOf } from "../http/schema/request-parts.ts";
import { compile } from "../http/validate.ts";
import { TOOLS, type Tool, toolOf } from "../tools/catalogue.ts";

/** A skill with its arguments, which the skill's own route judges. */
export interface SkillCall {
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
}

const SkillCallData = closed({
  skill: oneOf(TOOLS.map(({ id }) => id)),
  input: Type.Optional(Type.Object({}, { description: "an object: the arguments of the skill" })),
});
const check = compile(SkillCallData);

type SkillCallData = { readonly skill: string; readonly input?: SkillCall["input"] };

/**
 * The skill that a message calls; null when it is text alone. Throws `RequestMalformedError` naming
 * everything that is wrong with the data part, `ContentTypeNotSupportedError` for files.
 */
export function readMessage({ messageId, parts }: Message): SkillCall | null {
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
  return readData(data[0]?.value);
}

function readData(value: unknown): SkillCall {
  const faults = check(value);
  if (faults.length > 0) {
    const lines = faults.map(({ path, message }) => `${path || "it"} ${message}`);
    throw new RequestMalformedError({
      message: `The data part must be {"skill": id, "input": {…}}: ${lines.join("; ")}.`,
      metadata: Object.fromEntries(faults.map(({ path, expected }) => [path || "/", expected])),
    });
  }
  const { skill, input = {} } = value as SkillCallData;
  return { tool: toolOf(skill)!, input };
}

/** The envelope as a data part, and one line of text for those who only read. */
export function skillAnswer(contextId: string, { tool }: SkillCall, { body }: InProcessAnswer) {
  return messageOf(contextId, summaryOf(tool.id, body), body);
}

interface Envelope {
  readonly error?: { readonly code: string; readonly remediation: string };
  readonly next_actions?: readonly { readonly rel: string }[];
}

function summaryOf(skill: string, { error, next_actions = [] }: Envelope): string {
  if (error) return `${skill} was refused: ${error.code}. ${error.remediation}`;
  const rels = [...new Set(next_actions.map(({ rel }) => rel))].join(", ");
  return rels === "" ? `${skill} is done.` : `${skill} is done. Next: ${rels}.`;
}

const HELP_TEXT =
  'This agent reads no natural language. Send one data part {"skill": id, "input": {…}}; ' +
  `skills: ${TOOLS.map(({ id }) => id).join(", ")}. The data part holds the schema of each input.`;
const HELP_DATA = {
  skills: TOOLS.map(({ id, description, input }) => ({ id, description, input_schema: input })),
};

/** How to call a skill, with the schema of every input. */
export function helpAnswer(contextId: string): Message {
  return messageOf(contextId, HELP_TEXT, HELP_DATA);
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
