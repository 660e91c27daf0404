/** Refusals of authentication, authorization and administration of access. */
import type { RefusalCode } from "../../engine/core/refusals.ts";
import * as step from "../actions/steps.ts";
import { AGENT_ID, id, type RefusalRecord } from "./record.ts";

export const ACCESS = {
  unauthenticated: {
    status: 401,
    message: "The request has no valid credential.",
    remediation: (_, { guest_links }) =>
      guest_links === undefined
        ? "Include a valid agent key or bearer token in the Authorization header."
        : "Ask for a link by mail and start a session with its token or code. Include the session's " +
          "secret as the bearer token in the Authorization header.",
    recovery: [step.RETRY],
    detail: [
      [
        "reason",
        "string",
        "`missing_credential`, `bearer_scheme_required`, `malformed_credential`, " +
          "`unknown_credential`, `credential_revoked` or `credential_expired`; for access tokens " +
          "`token_invalid`, `token_expired`, `token_revoked` or `wrong_audience`; for feeds, which " +
          "take only the partner's user and password, `basic_scheme_required`; for the link or code " +
          "of a guest `link_not_valid`.",
      ],
      ["guest_links?", "string", "For guests: the path where a link to the booking is asked for."],
    ],
  },
  delegation_required: {
    status: 401,
    message: "This call needs a traveler's delegation token.",
    remediation: ({ delegation }) => `Attach a JWT for the traveler as ${delegation}.`,
    recovery: [step.RETRY, step.CHECKOUT, step.GET_TRUSTED_ISSUERS],
    detail: [
      ["header", "string", "`X-Delegated-User`."],
      ["argument?", "string", "Over MCP and A2A: `delegation_token`."],
    ],
  },
  delegation_invalid: {
    status: 401,
    message: "The delegation token does not verify.",
    remediation: "Check detail.reason, then retry with a fresh token.",
    recovery: [step.RETRY, step.GET_TRUSTED_ISSUERS],
    detail: [
      [
        "reason",
        "string",
        "`expired`, `bad_signature`, `missing_claim`, `audience_mismatch` or " +
          "`unsupported_algorithm`.",
      ],
      ["claim?", "string", "The invalid claim, if it is one claim."],
    ],
  },
  delegation_issuer_unknown: {
    status: 401,
    message: "The delegation token's issuer is not trusted.",
    remediation: "Contact the tenant admin to register the issuer.",
    recovery: [step.GET_TRUSTED_ISSUERS],
    detail: [["iss", "string", "The token's issuer."]],
  },
  forbidden: {
    status: 403,
    message: "The credential may not make this call.",
    remediation: "Request elevated credentials or stay within the granted scopes.",
    recovery: [step.GET_AGENT_CARD],
    detail: [
      ["required_scope?", "string", "The scope that is missing."],
      ["granted?", "list of string", "The scopes of the credential, beside `required_scope`."],
      [
        "reason?",
        "string",
        "If no single scope is missing: `agent_suspended`, `beyond_own_rights` (an agent has or would " +
          "get rights that the credential lacks), `live_mode_only`, `origin_not_allowed` or " +
          "`host_not_allowed`.",
      ],
      ["missing_scopes?", "list of string", "With `beyond_own_rights`: the scopes it lacks."],
      [
        "missing_property_ids?",
        "list of string or null",
        "With `beyond_own_rights`: the properties it lacks; null means all of them.",
      ],
      ["missing_limits?", "list of string", "With `beyond_own_rights`: limits beyond its own."],
      ["allowed?", "string", "Beside an origin or host: the address of the service."],
    ],
  },
  resource_access_denied: {
    status: 403,
    message: "The credential has no access to this resource.",
    remediation: ({ delegation }) =>
      "Ask an admin to grant access to the resource. After traveler_mismatch send a token of " +
      `the booking's own traveler as ${delegation}.`,
    recovery: [step.RETRY_AS_TRAVELER, step.GET_AGENT_CARD],
    detail: [
      [
        "reason?",
        "string",
        "`other_tenant` (`X-Tenant-Id` names another tenant), `traveler_mismatch` (the token is " +
          "another traveler's), `hold_of_another` (the desk books its own holds only) or " +
          "`all_properties` (the call concerns all properties, and the " +
          "credential has access to some).",
      ],
      ["tenant_id?", "string", "With `other_tenant`: the tenant that was named."],
      ["booking_id?", "string", "With `traveler_mismatch`: the booking."],
      ["property_id?", "string", "The property without access."],
    ],
  },
  principal_kind_not_allowed: {
    status: 403,
    message: "This kind of credential may not make this call.",
    remediation: "Re-authenticate with a credential of a kind in detail.allowed.",
    recovery: [step.GET_AGENT_CARD],
    detail: [
      ["kind", "string", "The credential's kind."],
      ["allowed", "list of string", "The kinds that may call."],
    ],
  },
  agent_not_found: {
    status: 404,
    message: "Agent not found.",
    remediation: "List the agents for valid ids.",
    recovery: [step.LIST_AGENTS],
    detail: [id("agent_id", "The requested id.")],
  },
  credential_not_found: {
    status: 404,
    message: "Credential not found for this agent.",
    remediation: "List the credentials via the agent detail route.",
    recovery: [step.GET_AGENT],
    detail: [AGENT_ID, id("credential_id", "The requested id.")],
  },
  delegation_issuer_not_found: {
    status: 404,
    message: "Delegation issuer not found.",
    remediation: "List the issuers for valid ids.",
    recovery: [step.LIST_ISSUERS],
    detail: [id("issuer_id", "The requested id.")],
  },
} satisfies Readonly<Partial<Record<RefusalCode, RefusalRecord>>>;
