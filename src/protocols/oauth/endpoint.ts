/**
 * Common part of OAuth client endpoints: client authentication, and bare answers that are never
 * stored. A client is an agent with its secret, or one that registered itself.
 */

import type { AccessTokens } from "../../access/auth/access-token.ts";
import {
  authenticateClient,
  authenticatesTwice,
  readBasic,
} from "../../access/auth/client-auth.ts";
import type { OauthClient } from "../../access/control/oauth-clients.ts";
import type { Principal } from "../../access/control/principal.ts";
import { chargeCredential } from "../../http/admission.ts";
import type { OauthBody, OauthErrorCode, OauthRefusal, Refusal } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import { type Encodings, type Parameters, readParameters } from "./parameters.ts";

/** A request whose parameters were read. */
export interface OauthCall {
  readonly call: PublicCall;
  readonly accessTokens: AccessTokens;
  readonly parameters: Parameters;
}

/** A request of an agent. */
export interface ClientCall extends OauthCall {
  readonly client: Principal;
}

/** A request of a client that registered itself. */
export interface RegisteredCall extends OauthCall {
  readonly client: OauthClient;
}

export type OauthAnswer = OauthBody | OauthRefusal | Refusal;
type Awaitable<T> = T | Promise<T>;

/** 404: OAuth is not configured. */
export const NOT_CONFIGURED: OauthRefusal = {
  ok: false,
  status: 404,
  error: "oauth_not_configured",
};

const INVALID = "client_id or client_secret is not valid";

/** 400; `description` names the parameter at fault and never its value. */
export function badRequest(error: OauthErrorCode, description: string): OauthRefusal {
  return { ok: false, status: 400, error, description };
}

/** Every 401 has a challenge (RFC 9110 §15.5.2, RFC 6749 §5.2). */
function unknownClient(description: string): OauthRefusal {
  const headers = { "www-authenticate": 'Basic realm="innkeep"' };
  return { ok: false, status: 401, error: "invalid_client", description, headers };
}

/** A handler that reads the parameters first. */
export function withParameters(
  encodings: Encodings,
  work: (request: OauthCall) => Awaitable<OauthAnswer>,
): (call: PublicCall) => Promise<OauthAnswer> {
  return async (call) => {
    const { accessTokens } = call.context;
    if (accessTokens === null) return NOT_CONFIGURED;
    const reading = await readParameters(call.request, encodings);
    if (!reading.ok) return badRequest("invalid_client", reading.problem);
    const { parameters } = reading;
    if (authenticatesTwice(call.request.headers.get("authorization"), parameters)) {
      const problem = "client_secret comes with an Authorization header: send one of them";
      return badRequest("invalid_client", problem);
    }
    return work({ call, accessTokens, parameters });
  };
}

/** Authenticates an agent. Each request counts towards its rate. */
export async function asAgent(
  request: OauthCall,
  work: (request: ClientCall) => Awaitable<OauthAnswer>,
): Promise<OauthAnswer> {
  const { call, parameters } = request;
  const { control, lastUsed, now } = call.context;
  const authorization = call.request.headers.get("authorization");
  const found = authenticateClient(control, authorization, parameters, now());
  if (!found.ok) return unknownClient(found.problem);
  const { principal: client } = found;
  lastUsed.note(client.credential_id, now());
  const tooMany = await chargeCredential(call, client);
  return tooMany ?? work({ ...request, client });
}

/** A handler that reads the parameters and authenticates an agent. */
export function forClients(
  encodings: Encodings,
  work: (request: ClientCall) => Awaitable<OauthAnswer>,
): (call: PublicCall) => Promise<OauthAnswer> {
  return withParameters(encodings, (request) => asAgent(request, work));
}

/** Authenticates a client that registered itself; a public one only names itself. */
export function asRegistered(
  request: OauthCall,
  work: (request: RegisteredCall) => Awaitable<OauthAnswer>,
): Awaitable<OauthAnswer> {
  const { call, parameters } = request;
  const { clients } = call.context.oauth;
  const authorization = call.request.headers.get("authorization");
  const basic = authorization === null ? null : readBasic(authorization);
  if (authorization !== null && basic === null) {
    return unknownClient("the Authorization header is not well-formed HTTP Basic");
  }
  const { client_id, client_secret = null } = basic ?? parameters;
  if (client_id === undefined) return unknownClient("client_id is missing");
  const isNamedTwice = parameters.client_id !== undefined && parameters.client_id !== client_id;
  if (isNamedTwice) return unknownClient("client_id differs from the Authorization header's");
  const client = clients.find(client_id);
  if (client === null || !clients.hasSecret(client_id, client_secret)) {
    return unknownClient(INVALID);
  }
  return work({ ...request, client });
}

/** Whether the request is of a client that registered itself. */
export function isOfRegistered({ call, parameters }: OauthCall): boolean {
  const authorization = call.request.headers.get("authorization");
  const named = authorization === null ? parameters.client_id : readBasic(authorization)?.client_id;
  return named !== undefined && call.context.oauth.clients.find(named) !== null;
}
