/** Calls that a person makes on a page with the present rights of an agent. */
import { type Authentication, refusalOf } from "../access/auth/bearer.ts";
import type { AccessRefusal } from "../access/control/principal.ts";
import { mayOf } from "../http/admission.ts";
import type { Call, PublicCall } from "../http/call.ts";

/** A call with the present rights of that credential, or why there are none. */
export function agentCallOf<P extends string>(
  call: PublicCall<unknown, P>,
  credentialId: string,
): Call<unknown, P> | AccessRefusal {
  const { context } = call;
  const again = (): Authentication => {
    const entry = context.control.credentialById(credentialId);
    return refusalOf(entry, context.now()) ?? entry!.authenticated;
  };
  const known = again();
  if (!known.ok) return known;
  const { principal } = known;
  const admitted = { principal, again, may: mayOf(principal, context.routes), realm: principal };
  return { ...call, ...admitted, key: null, seenVersion: null, delegation: null };
}
