/** A request on its way through the checks of `pipeline.ts`. */
import { canonicalJson } from "../../engine/core/canonical.ts";
import type { CommandMeta } from "../../engine/core/commands.ts";
import type { Caller } from "../../engine/core/visibility.ts";
import type { Authentication } from "../access/auth/bearer.ts";
import type { DelegationGrant } from "../access/auth/delegation.ts";
import { actorOf, type Principal } from "../access/control/principal.ts";
import { bodyHash, commandId, scopeOf } from "../access/privacy/personal-data.ts";
import type { May } from "../actions/next-action.ts";
import { randomHex } from "../lib/trace.ts";
import type { Context } from "./context.ts";
import type { Contract } from "./contract.ts";
import { bodyForHash } from "./idempotency.ts";

/** A request after the checks of its route. */
export interface PublicCall<B = unknown, Name extends string = never> {
  readonly context: Context;
  readonly route: Contract;
  readonly method: string;
  /** Concrete path without query. */
  readonly path: string;
  readonly params: { readonly [N in Name]: string };
  readonly query: ReadonlyMap<string, string>;
  readonly traceId: string;
  readonly request: Request;
  /** `sent` as read by the route's body. */
  readonly body: B;
  /** The received JSON; undefined without a body. */
  readonly sent: unknown;
  /** Size of the body's text in UTF-16 units, used to size envelopes. */
  readonly bodyBytes: number;
  /** Key of limits per address; see `client-address.ts`. */
  readonly clientAddress: () => string;
  /** The caller with its current rights, where a front end has admitted it. */
  readonly again: (() => Authentication) | undefined;
  /** Calls that may be offered; undefined before admission. */
  readonly may: May | undefined;
  /** The caller's realm; undefined before admission. */
  readonly realm: Pick<Principal, "tenant_id" | "mode"> | undefined;
  /** Headers of every answer: the rate limit and the remaining quota. */
  readonly answerHeaders: Record<string, string>;
}

/** The parts of a request used by answers. */
export type Asked = Pick<
  PublicCall,
  "traceId" | "method" | "path" | "query" | "sent" | "may" | "realm" | "context" | "request"
> & {
  /** Absent where no route has the path or the method. */
  readonly route?: Contract;
};

export interface Call<B = unknown, Name extends string = never> extends PublicCall<B, Name> {
  readonly principal: Principal;
  /** The client's idempotency key, or null. */
  readonly key: string | null;
  /** The version of `If-Match`; null for any. */
  readonly seenVersion: number | null;
  /** Present exactly on the delegation-gated routes. */
  readonly delegation: DelegationGrant | null;
}

/** The caller for visibility checks. */
export function callerOf({ principal }: Pick<Call, "principal">): Caller {
  const { tenant_id, mode, kind, agent_id, property_ids } = principal;
  return { tenant_id, mode, actor: { kind, id: agent_id }, property_ids };
}

/** The part of a command that follows from the request alone. */
export function commandMeta(call: Call): CommandMeta {
  const { context, principal } = call;
  const { tenant_id, mode, agent_id, property_ids } = principal;
  const random = randomHex(16);
  const { hmac } = context.keys;
  const scope = { mode, agent_id, method: call.method, path: call.path };
  const identity =
    call.key === null
      ? { key: randomHex(16), is_anonymous: true, body_hash: "0".repeat(32) }
      : {
          key: commandId(hmac, tenant_id, scopeOf(scope), call.key),
          body_hash: bodyHash(hmac, canonicalJson(bodyForHash(call.sent))),
        };
  return {
    tenant_id,
    mode,
    actor: actorOf(principal),
    ...(property_ids && { property_ids: [...property_ids] }),
    trace_id: call.traceId,
    docs: context.config.docsUrl,
    random,
    ...identity,
    time_left_ms: 0,
  };
}
