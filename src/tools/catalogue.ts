/**
 * THE catalogue of tools: what a model can do with the service, in its own words. MCP tools, A2A
 * skills and the agent card's capabilities are all made of it, so they cannot differ. Every tool is
 * one REST route; nothing can be done through a tool that cannot be done through the route.
 */
import { BOOKING } from "./booking.ts";
import { SHOPPING, SUPPLY } from "./shopping.ts";
import type { Tool } from "./tool.ts";

export type { Tool } from "./tool.ts";

/** A documented sequence of tools (spec 4.2.1). */
export interface Flow {
  readonly id: string;
  readonly description: string;
  /** Ids of tools. */
  readonly steps: readonly string[];
}

/** Every tool, in the order in which a traveler's agent meets them; the order never varies. */
export const TOOLS: readonly Tool[] = [...SHOPPING, ...BOOKING, ...SUPPLY];

const byId: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.id, tool]));

/** The tool of that id, if there is one. */
export function toolOf(id: string): Tool | undefined {
  return byId.get(id);
}

/** The canonical flows of spec 4.2.1. */
export const FLOWS: readonly Flow[] = [
  {
    id: "book_a_room",
    description: "Find a room for dates and guests, price it, reserve it and book it.",
    steps: ["search", "quote", "hold", "book"],
  },
  {
    id: "rebook_after_hold_expiry",
    description: "The hold ran out before the booking: price the same stay again and book it.",
    steps: ["quote", "hold", "book"],
  },
  {
    id: "cancel_with_refund",
    description: "Read the frozen cancellation terms, then cancel and see fee and refund.",
    steps: ["get_booking", "cancel"],
  },
  {
    id: "abandon_and_retry",
    description: "Give a hold back and book something else instead.",
    steps: ["release_hold", "quote", "hold", "book"],
  },
  {
    id: "prove_what_happened",
    description: "Read a booking and its chained audit trail.",
    steps: ["get_booking", "get_audit"],
  },
];
