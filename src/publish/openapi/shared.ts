/** Parameters, headers and security schemes that operations refer to. */
import type { Config } from "../../config.ts";
import type { Contract } from "../../http/contract.ts";
import type { Json } from "./schema.ts";

interface Shared {
  readonly name: string;
  readonly description: string;
  readonly isRequired?: boolean;
  readonly schema?: Json;
  /** Only for required ones: clients send what examples show. */
  readonly example?: string;
}

const REQUEST_HEADERS = {
  TenantId: {
    name: "X-Tenant-Id",
    description: "The tenant of the credential; any other is refused.",
    schema: { type: "string", format: "uuid" },
  },
  Traceparent: {
    name: "traceparent",
    description: "W3C Trace Context; its trace id comes back as `trace_id`.",
  },
  DelegatedUser: {
    name: "X-Delegated-User",
    description:
      "The traveler's consent: a JWT (RS256 or ES256) of a registered issuer with `iss`, `sub`, " +
      "`aud` and `exp`.",
    isRequired: true,
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    description:
      "1 to 255 visible ASCII characters. Use the same key to retry; the body field " +
      "`idempotency_key` can carry it instead. Keys are unique per agent.",
    isRequired: true,
    schema: { type: "string", minLength: 1, maxLength: 255 },
    example: "2f0b6a0e-hold-1",
  },
  IfMatch: {
    name: "If-Match",
    description: "The expected `version`, quoted; refused with `conflict` if it is not current.",
  },
  IfNoneMatch: {
    name: "If-None-Match",
    description: "A known `ETag`; answered with 304 while it is current.",
  },
  TestScenario: {
    name: "Test-Scenario",
    description:
      "Only in test mode: a code of this operation, with which the call is refused after its " +
      "checks. Nothing is written, and the idempotency key stays unused.",
  },
  OptionalIdempotencyKey: {
    name: "Idempotency-Key",
    description: "With a key, a retry gets the first request's outcome.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
} as const satisfies Record<string, Shared>;

type RequestHeader = keyof typeof REQUEST_HEADERS;

const RESPONSE_HEADERS = {
  "X-Trace-Id": "The envelope's `trace_id`.",
  traceresponse: "This request's trace and span (W3C Trace Context, level 2).",
  "Idempotent-Replayed": "`true` when the answer is the stored one of an earlier request.",
  RateLimit: "Remaining quota (draft-ietf-httpapi-ratelimit-headers).",
  "RateLimit-Policy": "The rate limit: at most `q` requests per `w` seconds.",
  "Retry-After": "Seconds to wait; present exactly when `retry_after` is not null.",
  "WWW-Authenticate":
    "Where to get a token, and the required scope (RFC 6750, RFC 9728); for a refused consent, " +
    "scheme `Delegation` with the reason.",
  ETag: "For `If-None-Match`; a quoted `version` also for `If-Match`.",
  "Cache-Control": "How long caches may keep it.",
} as const;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** What each scope allows. */
const SCOPES: Readonly<Record<string, string>> = {
  "supply:read": "Read properties.",
  search: "Search.",
  quotes: "Make quotes.",
  holds: "Make, read, extend and release holds.",
  "bookings:read": "Read bookings, their audit and refunds.",
  "bookings:write": "Book.",
  "bookings:cancel": "Cancel bookings.",
};

/** `components.parameters`. */
export function parameterComponents(): Json {
  const entries = Object.entries<Shared>(REQUEST_HEADERS).map(([id, header]) => {
    const { name, description, isRequired = false, example } = header;
    const schema = header.schema ?? { type: "string" };
    const shown = example === undefined ? {} : { example };
    return [id, { name, in: "header", required: isRequired, description, schema, ...shown }];
  });
  return Object.fromEntries(entries);
}

/** `components.headers`. */
export function headerComponents(): Json {
  const entries = Object.entries(RESPONSE_HEADERS).map(([name, description]) => {
    const schema = { type: name === "Retry-After" ? "integer" : "string" };
    return [name, { description, schema }];
  });
  return Object.fromEntries(entries);
}

/** References to headers of an answer. */
export function headerRefs(names: readonly ResponseHeader[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** References to the headers that a route reads. */
export function headersOf(route: Contract): Json[] {
  const names: RequestHeader[] = [];
  if (route.isForGuests) {
    if (route.key) names.push("OptionalIdempotencyKey");
    if (route.takesIfMatch) names.push("IfMatch");
  }
  if (route.access !== "public") {
    names.push("TenantId");
    if (route.isDelegated) names.push("DelegatedUser");
    if (route.key === "required") names.push("IdempotencyKey");
    if (route.key === "accepted") names.push("OptionalIdempotencyKey");
    if (route.takesIfMatch) names.push("IfMatch");
    if (route.etag) names.push("IfNoneMatch");
    names.push("Traceparent", "TestScenario");
  }
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** `security` of a route: a credential as it is, or an access token with the route's scope. */
export function securityOf(route: Contract, config: Config): Json[] {
  const { access, takesPartnerCredential, takesBasic } = route;
  if (route.isForGuests) return [{ guest_session: [] }];
  const isGuarded = takesPartnerCredential === true && config.feedCredentials.size > 0;
  if (access === "public") return isGuarded ? [{ partner: [] }, {}] : [];
  const scopes = access.scope === null ? [] : [access.scope];
  const basic = takesBasic ? [{ agent_basic: [] }] : [];
  return [
    { agent_key: [] },
    ...basic,
    ...(config.oauthIssuer === null ? [] : [{ oauth2: scopes }]),
  ];
}

/** `components.securitySchemes`; without an OAuth issuer there are only agent keys. */
export function securitySchemes(routes: readonly Contract[], config: Config): Json {
  const agent_key = {
    type: "http",
    scheme: "bearer",
    description: "An agent's secret: `ik_live_…` or `ik_test_…`.",
  };
  const partner = {
    type: "http",
    scheme: "basic",
    description: "A partner's user and password for feeds.",
  };
  const agent_basic = {
    type: "http",
    scheme: "basic",
    description: "An agent's id and secret, for clients that know no bearer tokens.",
  };
  const guest_session = {
    type: "http",
    scheme: "bearer",
    description: "The secret of a guest's session: `ikg_…`.",
  };
  const known = {
    agent_key,
    ...(routes.some(({ isForGuests }) => isForGuests) ? { guest_session } : {}),
    ...(routes.some(({ takesBasic }) => takesBasic) ? { agent_basic } : {}),
    ...(config.feedCredentials.size > 0 ? { partner } : {}),
  };
  if (config.oauthIssuer === null) return known;
  const asked = routes.flatMap(({ access }) => {
    return access === "public" || access.scope === null ? [] : [access.scope];
  });
  const scopes = [...new Set([...Object.keys(SCOPES), ...asked])].map((scope) => {
    return [scope, SCOPES[scope] ?? `Administer ${scope.replace("admin:", "")}.`];
  });
  const clientCredentials = {
    tokenUrl: `${config.baseUrl}/oauth/token`,
    scopes: Object.fromEntries(scopes),
  };
  const description =
    "An access token. `client_id` is the agent's id, `client_secret` its secret; tokens live 15 " +
    "minutes.";
  return { ...known, oauth2: { type: "oauth2", description, flows: { clientCredentials } } };
}
