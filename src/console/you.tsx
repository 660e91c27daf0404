/** "You": the passkeys of the person who is signed in. */

import { instantIso } from "../../engine/core/calendar.ts";
import type { SentRegistration } from "../access/auth/passkey.ts";
import { challengeIn, registeredKey, relyingPartyOf } from "../access/auth/passkey.ts";
import { addPasskey, type Passkey, passkeysOf, removePasskey } from "../access/control/passkeys.ts";
import type { Refusal } from "../http/answer.ts";
import { storeWrite } from "../http/control-write.ts";
import { personName } from "./frame/by.tsx";
import { form, page } from "./frame/console-route.ts";
import { type Form, formToken, TOKEN_FIELD } from "./frame/form.ts";
import { ActionForm, At, Fault, Rows } from "./frame/parts.tsx";
import { PasskeyFields, passkeyOptions, sentPasskey, takeChallenge } from "./frame/passkey.tsx";
import type { Gone, Shown } from "./frame/shown.ts";
import { isProved, proofPage } from "./frame/step-up.tsx";
import type { Visit } from "./frame/visit.ts";

const YOU = "/console/you";
const REGISTRATION = ["id", "client_data", "authenticator_data", "public_key"] as const;
const NAME_CHARS_MAX = 100;
const SIGN_IN_AGAIN =
  "A passkey is added in the first five minutes after signing in. Sign in again, then add it.";
const NOT_TAKEN = "The passkey was not taken. Nothing was changed.";

async function show(visit: Visit, fault?: string): Promise<Shown> {
  const { principal, context } = visit.call;
  const { person_id } = principal;
  const main = (
    <>
      <h1>You</h1>
      {fault !== undefined && <Fault>{fault}</Fault>}
      {person_id === undefined ? (
        <p>
          You have signed in as the operator. Passkeys belong to people: add yourself to the{" "}
          <a href={`${visit.root}/console/people`}>people</a>, and sign in by a link.
        </p>
      ) : (
        <Passkeys visit={visit} passkeys={passkeysOf(context.store, person_id)} />
      )}
    </>
  );
  const script = "passkey.js" as const;
  return { title: "You", place: "people", main, script, ...(fault && { status: 403 }) };
}

interface PasskeysOf {
  readonly visit: Visit;
  readonly passkeys: readonly Passkey[];
}

function Passkeys({ visit, passkeys }: PasskeysOf) {
  return (
    <>
      <p class="lead">
        <bdi>{personName(visit, visit.call.principal.person_id)}</bdi>
      </p>
      <h2>Passkeys</h2>
      <p>A passkey signs you in without a link, and confirms what is asked again.</p>
      {passkeys.length > 0 && (
        <Rows
          label="Passkeys"
          rows={passkeys}
          keyOf={({ passkey_id }) => `passkey-${passkey_id}`}
          columns={[
            { head: "Device", cell: ({ name }) => <bdi>{name}</bdi> },
            {
              head: "Added (UTC)",
              cell: ({ created_at }) => <At instant={instantIso(created_at)} zone="UTC" />,
            },
            {
              head: "Last used (UTC)",
              cell: ({ last_used_at }) =>
                last_used_at === null ? (
                  "never"
                ) : (
                  <At instant={instantIso(last_used_at)} zone="UTC" />
                ),
            },
            {
              head: "Do",
              cell: ({ passkey_id }) => (
                <ActionForm visit={visit} to={`${YOU}/remove`}>
                  <input type="hidden" name="passkey_id" value={passkey_id} />
                  <button type="submit">Remove</button>
                </ActionForm>
              ),
            },
          ]}
        />
      )}
      <NewPasskey visit={visit} passkeys={passkeys} />
    </>
  );
}

/** Works with the script alone. */
function NewPasskey({ visit, passkeys }: PasskeysOf) {
  const { call, session, root } = visit;
  const id = call.principal.person_id!;
  const of = { purpose: "register", session: session.id_hash } as const;
  const person = { id, name: personName(visit, id) ?? id };
  const known = passkeys.map(({ passkey_id }) => passkey_id);
  const to = `${YOU}/passkeys`;
  return (
    <form
      method="post"
      action={root + to}
      class="card"
      hidden
      data-passkey="create"
      data-options={passkeyOptions(call.context, of, { person, known })}
    >
      <input type="hidden" name={TOKEN_FIELD} value={formToken(call.context, session, to)} />
      <PasskeyFields button="Add a passkey">
        <label>
          Name of the device
          <input name="name" required maxlength={NAME_CHARS_MAX} autocomplete="off" />
        </label>
      </PasskeyFields>
    </form>
  );
}

/** Who has only the cookie of a session must not get a way in that outlives it. */
async function register(visit: Visit, sent: Form): Promise<Shown | Gone | Refusal> {
  const { call, session } = visit;
  const { context, principal } = call;
  const { person_id } = principal;
  if (person_id === undefined) return show(visit, NOT_TAKEN);
  if (!isProved(visit)) return show(visit, SIGN_IN_AGAIN);
  const party = relyingPartyOf(context.config.baseUrl);
  const answer = sentPasskey<SentRegistration>(sent, REGISTRATION);
  const challenge = answer && challengeIn(answer.client_data, "webauthn.create", party);
  const of = { purpose: "register", session: session.id_hash } as const;
  if (!answer || challenge === null || !takeChallenge(context, of, challenge)) {
    return show(visit, NOT_TAKEN);
  }
  const key = registeredKey(answer, party);
  const name = (sent.get("name") ?? "").trim().slice(0, NAME_CHARS_MAX);
  if (key === null || name === "") return show(visit, NOT_TAKEN);
  const passkey = { ...key, person_id, name, created_at: context.now() };
  const written = storeWrite(call, (store) => addPasskey(store, passkey));
  if (!written.ok) return written;
  return written.done ? { goTo: YOU } : show(visit, NOT_TAKEN);
}

/** A lost device may be signed in: the person's other sessions end. */
async function remove(visit: Visit, sent: Form): Promise<Shown | Gone | Refusal> {
  const { call, session } = visit;
  const { person_id } = call.principal;
  if (person_id === undefined) return show(visit, "Nothing was removed.");
  const unproved = proofPage(visit, sent, null);
  if (unproved) return unproved;
  const id = sent.get("passkey_id") ?? "";
  const written = storeWrite(call, (store) => removePasskey(store, person_id, id));
  if (!written.ok) return written;
  if (!written.done) return show(visit, "Nothing was removed.");
  call.context.consoleSessions.endOthers(session);
  return { goTo: YOU };
}

export const youRoutes = [
  page({ id: "console_you", path: YOU, summary: "You" }, (visit) => show(visit)),
  form({ id: "console_add_passkey", path: `${YOU}/passkeys`, summary: "Add a passkey" }, register),
  form(
    { id: "console_remove_passkey", path: `${YOU}/remove`, summary: "Remove a passkey" },
    remove,
  ),
];
