/** Agents and credentials, for operators. */
import { Type } from "@sinclair/typebox";
import { documented, vocabulary } from "../../http/schema/annotations.ts";
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
  scopes: Type.Array(Type.String({ description: "Granted scopes; see `CreateAgentRequest`." })),
  property_ids: orNull(Type.Array(Id)),
  limits: named("AgentLimits", "Null means without limit.", {
    rpm: documented(Limit, "Calls per minute."),
    burst: documented(Limit, "Largest burst of calls."),
    max_booking_amount: orNull(Money),
    max_open_holds: documented(Limit, "Maximum open holds."),
    max_open_quotes: documented(Limit, "Maximum open quotes."),
    step_up_amount: documented(
      orNull(Money),
      "For operators: deeds at the console above it ask for the secret or passkey again.",
    ),
  }),
  contact: orNull(Type.String()),
  daily_summary: orNull(
    named("DailySummary", "A daily mail to an operator with the key figures of the day before.", {
      email: Type.String(),
      at: Type.String({ description: "Local time of sending, HH:mm." }),
      timezone: Type.String({ description: "IANA zone." }),
    }),
  ),
  return_origins: Type.Array(
    Type.String({ description: "`https://host`, as browsers write origins." }),
  ),
  sells_directly: Type.Boolean(),
  created_at: Instant,
  last_seen_at: Moment,
  version: Version,
};

const Connection = named(
  "AgentConnection",
  "The OAuth client that acts as the agent; what it says of itself is not verified.",
  {
    client_id: Type.String(),
    client_name: documented(orNull(Type.String()), "What the client calls itself."),
    redirects_to: Type.String({ description: "Host, or scheme of an app, that gets the access." }),
    credential_id: documented(Id, "Revoking it disconnects the client."),
    connected_at: Instant,
  },
);

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

export const Agent = named("Agent", "An API client and its rights.", AGENT_FIELDS);

export const AgentList = listOf(Agent);

const Credential = named("Credential", "A secret, without the secret.", CREDENTIAL_FIELDS);

const IssuedCredential = named(
  "IssuedCredential",
  "A credential with its secret, which is shown once.",
  {
    ...CREDENTIAL_FIELDS,
    secret: orNull(
      Type.String({
        description: "Bearer token or `client_secret`. Null in a replay: it is shown once.",
      }),
    ),
    secret_hint: Type.Optional(
      Type.String({ description: "With a null secret: what to do if it was lost." }),
    ),
  },
);

export const CreatedAgent = named("CreatedAgent", "An agent with its first credential.", {
  ...AGENT_FIELDS,
  credential: IssuedCredential,
});

export const AgentDetail = named("AgentDetail", "An agent with its credentials.", {
  ...AGENT_FIELDS,
  credentials: Type.Array(Credential),
  connection: orNull(Connection),
});

export const CreatedCredential = named("CreatedCredential", "Another credential.", {
  agent_id: Id,
  credential: IssuedCredential,
});

export const RotatedCredential = named(
  "RotatedCredential",
  "The new credential and the replaced one.",
  {
    agent_id: Id,
    credential: IssuedCredential,
    previous: Credential,
  },
);

export const RevokedCredential = named("RevokedCredential", "A revoked credential.", {
  agent_id: Id,
  ...CREDENTIAL_FIELDS,
});
