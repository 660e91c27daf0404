/**
 * Terms that differ between REST and tools (MCP, A2A). Remediations use the caller's terms, because
 * a model with tools can neither send a header nor call a path.
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
