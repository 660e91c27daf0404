/**
 * What the OAuth endpoints that clients call have in common: the client proves who it is, and every
 * answer is bare and never stored. Only two error values exist (rules §12).
 */

import type { AccessTokens } from "../auth/access-token.ts";
import { authenticateClient } from "../auth/client-auth.ts";
import type { Principal } from "../control/principal.ts";
import { chargeCredential } from "../http/admission.ts";
import type { PublicCall } from "../http/call.ts";
import { bare } from "../http/respond.ts";
import { type Lanes, type Parameters, readParameters } from "./parameters.ts";

/** A request of a client that has proved who it is. */
export interface ClientCall {
  readonly call: PublicCall;
  readonly accessTokens: AccessTokens;
  readonly client: Principal;
  readonly parameters: Parameters;
}

/** RFC 6749 §5.1. */
const UNCACHED = { "cache-control": "no-store", pragma: "no-cache" };
const DESCRIPTION_CHARACTERS_MAX = 500;

/** 200 with a bare body. */
export function granted(call: PublicCall, body: object): Response {
  return bare(body, { ...UNCACHED, "x-trace-id": call.traceId });
}

/** 404: OAuth is switched off. */
export function notConfigured(call: PublicCall): Response {
  const headers = { ...UNCACHED, "x-trace-id": call.traceId };
  return bare({ error: "oauth_not_configured" }, headers, 404);
}

export interface OauthRefusal {
  readonly status: 400 | 401;
  readonly error: "invalid_client" | "invalid_scope";
  /** Names the parameter at fault and never its value. */
  readonly problem: string;
}

/** The error body of RFC 6749 §5.2; 401 asks for Basic only where the client has tried a header. */
export function refused(call: PublicCall, { status, error, problem }: OauthRefusal): Response {
  const headers: Record<string, string> = { ...UNCACHED, "x-trace-id": call.traceId };
  if (status === 401 && call.request.headers.has("authorization")) {
    headers["www-authenticate"] = 'Basic realm="innkeep"';
  }
  // The grammar of RFC 6749 §5.2; names of unknown parameters may hold anything.
  const plain = problem.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "?");
  const error_description = plain.slice(0, DESCRIPTION_CHARACTERS_MAX);
  return bare({ error, error_description }, headers, status);
}

/**
 * A handler that reads the parameters, authenticates the client and then works. Each request counts
 * towards the client's rate.
 */
export function forClients(
  lanes: Lanes,
  work: (request: ClientCall) => Response | Promise<Response>,
): (call: PublicCall) => Promise<Response> {
  return async (call) => {
    const { accessTokens, control, lastUsed, now } = call.deps;
    if (accessTokens === null) return notConfigured(call);
    const reading = await readParameters(call.request, lanes);
    if (!reading.ok) {
      return refused(call, { status: 400, error: "invalid_client", problem: reading.problem });
    }
    const { parameters } = reading;
    const authorization = call.request.headers.get("authorization");
    const client = authenticateClient(control, authorization, parameters, now());
    if (!client.ok) {
      return refused(call, { status: 401, error: "invalid_client", problem: client.problem });
    }
    lastUsed.note(client.principal.credential_id, now());
    const charged = await chargeCredential(call, client.principal);
    if (charged instanceof Response) return charged;
    const response = await work({ call, accessTokens, client: client.principal, parameters });
    for (const name in charged) response.headers.set(name, charged[name]!);
    return response;
  };
}
