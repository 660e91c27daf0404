/**
 * A visit of a signed-in operator: the session of the cookie, and the principal of its credential
 * as the control plane has it now. A revoked or suspended credential ends the visit at once.
 */
import { type Authentication, refusalOf } from "../../access/auth/bearer.ts";
import type { ConsoleSession } from "../../access/control/console-sessions.ts";
import { headSeqOf } from "../../api/as-of.ts";
import { chargeCredential, mayOf } from "../../http/admission.ts";
import type { Refusal } from "../../http/answer.ts";
import type { Call, PublicCall } from "../../http/call.ts";
import { rootPath } from "../../pages/frame.ts";
import type { ApiError } from "./api-error.ts";
import { sessionIdOf } from "./cookie.ts";

/** Sent by the page's script when it renews a part: no sign of a person. */
const RENEWAL_HEADER = "innkeep-renewal";
/** Id of the route of the stream, which browsers connect to again and again by themselves. */
export const STREAM_ROUTE = "console_live";

/** A call that a page made, as a program would make it. */
export interface ApiCall {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly traceId: string;
  readonly error: ApiError | null;
}

export interface Visit<Name extends string = never> {
  readonly call: Call<unknown, Name>;
  readonly session: ConsoleSession;
  /** Path prefix of the service. */
  readonly root: string;
  /**
   * Number of the tenant's last event before the page reads anything: what happens while it is
   * made is later, so that the page's script renews it, and a change in between is a conflict.
   */
  readonly headSeq: number;
  /** Calls of the API that this page made, for its reader. */
  readonly made: ApiCall[];
}

/** The visit of a request; null without a session that is open and may be used. */
export async function visitOf<Name extends string>(
  call: PublicCall<unknown, Name>,
): Promise<Visit<Name> | Refusal | null> {
  const { context, request } = call;
  const id = sessionIdOf(request);
  const session = id === null ? null : context.consoleSessions.find(id, context.now());
  if (id === null || session === null) return null;
  const again = () => authenticated(call, id);
  const known = again();
  if (!known.ok) return null;
  const { principal } = known;
  const isByScript = request.headers.has(RENEWAL_HEADER) || call.route.id === STREAM_ROUTE;
  if (!isByScript) context.consoleSessions.seen(session, context.now());
  context.lastUsed.note(principal.credential_id, context.now());
  const limited = await chargeCredential(call, principal);
  if (limited) return limited;
  const may = mayOf(principal, context.routes);
  const admitted = { principal, again, may, realm: principal };
  const nothing = { key: null, seenVersion: null, delegation: null };
  const root = rootPath(context.config);
  const headSeq = headSeqOf(context.replica, principal);
  return { call: { ...call, ...admitted, ...nothing }, session, root, headSeq, made: [] };
}

/** The caller of a session id at this moment. */
function authenticated({ context }: PublicCall, id: string): Authentication {
  const nowMs = context.now();
  const session = context.consoleSessions.find(id, nowMs);
  const entry = session ? context.control.credentialById(session.caller_id) : undefined;
  return refusalOf(entry, nowMs) ?? entry!.authenticated;
}
