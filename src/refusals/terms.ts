/**
 * What a call over REST and a call of a tool (MCP, A2A) have different names for. An instruction is
 * one sentence for all; each reader gets it in the terms of its own way in, because a model with
 * tools alone can neither send a header nor call a path.
 */
export interface Terms {
  /** Where an idempotency key goes. */
  readonly key: string;
  /** Where a delegation token goes. */
  readonly delegation: string;
  /** What makes a quote. */
  readonly quote: string;
  /** What shows a property with its rooms and plans. */
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
