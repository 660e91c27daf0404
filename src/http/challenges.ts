/** `WWW-Authenticate`: every 401 has a challenge (RFC 9110 §15.5.2), and some 403. */
import type { RefusalCode } from "../../engine/core/refusals.ts";
import type { AccessRefusal } from "../access/control/principal.ts";
import type { Config } from "../config.ts";
import { type Refusal, refuse } from "./answer.ts";
import type { PublicCall } from "./call.ts";
import { DELEGATION_CODES } from "./refusal-codes.ts";
import type { ProtectedRoute } from "./route.ts";

/** 401 and 403 name the token endpoint and the scope (RFC 6750 §3, RFC 9728 §5). */
export function challenged(
  route: Pick<ProtectedRoute, "access" | "resource" | "takesBasic">,
  { context }: PublicCall,
  { code, detail }: AccessRefusal,
): Refusal {
  if (code !== "unauthenticated" && code !== "forbidden") return refuse(code, detail);
  const parts: string[] = [];
  if (code === "forbidden") parts.push('error="insufficient_scope"');
  else if (detail.reason !== "missing_credential") parts.push('error="invalid_token"');
  if (context.config.oauthIssuer !== null) {
    const path = "/.well-known/oauth-protected-resource";
    const own = route.resource === "mcp" ? `${path}/mcp` : path;
    parts.push(`resource_metadata="${context.config.baseUrl}${own}"`);
  }
  if (route.access.scope !== null) parts.push(`scope="${route.access.scope}"`);
  const challenge = parts.length > 0 ? `Bearer ${parts.join(", ")}` : "Bearer";
  const basic = route.takesBasic && code === "unauthenticated" ? `, ${BASIC}` : "";
  return refuse(code, detail, { headers: { "www-authenticate": challenge + basic } });
}

/** Agent id and secret. */
const BASIC = 'Basic realm="innkeep", charset="UTF-8"';

/**
 * The challenge of a refused delegation token; null for every other code. Its scheme is this
 * service's own: the bearer is valid, and `Bearer` would make clients fetch another one.
 */
export function delegationChallenge(
  { code, detail }: { readonly code: RefusalCode; readonly detail?: Refusal["detail"] },
  { baseUrl }: Pick<Config, "baseUrl">,
): string | null {
  if (!DELEGATION_CODES.some((each) => each === code)) return null;
  const reason = detail?.reason === undefined ? "" : `, reason="${detail.reason}"`;
  const issuers = `${baseUrl}/.well-known/delegation-issuers`;
  return `Delegation header="X-Delegated-User", error="${code}"${reason}, issuers="${issuers}"`;
}
