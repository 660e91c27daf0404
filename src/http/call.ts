/**
 * One request on its way through the checks of rules §1, and what a route says about itself.
 */

import type { TSchema } from "@sinclair/typebox";
import { canonicalJson } from "../../engine/core/canonical.ts";
import type { CommandMeta } from "../../engine/core/commands.ts";
import type { Resource } from "../auth/access-token.ts";
import type { DelegationGrant } from "../auth/delegation.ts";
import { randomHex } from "../base/trace.ts";
import type { Principal, PrincipalKind } from "../control/principal.ts";
import { bodyHash, commandId } from "../privacy/personal-data.ts";
import type { Method } from "../refusals/steps.ts";
import type { Deps } from "./deps.ts";
import { bodyForHash } from "./idempotency.ts";
import type { May } from "./scopes.ts";
import type { Check } from "./validate.ts";

export type Params = Readonly<Record<string, string>>;

/** A request as far as the checks that its route asks for have taken it. */
export interface PublicCall {
  readonly deps: Deps;
  readonly method: string;
  /** Concrete path without query. */
  readonly path: string;
  readonly params: Params;
  readonly query: ReadonlyMap<string, string>;
  readonly traceId: string;
  readonly request: Request;
  /** Parsed JSON; undefined when there was no body. */
  readonly body: unknown;
  /** Size of the body as received. */
  readonly bodyBytes: number;
  /** Whom a limit per address counts; see `net/client-address.ts`. */
  readonly clientAddress: () => string;
  /** What the caller may be offered; undefined before the caller is known. */
  readonly may: May | undefined;
}

export interface Call extends PublicCall {
  readonly principal: Principal;
  /** The client's idempotency key, or null. */
  readonly key: string | null;
  /** Present exactly on the delegation-gated routes. */
  readonly delegation: DelegationGrant | null;
}

interface RouteBase {
  readonly method: Method;
  /** `:name` for path parameters. */
  readonly path: string;
  /** Query names the route knows; all others are refused. */
  readonly query?: readonly string[];
  /** `json`: a body is read; `stream`: the handler reads it. */
  readonly reads?: "json" | "stream";
  readonly bodyBytesMax?: number;
  /** What a JSON body must be, where no `check` says it. */
  readonly body?: TSchema;
}

export interface PublicRoute extends RouteBase {
  readonly access: "public";
  /** A rate limit per client address (rules §3); none where left out. */
  readonly addressLimit?: string;
  readonly handle: (call: PublicCall) => Response | Promise<Response>;
}

export interface ProtectedRoute extends RouteBase {
  /** `scope` null: any valid credential of the kinds. */
  readonly access: { readonly kinds: readonly PrincipalKind[]; readonly scope: string | null };
  /** What an access token must be meant for (RFC 8707); the service as a whole unless said. */
  readonly resource?: Resource;
  readonly isDelegated?: boolean;
  readonly key?: "required" | "accepted";
  /** The body's schema; its faults are told together with those of the headers. */
  readonly check?: Check;
  /** No body at all counts as `{}`. */
  readonly isBodyOptional?: boolean;
  readonly handle: (call: Call) => Response | Promise<Response>;
}

export type Route = PublicRoute | ProtectedRoute;

/** The route of a method and path with its `:name` parameters. Throws when there is none. */
export function routeOf(routes: readonly Route[], method: string, path: string): Route {
  const route = routes.find((each) => each.method === method && each.path === path);
  if (!route) throw new Error(`no route ${method} ${path}`);
  return route;
}

/** The part of a command that follows from the request alone. */
export function commandMeta(call: Call): CommandMeta {
  const { deps, principal } = call;
  const { tenant_id, mode, agent_id, kind } = principal;
  const random = randomHex(16);
  const { hmac } = deps.keys;
  const scope = `${mode} ${call.method} ${call.path}`;
  const identity =
    call.key === null
      ? { key: randomHex(16), is_anonymous: true, body_hash: "0".repeat(32) }
      : {
          key: commandId(hmac, tenant_id, scope, call.key),
          body_hash: bodyHash(hmac, canonicalJson(bodyForHash(call.body))),
        };
  return {
    tenant_id,
    mode,
    actor: { kind, id: agent_id },
    trace_id: call.traceId,
    docs: deps.config.docsUrl,
    random,
    ...identity,
    time_left_ms: 0,
  };
}
