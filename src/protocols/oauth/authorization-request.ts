/**
 * Reads an authorization request (RFC 6749 §4.1.1, RFC 7636, RFC 8707). Until the client and its
 * address are known, a fault is shown to the person: a redirect would lead wherever the request
 * says.
 */
import type { AccessTokens } from "../../access/auth/access-token.ts";
import { isSameRedirectUri } from "../../access/auth/redirect-uris.ts";
import { ADMIN_SCOPES, DEFAULT_SCOPES } from "../../access/control/agents.ts";
import type { OauthClient, OauthClients } from "../../access/control/oauth-clients.ts";
import type { NewRequest } from "../../access/control/oauth-requests.ts";
import { isChallenge } from "./pkce.ts";

/** Errors that the client is answered (RFC 6749 §4.1.2.1, RFC 8707 §2). */
export type AuthorizationError =
  | "invalid_request"
  | "unsupported_response_type"
  | "invalid_scope"
  | "invalid_target"
  | "access_denied";

export type RequestReading =
  | { readonly is: "valid"; readonly client: OauthClient; readonly request: NewRequest }
  /** For the person. */
  | { readonly is: "unknown"; readonly problem: string }
  /** For the client. */
  | {
      readonly is: "refused";
      readonly redirect_uri: string;
      readonly state: string | null;
      readonly error: AuthorizationError;
      readonly problem: string;
    };

const SCOPES: readonly string[] = [...DEFAULT_SCOPES, ...ADMIN_SCOPES];
/** Asks for a refresh token, which every client gets. */
const OFFLINE = "offline_access";

/** Reads the query of the address. */
export function readAuthorization(
  query: URLSearchParams,
  { clients, accessTokens }: { clients: OauthClients; accessTokens: AccessTokens },
): RequestReading {
  const one = (name: string) => {
    const [value = "", ...more] = query.getAll(name);
    return value === "" || more.length > 0 ? null : value;
  };
  const client = clients.find(one("client_id") ?? "");
  if (client === null) {
    return { is: "unknown", problem: "The assistant is not registered here, or no longer." };
  }
  const redirect_uri = one("redirect_uri");
  const isOwn = (uri: string) => client.redirect_uris.some((own) => isSameRedirectUri(own, uri));
  if (redirect_uri === null || !isOwn(redirect_uri)) {
    return { is: "unknown", problem: "The address to return to is not one of the assistant's." };
  }
  const state = one("state");
  const fault = faultOf(query, one);
  if (fault) return { is: "refused", redirect_uri, state, ...fault };
  const audience = audienceOf(accessTokens, one("resource"));
  const scopes = scopesOf(one("scope"));
  const refused = { is: "refused", redirect_uri, state } as const;
  if (audience === null) {
    return { ...refused, error: "invalid_target", problem: "resource is not one of this service" };
  }
  if (scopes.length === 0) {
    return { ...refused, error: "invalid_scope", problem: "scope holds none that is known" };
  }
  const { client_id } = client;
  const code_challenge = one("code_challenge")!;
  const request = { client_id, redirect_uri, code_challenge, audience, scopes, state };
  return { is: "valid", client, request };
}

function faultOf(query: URLSearchParams, one: (name: string) => string | null) {
  const invalid = (problem: string) => ({ error: "invalid_request" as const, problem });
  const names = [...query.keys()];
  if (new Set(names).size < names.length) return invalid("a parameter is repeated");
  const type = one("response_type");
  if (type === null) return invalid("response_type is missing");
  if (type !== "code") {
    return { error: "unsupported_response_type" as const, problem: "response_type is not code" };
  }
  if ((one("response_mode") ?? "query") !== "query") return invalid("response_mode is not query");
  const challenge = one("code_challenge");
  if (challenge === null) return invalid("code_challenge is missing");
  if (one("code_challenge_method") !== "S256") return invalid("code_challenge_method is not S256");
  return isChallenge(challenge) ? null : invalid("code_challenge is malformed");
}

/** Without a resource it is MCP: that is what clients register for, and it is the narrower one. */
function audienceOf(accessTokens: AccessTokens, resource: string | null): string | null {
  return resource === null ? accessTokens.mcpAudience : accessTokens.audienceOf(resource);
}

/** Unknown scopes are left out (RFC 6749 §3.3): clients send those of other services too. */
function scopesOf(scope: string | null): string[] {
  const wanted = new Set(scope?.split(" ").filter((each) => each !== "" && each !== OFFLINE));
  return wanted.size === 0 ? [...DEFAULT_SCOPES] : SCOPES.filter((each) => wanted.has(each));
}
