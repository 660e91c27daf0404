/** The documented sequences of tools. */

export interface Flow {
  readonly id: string;
  readonly description: string;
  /** Ids of tools. */
  readonly steps: readonly string[];
}

/** The canonical flows. */
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

/** `id: a → b → c` of every flow. */
export const FLOW_LINES: readonly string[] = FLOWS.map(
  ({ id, steps }) => `${id}: ${steps.join(" → ")}`,
);
