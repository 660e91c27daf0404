/**
 * Deeds above the operator's `step_up_amount` ask who is signed in for the secret or passkey again,
 * unless it was shown in the last minutes. A form that is sent without is kept, and does nothing
 * until it is sent with it.
 */
import { authenticate } from "../../access/auth/bearer.ts";
import { passkeysOf } from "../../access/control/passkeys.ts";
import { chargeAddress } from "../../http/admission.ts";
import type { Refusal } from "../../http/answer.ts";
import { type Form, PASSKEY_FIELD, PROOF_FIELD } from "./form.ts";
import { KeptForm, tokenFor } from "./kept-form.tsx";
import { Fault } from "./parts.tsx";
import { PasskeyFields, passkeyOptions, personShown } from "./passkey.tsx";
import type { Shown } from "./shown.ts";
import type { Visit } from "./visit.ts";

interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** For so long after a proof no other is asked for. */
const PROOF_MS = 5 * 60_000;
/** Secrets and passkeys from one IP address. */
const ATTEMPTS = { name: "console_proof", perMinute: 10 } as const;
/** The form of a new passkey has an answer of its own, which proves nothing. */
const REGISTERING = "console_add_passkey";

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
  const isTried = sent.has(PROOF_FIELD) || sent.has(PASSKEY_FIELD);
  return proofAsked(visit, sent, isTried ? "That was not accepted." : null);
}

function proofAsked(visit: Visit, sent: Form, fault: string | null): Shown {
  const { call } = visit;
  const { person_id } = call.principal;
  const main = (
    <>
      <h1>Is it still you?</h1>
      <p>Nothing was done yet. What you asked for needs to be confirmed by who has signed in.</p>
      {fault !== null && <Fault>{fault}</Fault>}
      {person_id !== undefined ? (
        <ByPasskey visit={visit} sent={sent} personId={person_id} />
      ) : (
        <KeptForm action={visit.root + call.path} sent={sent} token={tokenFor(visit)}>
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
  const script = "passkey.js" as const;
  return { title: "Is it still you?", place: "today", main, script, status: 403 };
}

interface ByPasskeyOf {
  readonly visit: Visit;
  readonly sent: Form;
  readonly personId: string;
}

function ByPasskey({ visit, sent, personId }: ByPasskeyOf) {
  const { context, path } = visit.call;
  const known = passkeysOf(context.store, personId).map(({ passkey_id }) => passkey_id);
  const options = passkeyOptions(context, proofOf(visit), { known });
  return (
    <>
      {known.length > 0 && (
        <KeptForm action={visit.root + path} sent={sent} token={tokenFor(visit)} options={options}>
          <PasskeyFields button="Confirm with a passkey" />
        </KeptForm>
      )}
      <p>
        {known.length > 0 ? "Without the passkey" : "You have no passkey"}: get another link from
        who gave you the last one. A new link counts for five minutes.
      </p>
    </>
  );
}

function proofOf({ session }: Visit) {
  return { purpose: "prove", session: session.id_hash } as const;
}

/**
 * The visit after the proof that a form carries: the person's passkey, or for a credential a secret
 * of the same operator. A wrong one proves nothing; too many are refused.
 */
export async function withProof<Name extends string>(
  visit: Visit<Name>,
  sent: Form,
): Promise<Visit<Name> | Refusal> {
  const { call, session } = visit;
  const isRegistering = call.route.id === REGISTERING;
  if (isRegistering || !(sent.has(PROOF_FIELD) || sent.has(PASSKEY_FIELD))) return visit;
  const limited = await chargeAddress(call, ATTEMPTS);
  if (limited) return limited;
  if (!(await isShown(visit, sent))) return visit;
  const nowMs = call.context.now();
  call.context.consoleSessions.prove(session, nowMs);
  return { ...visit, session: { ...session, proved_at: nowMs } };
}

/** Whether the form has the passkey of the person, or a secret of the operator. */
async function isShown<Name extends string>(visit: Visit<Name>, sent: Form): Promise<boolean> {
  const { context, principal } = visit.call;
  const { person_id, agent_id } = principal;
  if (person_id !== undefined) return personShown(context, proofOf(visit), sent) === person_id;
  const authorization = `Bearer ${sent.get(PROOF_FIELD)?.trim() ?? ""}`;
  const secrets = { control: context.control, accessTokens: null };
  const known = await authenticate(secrets, { authorization, nowMs: context.now() });
  return known.ok && known.principal.agent_id === agent_id;
}
