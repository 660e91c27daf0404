/** `contracts` of the agent card: the rules of every call, partly derived from the routes. */

import { DELEGATION_ALGS } from "../../access/control/issuers.ts";
import { RELS } from "../../actions/steps.ts";
import type { Config } from "../../config.ts";
import { type Contract, documentedPath } from "../../http/contract.ts";
import type { Routes } from "../../http/route-table.ts";

const SUCCESS_FIELDS = ["data", "trace_id", "next_actions", "expires_at", "receipt"] as const;
const ERROR_FIELDS = [
  ...["code", "message", "detail", "remediation", "retry_after", "docs_url", "trace_id"],
  "next_actions",
] as const;

/** The members of `contracts`. */
export function contractsOf(config: Config, routes: Routes) {
  const guarded = routes.published.filter(({ access }) => access !== "public");
  return {
    envelope: {
      success_fields: SUCCESS_FIELDS,
      error_fields: ERROR_FIELDS,
      next_action_rels: RELS,
      next_actions:
        "Send body_hint unchanged: writes have their idempotency_key, and a retry the key of the " +
        "repeated call. fill_in names values that only you have, in the body or as a header. " +
        "changes names differences from your request; such actions come last. cost is the " +
        "cancellation fee.",
    },
    idempotency: {
      body_field: "idempotency_key",
      header: "Idempotency-Key",
      scoped_endpoints: guarded
        .filter(({ key }) => key === "required")
        .map((route) => `${route.method} ${documentedPath(route)}`),
      description:
        "Required on the scoped endpoints, accepted on every other write under /v1. The same key " +
        "and body return the first answer, including business errors, with the header " +
        "Idempotent-Replayed: true; another body is refused with idempotency_conflict. A key is " +
        "unique per agent, method and path. Keys are kept for at least 7 days. 5xx answers are " +
        "not stored: retry with the same key.",
    },
    trace_context: {
      propagation: "w3c-traceparent",
      header: "traceparent",
      description: "Your trace continues; trace_id in every answer is its trace-id.",
    },
    receipts: {
      algorithm: "HS256",
      kinds: ["booking_confirmed", "booking_cancelled", "refund_issued"],
      verify_endpoint: "POST /v1/receipts/verify",
      canonical_form: "RFC8785-JCS(issued_at,issuer,kind,subject)",
      description:
        "signature is the base64url HMAC-SHA256 of the canonical form under the key named by " +
        "kid, payload_hash its SHA-256. Anyone can verify one at the verify endpoint, or " +
        "offline: signatures[] holds an ES256 signature (r and s, base64url) of the same bytes " +
        "by the key that jwks.json has under its kid.",
    },
    pagination: {
      strategy: "complete",
      description:
        "Every list is complete, or refused as too long with the filter to set; cursor, offset " +
        "and page are refused.",
    },
    delegation: delegationOf(config, guarded),
  };
}

function delegationOf(config: Config, guarded: readonly Contract[]) {
  return {
    header: "X-Delegated-User",
    token_type: "jwt",
    accepted_algorithms: DELEGATION_ALGS,
    required_claims: ["iss", "sub", "aud", "exp"],
    audience: config.platformAudience,
    gated_routes: guarded
      .filter(({ isDelegated }) => isDelegated === true)
      .map((route) => ({ method: route.method, href: documentedPath(route) })),
    error_codes: {
      missing_header: "delegation_required",
      verification_failed: "delegation_invalid",
      issuer_not_trusted: "delegation_issuer_unknown",
    },
    description:
      "The traveler's consent, signed by a trusted issuer (GET /.well-known/delegation-issuers): " +
      "iss is that issuer, sub the traveler, aud contains the platform audience, exp is minutes " +
      "away; typ is JWT or delegation+jwt, or absent. Optional claims bind it: azp or client_id " +
      "to one agent, hold_id and max_amount (minor units) to one booking.",
  };
}
