/** The answer to a question about a hotel, from its facts alone. */

import type { QuoteRequest } from "../../engine/core/quote.ts";
import type { PropertyEntry } from "../../engine/core/state.ts";
import type { Suggestion } from "./sessions.ts";

/** The hotel that is asked about, and when and for whom it is looked at. */
export interface Hotel {
  readonly property: PropertyEntry;
  /** Whose ceilings count. */
  readonly agentId: string;
  /** Engine time, epoch milliseconds. */
  readonly nowMs: number;
}

/** What was asked, and when. */
export interface Asked {
  readonly text: string;
  readonly atMs: number;
}

export interface Question {
  readonly text: string;
  /** Earlier questions of the session, oldest first: their dates and party still stand. */
  readonly earlier: readonly Asked[];
  /** Language tag of the session. */
  readonly locale: string | null;
}

export interface Advice {
  readonly message: string;
  readonly grounded_facts: readonly string[];
  readonly suggestions: readonly Suggestion[];
  /** Offers that the answer names, cheapest first. */
  readonly quotes: readonly QuoteRequest[];
}

/** Answers by rules: same hotel, same question, same answer. */
export function advise({ property }: Hotel, { text }: Question): Advice {
  const { checkin_time } = property.tree;
  const isAsked = /check[- ]?in/i.test(text) && checkin_time !== null;
  return {
    message: isAsked ? `Check-in is from ${checkin_time}.` : "The hotel does not say.",
    grounded_facts: isAsked ? [`checkin_time: ${checkin_time}`] : [],
    suggestions: [],
    quotes: [],
  };
}
