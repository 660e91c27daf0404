/**
 * Answers that keep a sent form when its session has ended or no outcome came in time. The form is
 * sent again with its own key, so it is one deed however often it is sent.
 */
import type { ComponentChildren } from "preact";
import type { ApiError } from "./api.ts";
import {
  type Form,
  formToken,
  KEY_FIELD,
  PASSKEY_FIELD,
  PROOF_FIELD,
  TOKEN_FIELD,
} from "./form.ts";
import { plural } from "./parts.tsx";
import type { Shown } from "./shown.ts";
import type { Visit } from "./visit.ts";

/** Of what is listed; all of it is sent. */
const LISTED_MAX = 50;
const TEXT_MAX = 200;

/** Not kept: the token is of the session that sent it, and a proof must be on no page. */
const NOT_KEPT: readonly string[] = [TOKEN_FIELD, PROOF_FIELD, PASSKEY_FIELD];

/** What is sent again. */
function keptOf(sent: Form): readonly (readonly [name: string, value: string])[] {
  return [...sent].filter(([name]) => !NOT_KEPT.includes(name));
}

/** The fields that a person filled in or a page chose: what is kept without the key. */
function fieldsOf(sent: Form) {
  return keptOf(sent).filter(([name]) => name !== KEY_FIELD);
}

/** Whether the form has anything that would be lost. */
export function hasFields(sent: Form): boolean {
  return fieldsOf(sent).length > 0;
}

interface KeptFormOf {
  /** Address of the form, with the root of the service. */
  readonly action: string;
  readonly sent: Form;
  /** Of the present session; null without one. */
  readonly token: string | null;
  /** What the script of passkeys is told; without it the form waits for no script. */
  readonly options?: string;
  readonly children: ComponentChildren;
}

/** The form as it was sent, without proofs, to be sent again by the button that is its child. */
export function KeptForm({ action, sent, token, options, children }: KeptFormOf) {
  const listed = fieldsOf(sent);
  return (
    <form
      method="post"
      action={action}
      class="card"
      hidden={options !== undefined}
      data-passkey={options && "get"}
      data-options={options}
    >
      {token !== null && <input type="hidden" name={TOKEN_FIELD} value={token} />}
      {keptOf(sent).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {listed.length > 0 && (
        <details>
          <summary>{plural(listed.length, "field")}</summary>
          <ul>
            {listed.slice(0, LISTED_MAX).map(([name, value]) => (
              <li>
                <code>{name}</code> <bdi>{value.slice(0, TEXT_MAX)}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
      {children}
    </form>
  );
}

/** The token of the form that was sent, for the present session. */
export function tokenFor({ call, session }: Visit): string {
  return formToken(call.context, session, call.path);
}

/** 403: a page of ours sent the form, but not one of this session. It asks before it is done. */
export function notOfSession(visit: Visit, sent: Form): Shown {
  const main = (
    <>
      <h1>Nothing was changed yet</h1>
      <p>
        The page that sent this was opened before you signed in. Is it still what you want? If not,
        open the page again.
      </p>
      <KeptForm action={visit.root + visit.call.path} sent={sent} token={tokenFor(visit)}>
        <button type="submit">Send it now</button>
      </KeptForm>
    </>
  );
  return { title: "Nothing was changed yet", place: "today", main, status: 403 };
}

/** For who is signed out: `path` is that of the form, below `root`. */
export function SignedOut({ root, path, sent }: { root: string; path: string; sent: Form }) {
  return (
    <>
      <h1>You are signed out</h1>
      <p>Nothing was changed. What you typed is kept on this page:</p>
      <ol>
        <li>
          <a href={`${root}/console/sign-in`} target="_blank" rel="noreferrer">
            Sign in, in another tab
          </a>
          .
        </li>
        <li>Come back to this page and send it.</li>
      </ol>
      <KeptForm action={root + path} sent={sent} token={null}>
        <button type="submit">Send it again</button>
      </KeptForm>
    </>
  );
}

/** 503: the outcome is not known, because none came in time. */
export function noOutcome(visit: Visit, sent: Form, error: ApiError): Shown {
  const main = (
    <>
      <h1>No answer in time</h1>
      <p>
        What you asked for was done, will be done in a moment, or was not done. Send it again to
        know: it is done once, however often it is sent. Do not fill in a new form for it.
      </p>
      <KeptForm action={visit.root + visit.call.path} sent={sent} token={tokenFor(visit)}>
        <button type="submit">Send it again</button>
      </KeptForm>
      <p class="faint">
        <code>{error.code}</code> · trace <code>{error.trace_id}</code>
      </p>
    </>
  );
  return { title: "No answer in time", place: "today", main, status: 503 };
}
