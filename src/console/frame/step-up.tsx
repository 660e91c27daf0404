/**
 * Deeds above the operator's `step_up_amount` ask who is signed in for the secret or passkey again,
 * unless it was shown in the last minutes. A form that is sent without is kept, and does nothing
 * until it is sent with it.
 */
import { authenticate } from "../../access/auth/bearer.ts";
import { chargeAddress } from "../../http/admission.ts";
import type { Refusal } from "../../http/answer.ts";
import type { Form } from "./form.ts";
import { KeptForm, tokenFor } from "./kept-form.tsx";
import { Fault } from "./parts.tsx";
import type { Shown } from "./shown.ts";
import type { Visit } from "./visit.ts";

interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** For so long after a proof no other is asked for. */
export const PROOF_MS = 5 * 60_000;
/** Secrets and passkeys from one IP address. */
const ATTEMPTS = { name: "console_proof", perMinute: 10 } as const;
/** Name of the field with the secret. */
export const PROOF_FIELD = "proof_secret";

/** Whether the secret or passkey was shown a moment ago. */
export function isProved({ call, session }: Visit): boolean {
  return call.context.now() - session.proved_at < PROOF_MS;
}

/** Whether a deed of this amount, null for one that has none, must be proved now. */
function mustProve(visit: Visit, amount: Money | null): boolean {
  const limit = visit.call.principal.limits.step_up_amount ?? null;
  if (limit === null || amount?.amount === 0 || isProved(visit)) return false;
  // An amount in another currency is compared with nothing, so it is above.
  return amount === null || amount.currency !== limit.currency || amount.amount > limit.amount;
}

/**
 * The page that asks for the proof of a deed, with the form that was sent; null when none is
 * needed. Null for the amount: a deed about access, or an amount that is not known.
 */
export function proofPage(visit: Visit, sent: Form, amount: Money | null): Shown | null {
  if (!mustProve(visit, amount)) return null;
  return proofAsked(visit, sent, sent.has(PROOF_FIELD) ? "That was not accepted." : null);
}

function proofAsked(visit: Visit, sent: Form, fault: string | null): Shown {
  const { call } = visit;
  const isPerson = call.principal.person_id !== undefined;
  const kept = new Map([...sent].filter(([name]) => name !== PROOF_FIELD));
  const main = (
    <>
      <h1>Is it still you?</h1>
      <p>
        Nothing was done yet. This deed is above the amount from which the operator asks again who
        is here.
      </p>
      {fault !== null && <Fault>{fault}</Fault>}
      {isPerson ? (
        <p>
          You have signed in without a secret: get another link from who gave you the last one. A
          new link counts for five minutes.
        </p>
      ) : (
        <KeptForm action={visit.root + call.path} sent={kept} token={tokenFor(visit)}>
          <label>
            Operator's secret
            <input type="password" name={PROOF_FIELD} required autocomplete="current-password" />
          </label>
          <button type="submit" class="danger">
            Confirm
          </button>
        </KeptForm>
      )}
    </>
  );
  return { title: "Is it still you?", place: "today", main, status: 403 };
}

/**
 * The visit after the proof that a form carries: the secret of a credential of the same operator.
 * A wrong one proves nothing; too many are refused.
 */
export async function withProof<Name extends string>(
  visit: Visit<Name>,
  sent: Form,
): Promise<Visit<Name> | Refusal> {
  const secret = sent.get(PROOF_FIELD)?.trim();
  const { call, session } = visit;
  const { context, principal } = call;
  if (!secret || principal.person_id !== undefined) return visit;
  const limited = await chargeAddress(call, ATTEMPTS);
  if (limited) return limited;
  const secrets = { control: context.control, accessTokens: null };
  const nowMs = context.now();
  const known = await authenticate(secrets, { authorization: `Bearer ${secret}`, nowMs });
  if (!known.ok || known.principal.agent_id !== principal.agent_id) return visit;
  context.consoleSessions.prove(session, nowMs);
  return { ...visit, session: { ...session, proved_at: nowMs } };
}
