/**
 * Who is calling: the bearer secret against the in-memory credential table. A few microseconds and
 * no I/O. The presented secret is hashed and forgotten; nothing here keeps it.
 */
import type { ControlView } from "../control/view.ts";
import type { AccessRefusal, Principal } from "./principal.ts";
import { looksLikeSecret } from "./secrets-format.ts";

export type Authentication = { readonly ok: true; readonly principal: Principal } | AccessRefusal;

const SCHEME = /^bearer +/i;

function unauthenticated(reason: string): AccessRefusal {
  return { ok: false, code: "unauthenticated", detail: { reason } };
}

/**
 * Authenticates an `Authorization` header. Unknown, revoked and expired credentials and revoked
 * agents are `unauthenticated`; a suspended agent is `forbidden {reason: "agent_suspended"}`
 * (rules §3).
 */
export function authenticate(
  view: ControlView,
  authorization: string | null,
  nowMs: number = Date.now(),
): Authentication {
  if (authorization === null) return unauthenticated("missing_credential");
  const secret = authorization.replace(SCHEME, "");
  if (secret.length === authorization.length) return unauthenticated("bearer_scheme_required");
  if (!looksLikeSecret(secret)) return unauthenticated("malformed_credential");
  const entry = view.credential(secret);
  if (entry === undefined) return unauthenticated("unknown_credential");
  if (entry.state === "revoked" || entry.agent_state === "revoked") {
    return unauthenticated("credential_revoked");
  }
  if (nowMs >= entry.valid_until) return unauthenticated("credential_expired");
  if (entry.agent_state === "suspended") {
    return { ok: false, code: "forbidden", detail: { reason: "agent_suspended" } };
  }
  return entry.authenticated;
}
