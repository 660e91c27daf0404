/**
 * The record of a refusal: status, texts, recovery, and the fields of its detail. The core defines
 * the codes and which are sealed (`engine/core/refusals.ts`). Answers, catalogue, pages and the
 * OpenAPI document are generated from these records.
 */
import type { RecoveryStep } from "../actions/steps.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * A field of `detail`: name, type, meaning. A name ending in `?` is optional; the meaning says
 * when. Fields can be added, so readers ignore unknown ones.
 */
export type DetailField = readonly [name: string, type: string, meaning: string];

export interface RefusalRecord {
  /** HTTP status. */
  readonly status: number;
  readonly message: string;
  /** Imperative instruction, in the reader's terms and for the case of `detail`. */
  readonly remediation: string | ((terms: Terms, detail: Fields) => string);
  /** Seconds, if the code fixes them; otherwise the refusal may have them. */
  readonly retry_after?: number;
  /** When to retry, in words, if the refusal has the seconds. */
  readonly wait?: string;
  /** Effect of a retry with the same key, if it differs from sealing. */
  readonly retrying?: string;
  /** Recovery calls, most useful first. */
  readonly recovery: readonly RecoveryStep[];
  readonly detail: readonly DetailField[];
}

/**
 * Terms that differ between REST and tools (MCP, A2A). Remediations use the caller's terms, because
 * a model with tools can neither send a header nor call a path.
 */
export interface Terms {
  /** Place of an idempotency key. */
  readonly key: string;
  /** Place of a delegation token. */
  readonly delegation: string;
  /** The call that creates a quote. */
  readonly quote: string;
  /** The call that returns a property with rooms and plans. */
  readonly property: string;
}

export const REST_TERMS: Terms = {
  key: "Idempotency-Key",
  delegation: "X-Delegated-User",
  quote: "POST /v1/quotes",
  property: "GET /v1/properties/{id}",
};

export const TOOL_TERMS: Terms = {
  key: "idempotency_key",
  delegation: "delegation_token",
  quote: "quote",
  property: "get_property",
};

/** A field with an id. */
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
