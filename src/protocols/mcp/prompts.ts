/**
 * The canonical flows as prompts: a person picks one in the host and fills in what is known; the
 * model is told in one message which tools to use in which order, and the rules of their use.
 */
import {
  type GetPromptRequest,
  type GetPromptResult,
  type ListPromptsResult,
  type PromptArgument,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { Call } from "../../http/call.ts";
import { type Tool, toolById } from "../tools/catalogue.ts";
import { FLOWS, type Flow } from "../tools/flows.ts";
import { toolRefusal } from "../tools/run.ts";

interface PromptWords {
  readonly title: string;
  readonly arguments: readonly PromptArgument[];
}

/** An argument that can be left out: hosts ask for each of them, and the model asks the rest. */
function told(name: string, description: string): PromptArgument {
  return { name, description, required: false };
}

const BOOKING = [told("booking_id", "The booking, bkg_…")];

/**
 * The flows that a person starts. The others begin with a refusal, whose next actions lead through
 * them. Arguments are single words, because some hosts split what is typed at its spaces.
 */
const PROMPTS: Readonly<Record<string, PromptWords>> = {
  book_a_room: {
    title: "Book a room",
    arguments: [
      told("destination", "City, area or hotel"),
      told("check_in", "First night, YYYY-MM-DD"),
      told("check_out", "Day of departure, YYYY-MM-DD"),
      told("adults", "How many, 1 to 20"),
    ],
  },
  cancel_with_refund: { title: "Cancel with refund", arguments: BOOKING },
  prove_what_happened: { title: "Prove what happened", arguments: BOOKING },
};

const RULES = [
  "Each answer has next_actions with tool and arguments: call that tool with those arguments. Fill " +
    "in what stands as <what it is>; ask the traveler, never invent it.",
  "Amounts are integers in minor units: 10600 with EUR is 106.00 EUR.",
  "Before book and cancel show the traveler the exact amounts and terms, and wait for a yes.",
  "book and cancel need the traveler's delegation_token; where none is at hand, say so and stop.",
  "Keep the idempotency_key of a call when you repeat it; another intent has another key.",
  "On an error do what error.remediation says, by error.next_actions, after error.retry_after " +
    "seconds if it is a number.",
];

function toolsIn({ steps }: Flow, { context }: Call): Tool[] {
  return steps.flatMap((id) => toolById(context.routes, id) ?? []);
}

/** The flows all of whose tools the caller may use. */
function flowsFor(call: Call): Flow[] {
  return FLOWS.filter((flow) => {
    return toolsIn(flow, call).every((tool) => toolRefusal(call, tool) === null);
  });
}

/** Those of them that people start. */
export function listPrompts(call: Call): ListPromptsResult {
  return {
    prompts: flowsFor(call).flatMap(({ id, description }) => {
      const words = PROMPTS[id];
      return words
        ? [{ name: id, title: words.title, description, arguments: [...words.arguments] }]
        : [];
    }),
  };
}

/**
 * A flow as the user's words: one message. Throws a protocol error for a name that the list of this
 * caller does not have: the model would be led to tools that it cannot use.
 */
export function getPrompt(call: Call, { params }: GetPromptRequest): GetPromptResult {
  const flow = flowsFor(call).find(({ id }) => id === params.name);
  const words = Object.hasOwn(PROMPTS, params.name) ? PROMPTS[params.name] : undefined;
  if (!flow || !words) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown prompt");
  const given = params.arguments ?? {};
  const names = words.arguments.map(({ name }) => name);
  const facts = names.filter((name) => given[name]).map((name) => `- ${name}: ${given[name]}`);
  const missing = names.filter((name) => !given[name]);
  const steps = toolsIn(flow, call).map(({ id, title }, i) => `${i + 1}. ${id}: ${title}`);
  const lines = [
    `${flow.description} Use the tools of Innkeep.`,
    ...(facts.length > 0 ? ["Known:", ...facts] : []),
    ...(missing.length > 0 ? [`Ask for: ${missing.join(", ")}.`] : []),
    ...["The tools, in this order:", ...steps, "Rules:", ...RULES.map((rule) => `- ${rule}`)],
  ];
  return {
    description: flow.description,
    messages: [{ role: "user", content: { type: "text", text: lines.join("\n") } }],
  };
}
