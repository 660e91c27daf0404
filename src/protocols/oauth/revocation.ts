/** `POST /oauth/revoke` (RFC 7009): always 200 unless the store is busy. */
import { type AccessToken, endOf } from "../../access/auth/access-token.ts";
import { revokeToken } from "../../access/control/revoked-tokens.ts";
import { announce, storeWrite } from "../../http/control-write.ts";
import { endGrant } from "./code-grants.ts";
import {
  asAgent,
  asRegistered,
  type ClientCall,
  isOfRegistered,
  type OauthAnswer,
  type OauthCall,
  type RegisteredCall,
} from "./endpoint.ts";

const DONE = { ok: true, body: {} } as const;

/** Ends the client's own tokens only. */
export function revoke(request: OauthCall): OauthAnswer | Promise<OauthAnswer> {
  return isOfRegistered(request) ? asRegistered(request, ofRegistered) : asAgent(request, ofAgent);
}

/** An agent's access tokens; administrators revoke its secrets. */
async function ofAgent(request: ClientCall): Promise<OauthAnswer> {
  const token = await accessTokenOf(request);
  return token?.claims.client_id === request.client.agent_id ? ended(request, token) : DONE;
}

/** With a refresh token the whole connection ends. */
async function ofRegistered(request: RegisteredCall): Promise<OauthAnswer> {
  const { call, client, parameters } = request;
  const { grants } = call.context.oauth;
  const reading = grants.byRefreshToken(parameters.token ?? "", call.context.now());
  if (reading?.grant.client_id === client.client_id) {
    return (await endGrant(call, reading.grant)) ?? DONE;
  }
  const token = await accessTokenOf(request);
  if (token === null) return DONE;
  const { sub, credential_id } = token.claims;
  const grant = grants.ofCredential(sub, credential_id);
  return grant?.client_id === client.client_id ? ended(request, token) : DONE;
}

async function accessTokenOf({ call, accessTokens, parameters }: OauthCall) {
  const token = await accessTokens.verify(parameters.token ?? "", call.context.now());
  return typeof token === "string" ? null : token;
}

async function ended({ call }: OauthCall, { claims }: AccessToken): Promise<OauthAnswer> {
  const { jti } = claims;
  const written = storeWrite(call, (store, ending) => {
    ending({ kind: "access_token", id: jti });
    revokeToken(store, jti, endOf(claims), call.context.now());
  });
  if (!written.ok) return written;
  await announce(call);
  return DONE;
}
