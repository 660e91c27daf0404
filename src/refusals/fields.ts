/** Fields of `detail` that several refusals have. */
import type { DetailField } from "./record.ts";

/** A field that holds an id. */
export const id = (name: string, meaning: string): DetailField => [name, "string", meaning];
export const HOLD_ID = id("hold_id", "The hold.");
export const BOOKING_ID = id("booking_id", "The booking.");
export const PROPERTY_ID = id("property_id", "The property.");
export const ROOM_TYPE_ID = id("room_type_id", "The room type.");
export const RATE_PLAN_ID = id("rate_plan_id", "The rate plan.");
export const QUOTE_ID = id("quote_id", "The quote.");
export const PAYMENT_ID = id("payment_id", "The payment attempt.");
export const AGENT_ID = id("agent_id", "The agent.");
export const AUTHORIZATION_ID = id("authorization_id", "The booking authorization.");
export const PROVIDER_CODE: DetailField = [
  "provider_code",
  "string or null",
  "The payment provider's own code.",
];
export const OFFER = [
  PROPERTY_ID,
  id("room_type_id", "The requested room type."),
  id("rate_plan_id", "The requested rate plan."),
] as const;
export const BLOCKING: DetailField = [
  "blocking",
  "list of {date, reason, …}",
  "Each night that cannot be sold, with the reason and its numbers.",
];
export const ALTERNATIVES: DetailField = [
  "alternatives",
  "list of {kind, sellable, quote}",
  "Nearest dates and other rooms that can be held now, each with a ready quote request.",
];
export const MENDING: DetailField = [
  "mending?",
  "{patch, ari}",
  "Ready bodies that fix the problem: `patch` for the property, `ari` for its " +
    "nights. Values that only the operator knows are placeholders `<description>`.",
];
export const UPSTREAM: DetailField = [
  "upstream",
  "string",
  "The unavailable service: `redis`, `engine`, `control_store`, `feeds`, `records`, `journal`, `delegation_issuer_jwks` or another.",
];
