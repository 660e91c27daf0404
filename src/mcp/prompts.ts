/**
 * The canonical flows as prompts: a person picks one in the host, fills in what is known, and the
 * model is told which tools to use in which order.
 */
import {
  type GetPromptRequest,
  type GetPromptResult,
  type ListPromptsResult,
  type PromptArgument,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { Call } from "../http/call.ts";
import { type Tool, toolById } from "../tools/catalogue.ts";
import { FLOWS, type Flow } from "../tools/flows.ts";
import { isAllowed } from "./tools.ts";

const TITLES: Readonly<Record<string, string>> = {
  book_a_room: "Book a room",
  rebook_after_hold_expiry: "Book again after a hold expired",
  cancel_with_refund: "Cancel with refund",
  abandon_and_retry: "Give up a hold and book another room",
  prove_what_happened: "Prove what happened",
};

const STAY: PromptArgument[] = [
  { name: "check_in", description: "First night, YYYY-MM-DD", required: true },
  { name: "check_out", description: "Day of departure, YYYY-MM-DD", required: true },
  { name: "guests", description: "Adults, and the age of each child" },
];
const BOOKING: PromptArgument[] = [
  { name: "booking_id", description: "The booking", required: true },
];
const ARGUMENTS: Readonly<Record<string, PromptArgument[]>> = {
  book_a_room: [{ name: "destination", description: "City, area or hotel" }, ...STAY],
  rebook_after_hold_expiry: [
    { name: "hold_id", description: "The hold that expired", required: true },
  ],
  cancel_with_refund: BOOKING,
  abandon_and_retry: [
    { name: "hold_id", description: "The hold to give back", required: true },
    { name: "wish", description: "What the traveler wants instead" },
  ],
  prove_what_happened: BOOKING,
};

const RULES = [
  "Follow next_actions of each answer; they carry ready bodies.",
  "Before book and cancel show the traveler the exact amounts and wait for a yes.",
  "Choose one idempotency_key per intent and reuse the same idempotency_key when you retry.",
  "On an error do what error.remediation says.",
];

function toolsIn({ steps }: Flow, { context }: Call): Tool[] {
  return steps.flatMap((id) => toolById(context.routes, id) ?? []);
}

/** The flows all of whose tools the caller may use. */
export function listPrompts(call: Call): ListPromptsResult {
  const allowed = FLOWS.filter((flow) =>
    toolsIn(flow, call).every((tool) => isAllowed(call, tool)),
  );
  return {
    prompts: allowed.map(({ id, description }) => {
      return { name: id, title: TITLES[id], description, arguments: ARGUMENTS[id] };
    }),
  };
}

/** A flow as the user's words. Throws a protocol error for an unknown name or missing arguments. */
export function getPrompt(call: Call, { params }: GetPromptRequest): GetPromptResult {
  const flow = FLOWS.find(({ id }) => id === params.name);
  if (!flow) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Unknown prompt");
  const known = ARGUMENTS[flow.id] ?? [];
  const given = params.arguments ?? {};
  const missing = known.filter(({ name, required }) => required && given[name] === undefined);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(", ");
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Missing arguments: ${names}`);
  }
  const facts = known.flatMap(({ name }) => (given[name] ? [`- ${name}: ${given[name]}`] : []));
  const steps = toolsIn(flow, call).map(({ id, title }, i) => `${i + 1}. ${id}: ${title}`);
  const text = [flow.description, facts, "Use these tools in this order:", steps, "Rules:"]
    .concat(RULES.map((rule) => `- ${rule}`))
    .flat()
    .join("\n");
  return {
    description: flow.description,
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}
