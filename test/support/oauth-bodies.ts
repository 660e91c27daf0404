/** Sound bodies of the OAuth endpoints, for tests that spoil them. */
import { expect } from "bun:test";
import type { Service } from "./service.ts";

const NO_CLIENT = ["invalid_client"] as const;
/** Endpoint, a sound body, whose it is, and the errors that it may get (RFC 6749, 7591, 8707). */
export const OAUTH_BODIES = [
  [
    "/oauth/token",
    { grant_type: "client_credentials", scope: "search", resource: "x" },
    "agent",
    ["invalid_client", "invalid_scope"],
  ],
  ["/oauth/revoke", { token: "a.b.c", token_type_hint: "access_token" }, "agent", NO_CLIENT],
  ["/oauth/introspect", { token: "a.b.c" }, "agent", NO_CLIENT],
  [
    "/oauth/token",
    { grant_type: "authorization_code", code: "c", redirect_uri: "u", code_verifier: "v" },
    "registered",
    ["invalid_client", "invalid_request", "invalid_grant"],
  ],
  [
    "/oauth/token",
    { grant_type: "refresh_token", refresh_token: "a.b" },
    "registered",
    ["invalid_client", "invalid_request", "invalid_grant"],
  ],
  [
    "/oauth/register",
    { redirect_uris: ["https://a.example/"], client_name: "a" },
    null,
    ["invalid_redirect_uri", "invalid_client_metadata"],
  ],
] as const;

/** The credentials of an agent, and of a client that registered itself. */
export async function oauthClients(service: Service) {
  const { agent_id, secret } = service.demo.agent;
  const body = {
    redirect_uris: ["https://a.example/"],
    token_endpoint_auth_method: "client_secret_post",
  };
  const made = await service.api("POST", "/oauth/register", { agent: null, body });
  expect(made.status).toBe(201);
  const { client_id, client_secret } = made.json as Record<string, string>;
  return {
    agent: { client_id: agent_id, client_secret: secret },
    registered: { client_id, client_secret },
  };
}
