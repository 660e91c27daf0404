/** Agents and credentials, for operators (domain §10). */

import { Type } from "@sinclair/typebox";
import { vocabulary } from "../../http/schema/annotations.ts";
import {
  AccessState,
  Id,
  Instant,
  listOf,
  Mode,
  Money,
  named,
  orNull,
  Version,
} from "../../http/schema/answer-parts.ts";
import { AgentKind } from "./requests.ts";

const Limit = orNull(Type.Integer({ minimum: 0 }));

const Moment = orNull(Instant);

const CredentialState = vocabulary(
  "CredentialState",
  ["active", "retiring", "revoked", "expired"],
  "`retiring`: replaced, and works until `retire_at`.",
);

const AGENT_FIELDS = {
  agent_id: Id,
  name: Type.String(),
  kind: AgentKind,
  state: AccessState,
  mode: Mode,
  scopes: Type.Array(Type.String({ description: "What it may do; see `CreateAgentRequest`." })),
  property_ids: orNull(Type.Array(Id)),
  limits: named("AgentLimits", "Null means without limit.", {
    rpm: Limit,
    burst: Limit,
    max_booking_amount: orNull(Money),
    max_open_holds: Limit,
    max_open_quotes: Limit,
  }),
  contact: orNull(Type.String()),
  daily_summary: orNull(
    named("DailySummary", "A mail with the key figures of the day before, to an operator.", {
      email: Type.String(),
      at: Type.String({ description: "The local hour from which it is sent, HH:mm." }),
      timezone: Type.String({ description: "IANA zone." }),
    }),
  ),
  created_at: Instant,
  last_seen_at: Moment,
  version: Version,
};

const CREDENTIAL_FIELDS = {
  credential_id: Id,
  prefix: Type.String(),
  last4: Type.String(),
  state: CredentialState,
  created_at: Instant,
  expires_at: Moment,
  retire_at: Moment,
  last_used_at: Moment,
};

export const Agent = named("Agent", "Who may call, and what it may do.", AGENT_FIELDS);

export const AgentList = listOf(Agent);

const Credential = named("Credential", "A secret, without the secret.", CREDENTIAL_FIELDS);

const IssuedCredential = named("IssuedCredential", "The only time the secret is shown.", {
  ...CREDENTIAL_FIELDS,
  secret: orNull(
    Type.String({
      description: "Use it as bearer, or as `client_secret`. Null in a replay: it is shown once.",
    }),
  ),
  secret_hint: Type.Optional(
    Type.String({ description: "Beside a secret that is null: what to do if it is lost." }),
  ),
});

export const CreatedAgent = named("CreatedAgent", "An agent with its first credential.", {
  ...AGENT_FIELDS,
  credential: IssuedCredential,
});

export const AgentDetail = named("AgentDetail", "An agent with its credentials.", {
  ...AGENT_FIELDS,
  credentials: Type.Array(Credential),
});

export const CreatedCredential = named("CreatedCredential", "A further credential.", {
  agent_id: Id,
  credential: IssuedCredential,
});

export const RotatedCredential = named(
  "RotatedCredential",
  "The new one, and the one it replaces.",
  {
    agent_id: Id,
    credential: IssuedCredential,
    previous: Credential,
  },
);

export const RevokedCredential = named("RevokedCredential", "A credential that is no more.", {
  agent_id: Id,
  ...CREDENTIAL_FIELDS,
});
