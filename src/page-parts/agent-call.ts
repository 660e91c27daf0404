/** Calls that a person makes on a page with the present rights of an agent. */
import { type Authentication, refusalOf } from "../access/auth/bearer.ts";
import type { AccessRefusal } from "../access/control/principal.ts";
import type { FrontCall } from "../http/in-process.ts";

/** A call with the present rights of that credential, or why there are none. */
export function agentCallOf(
  { context, clientAddress }: FrontCall,
  credentialId: string,
): FrontCall | AccessRefusal {
  const again = (): Authentication => {
    const entry = context.control.credentialById(credentialId);
    return refusalOf(entry, context.now()) ?? entry!.authenticated;
  };
  const known = again();
  if (!known.ok) return known;
  return { context, clientAddress, again, principal: known.principal };
}
