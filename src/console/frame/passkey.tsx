/**
 * Passkeys at the console: challenges, the form whose script answers one, and the check of the
 * answer. A challenge is signed and not stored: it is for one purpose in one session, for five
 * minutes, and counts once.
 */
import { timingSafeEqual } from "node:crypto";
import type { ComponentChildren } from "preact";
import {
  assertedCounter,
  challengeIn,
  relyingPartyOf,
  type SentAssertion,
  type SentRegistration,
} from "../../access/auth/passkey.ts";
import { findPasskey, usePasskey } from "../../access/control/passkeys.ts";
import { hmacHex } from "../../access/privacy/personal-data.ts";
import type { Context } from "../../http/context.ts";
import { randomHex } from "../../lib/trace.ts";
import { type Form, PASSKEY_FIELD } from "./form.ts";

const CHALLENGE_MS = 5 * 60_000;
const MAC_BYTES = 32;
/** Of an answer; a key of RSA is the longest part. */
const ANSWER_CHARS_MAX = 8_192;

/** What a challenge is for; `session` names the session, and is empty before there is one. */
export interface ChallengeOf {
  readonly purpose: "sign_in" | "prove" | "register";
  readonly session: string;
}

function macOf({ keys }: Context, { purpose, session }: ChallengeOf, head: string): string {
  const text = JSON.stringify(["console-challenge", purpose, session, head]);
  return hmacHex(keys.hmac, text, MAC_BYTES);
}

/** A new challenge. */
function newChallenge(context: Context, of: ChallengeOf): string {
  const head = `${context.now() + CHALLENGE_MS}.${randomHex(16)}`;
  return `${head}.${macOf(context, of, head)}`;
}

/** Uses a challenge up; false when it is not for this, too old, or was used. */
export function takeChallenge(context: Context, of: ChallengeOf, challenge: string): boolean {
  const at = challenge.lastIndexOf(".");
  const head = challenge.slice(0, Math.max(at, 0));
  const wanted = Buffer.from(macOf(context, of, head));
  const given = Buffer.from(challenge.slice(at + 1));
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return false;
  const expiresAtMs = Number(head.split(".", 1)[0]);
  if (!(expiresAtMs > context.now())) return false;
  return context.consoleSessions.useChallenge(head, expiresAtMs);
}

/** The answer of the script: texts alone; null for anything else. */
export function sentPasskey<T extends SentAssertion | SentRegistration>(
  sent: Form,
  names: readonly (keyof T & string)[],
): T | null {
  try {
    const text = sent.get(PASSKEY_FIELD) ?? "";
    const read = text.length > ANSWER_CHARS_MAX ? null : JSON.parse(text);
    return names.every((name) => typeof read?.[name] === "string") ? read : null;
  } catch {
    return null;
  }
}

const ASSERTION = ["id", "client_data", "authenticator_data", "signature"] as const;

/**
 * The person whose passkey the form shows; null without a valid one. The caller still asks whether
 * that person may be here.
 */
export function personShown(context: Context, of: ChallengeOf, sent: Form): string | null {
  const answer = sentPasskey<SentAssertion>(sent, ASSERTION);
  const party = relyingPartyOf(context.config.baseUrl);
  const challenge = answer && challengeIn(answer.client_data, "webauthn.get", party);
  if (!answer || challenge === null || !takeChallenge(context, of, challenge)) return null;
  const passkey = findPasskey(context.store, answer.id);
  const counter = passkey && assertedCounter(answer, passkey, party);
  if (!passkey || counter === null) return null;
  return usePasskey(context.store, passkey, counter, context.now()) ? passkey.person_id : null;
}

interface PasskeyFieldsOf {
  readonly button: string;
  readonly children?: ComponentChildren;
}

/** What a form of the script has beside its own fields. */
export function PasskeyFields({ button, children }: PasskeyFieldsOf) {
  return (
    <>
      <input type="hidden" name={PASSKEY_FIELD} value="" />
      {children}
      <p role="alert" />
      <button type="submit">{button}</button>
    </>
  );
}

/** What the script is told: the challenge, whose passkeys, and which ones are known. */
export function passkeyOptions(
  context: Context,
  of: ChallengeOf,
  more: { readonly known?: readonly string[]; readonly person?: object } = {},
): string {
  const { id: party } = relyingPartyOf(context.config.baseUrl);
  return JSON.stringify({ challenge: newChallenge(context, of), party, known: [], ...more });
}
