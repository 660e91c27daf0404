/**
 * Common part of OAuth client endpoints: client authentication, and bare answers that are never
 * stored. Only two error values exist.
 */

import type { AccessTokens } from "../../access/auth/access-token.ts";
import { authenticateClient, authenticatesTwice } from "../../access/auth/client-auth.ts";
import type { Principal } from "../../access/control/principal.ts";
import { chargeCredential } from "../../http/admission.ts";
import type { OauthBody, OauthRefusal, Refusal } from "../../http/answer.ts";
import type { PublicCall } from "../../http/call.ts";
import { type Encodings, type Parameters, readParameters } from "./parameters.ts";

/** A request of an authenticated client. */
export interface ClientCall {
  readonly call: PublicCall;
  readonly accessTokens: AccessTokens;
  readonly client: Principal;
  readonly parameters: Parameters;
}

export type OauthAnswer = OauthBody | OauthRefusal | Refusal;

/** 404: OAuth is not configured. */
export const NOT_CONFIGURED: OauthRefusal = {
  ok: false,
  status: 404,
  error: "oauth_not_configured",
};

/** 400; `description` names the parameter at fault and never its value. */
export function badRequest(
  error: "invalid_client" | "invalid_scope",
  description: string,
): OauthRefusal {
  return { ok: false, status: 400, error, description };
}

/** Every 401 has a challenge (RFC 9110 §15.5.2, RFC 6749 §5.2). */
function unknownClient(description: string): OauthRefusal {
  const headers = { "www-authenticate": 'Basic realm="innkeep"' };
  return { ok: false, status: 401, error: "invalid_client", description, headers };
}

/**
 * A handler that reads the parameters and authenticates the client first. Each request counts
 * towards the client's rate.
 */
export function forClients(
  encodings: Encodings,
  work: (request: ClientCall) => OauthAnswer | Promise<OauthAnswer>,
): (call: PublicCall) => Promise<OauthAnswer> {
  return async (call) => {
    const { accessTokens, control, lastUsed, now } = call.context;
    if (accessTokens === null) return NOT_CONFIGURED;
    const reading = await readParameters(call.request, encodings);
    if (!reading.ok) return badRequest("invalid_client", reading.problem);
    const { parameters } = reading;
    const authorization = call.request.headers.get("authorization");
    if (authenticatesTwice(authorization, parameters)) {
      const problem = "client_secret comes with an Authorization header: send one of them";
      return badRequest("invalid_client", problem);
    }
    const found = authenticateClient(control, authorization, parameters, now());
    if (!found.ok) return unknownClient(found.problem);
    const { principal: client } = found;
    lastUsed.note(client.credential_id, now());
    const tooMany = await chargeCredential(call, client);
    return tooMany ?? work({ call, accessTokens, client, parameters });
  };
}
