/**
 * The canonical flows as prompts: a person picks one in the host and fills in known values; one
 * message gives the model the tools in order and the rules.
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

/** Optional, because hosts ask for each argument; the model asks for missing ones. */
function argument(name: string, description: string): PromptArgument {
  return { name, description, required: false };
}

const BOOKING = [argument("booking_id", "The booking, bkg_…")];

/**
 * Flows that a person starts; the others begin with a refusal and its next actions. Arguments are
 * single words, because some hosts split input at spaces.
 */
const PROMPTS: Readonly<Record<string, PromptWords>> = {
  book_a_room: {
    title: "Book a room",
    arguments: [
      argument("destination", "City, area or hotel"),
      argument("check_in", "First night, YYYY-MM-DD"),
      argument("check_out", "Day of departure, YYYY-MM-DD"),
      argument("adults", "How many, 1 to 20"),
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
  "book and cancel need the traveler's delegation_token. Where none is at hand, hand a hold over " +
    "by create_checkout_session; for cancel, say so and stop.",
  "Keep the idempotency_key of a call when you repeat it; another intent has another key.",
  "On an error do what error.remediation says, by error.next_actions, after error.retry_after " +
    "seconds if it is a number.",
];

function toolsIn({ steps }: Flow, { context }: Call): Tool[] {
  return steps.flatMap((id) => toolById(context.routes, id) ?? []);
}

/** Flows whose tools the caller may use. */
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
 * A flow as one user message. Throws a protocol error for a name that is not in the caller's list.
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
