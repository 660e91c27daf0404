/**
 * Calls a route without the network: MCP and A2A use the same handlers, checks and answers as REST.
 * The caller is admitted once, by the front end's route; a guest by the route that is called.
 */
import type { DelegationGrant } from "../access/auth/delegation.ts";
import type { Refusal } from "./answer.ts";
import type { Call, PublicCall } from "./call.ts";
import { concretePath } from "./contract.ts";
import { logRefused } from "./log-refused.ts";
import { sendData } from "./send-data.ts";

const JSON_ONLY = "application/json";

export interface InProcessCall {
  readonly id: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text of `contentType` as it is. */
  readonly body?: unknown;
  readonly contentType?: string;
  /** Delegation token, idempotency key, trace, a guest's session; never an agent's credential. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True for a front end that can make every call; others have tools. */
  readonly hasRoutes?: boolean;
  /** Of the person on the page, for a route that needs consent. */
  readonly consent?: DelegationGrant;
}

export interface InProcessAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The envelope. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The call of a front end; one without a principal is admitted by the route that it calls. */
export type FrontCall = Pick<PublicCall, "context" | "clientAddress" | "again"> &
  Partial<Pick<Call, "principal">>;

/** The answer of a route to the caller of `call`. Throws for an unknown route. */
export async function callRoute(call: FrontCall, inner: InProcessCall): Promise<InProcessAnswer> {
  return inProcessAnswer(await openRoute(call, inner));
}

/** The same as a response, which may be a stream. */
export function openRoute(call: FrontCall, inner: InProcessCall): Promise<Response> {
  const { id, params = {}, query = {}, body, contentType, headers } = inner;
  const { hasRoutes = false, consent } = inner;
  const { method, path } = call.context.routes.byId(id);
  const search = new URLSearchParams(query).toString();
  const url = `http://localhost${concretePath(path, params)}${search === "" ? "" : `?${search}`}`;
  const request = new Request(url, {
    method,
    headers: {
      ...headers,
      ...(body !== undefined && { "content-type": contentType ?? JSON_ONLY }),
    },
    ...(body !== undefined && { body: contentType ? String(body) : JSON.stringify(body) }),
  });
  const { clientAddress, principal, again } = call;
  const who = principal && { principal };
  const origin = { clientAddress, ...who, again, hasRoutes, consent };
  return call.context.dispatch(id, request, params, origin);
}

/** A front end's own refusal in the route's envelope. */
export async function refuseInProcess(call: Call, refusal: Refusal): Promise<InProcessAnswer> {
  const response = await sendData("envelope", call, refusal);
  logRefused(call, refusal, response.status, 0);
  return inProcessAnswer(response);
}

async function inProcessAnswer(response: Response): Promise<InProcessAnswer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}
