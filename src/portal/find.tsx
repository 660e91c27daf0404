/** How a guest gets in: asks for a mail, opens its link or types its digits. */
import { GUEST_SESSION_TTL_MS } from "../access/control/guest-sessions.ts";
import type { PublicCall } from "../http/call.ts";
import { isSecure } from "../page-parts/cookie.ts";
import { formOf } from "../page-parts/form.ts";
import { formsOf, GuestForm, goTo, NO_REFERRER, Problem, shown } from "./frame.tsx";
import { type Tongue, tongueOf } from "./tongue.ts";
import { type Answer, ask, COOKIE, field } from "./visit.ts";

const FIND = "/guest";
const CODE = "/guest/code";
const ENTER = "/guest/enter";
const STAY = "/guest/stay";

const EMAIL_MAX = 254;
const CODE_MAX = 32;

interface Said {
  readonly problem?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The form that asks for a mail. */
export function findPage(call: PublicCall, said: Said = {}): Promise<Answer> {
  const tongue = tongueOf(call);
  const { words } = tongue;
  const { problem, ...more } = said;
  const main = (
    <>
      <h1>{words.findTitle}</h1>
      <Problem text={problem} />
      <p>{words.findIntro}</p>
      <GuestForm call={call} tongue={tongue} to={FIND} secret="">
        <label>
          {words.email}
          <input type="email" name="email" required autocomplete="email" maxlength={EMAIL_MAX} />
        </label>
        <label>
          {words.code}
          <input
            name="confirmation_code"
            required
            autocomplete="off"
            autocapitalize="characters"
            maxlength={CODE_MAX}
          />
        </label>
        <button type="submit">{words.sendLink}</button>
      </GuestForm>
    </>
  );
  return shown(call, tongue, { main, at: FIND, ...more });
}

interface Typed {
  readonly email: string;
  readonly confirmation_code: string;
}

/** The same page whatever was asked for, with a field for the digits. */
function sentPage(call: PublicCall, tongue: Tongue, typed: Typed, said: Said = {}) {
  const { words } = tongue;
  const { problem, status } = said;
  const main = (
    <>
      <h1>{words.sentTitle}</h1>
      <Problem text={problem} />
      <p>{words.sentIntro}</p>
      <GuestForm call={call} tongue={tongue} to={CODE} secret="">
        <input type="hidden" name="email" value={typed.email} />
        <input type="hidden" name="confirmation_code" value={typed.confirmation_code} />
        <label>
          {words.digits}
          <input
            name="code"
            required
            inputmode="numeric"
            autocomplete="one-time-code"
            pattern="[0-9]{6}"
            maxlength={6}
          />
        </label>
        <button type="submit">{words.show}</button>
      </GuestForm>
      <p>
        <a href={tongue.to(FIND)}>{words.askAgain}</a>
      </p>
    </>
  );
  return shown(call, tongue, { main, at: FIND, ...(status !== undefined && { status }) });
}

/** Asks for the mail. */
export async function askForMail(call: PublicCall): Promise<Answer> {
  const tongue = tongueOf(call);
  const { words } = tongue;
  const sent = await formOf(call, formsOf(call, ""));
  if (sent === null) return findPage(call, { problem: words.notTaken, status: 403 });
  const typed = {
    email: field(sent, "email"),
    confirmation_code: field(sent, "confirmation_code"),
  };
  const body = { ...typed, language: tongue.tag };
  const asked = await ask(call, "", { id: "ask_guest_link", body });
  if (asked.ok) return sentPage(call, tongue, typed);
  const { status, code } = asked.fault;
  const problem = code === "validation_failed" ? words.badInput : words.failed;
  return findPage(call, { problem, status });
}

/** Takes the digits of the mail. */
export async function enterByCode(call: PublicCall): Promise<Answer> {
  const tongue = tongueOf(call);
  const { words } = tongue;
  const sent = await formOf(call, formsOf(call, ""));
  if (sent === null) return findPage(call, { problem: words.notTaken, status: 403 });
  const typed = {
    email: field(sent, "email"),
    confirmation_code: field(sent, "confirmation_code"),
  };
  const body = { ...typed, code: field(sent, "code").replace(/\s/g, "") };
  return enter(call, tongue, body, (said) => sentPage(call, tongue, typed, said));
}

/** A link of a mail: programs that look at links get a button and use nothing up. */
export function enterPage(call: PublicCall, said: Said = {}): Promise<Answer> {
  const token = call.query.get("t") ?? "";
  return buttonPage(call, token, said);
}

function buttonPage(call: PublicCall, token: string, { problem, status }: Said): Promise<Answer> {
  const tongue = tongueOf(call);
  const { words } = tongue;
  const main = (
    <>
      <h1>{words.findTitle}</h1>
      <Problem text={problem} />
      <p>{words.enterIntro}</p>
      <GuestForm call={call} tongue={tongue} to={ENTER} secret="">
        <input type="hidden" name="token" value={token} />
        <button type="submit">{words.show}</button>
      </GuestForm>
    </>
  );
  const more = { at: ENTER, kept: { t: token }, headers: NO_REFERRER };
  return shown(call, tongue, { main, ...more, ...(status !== undefined && { status }) });
}

/** Uses the link. */
export async function enterByLink(call: PublicCall): Promise<Answer> {
  const tongue = tongueOf(call);
  const { words } = tongue;
  const sent = await formOf(call, formsOf(call, ""));
  if (sent === null) return findPage(call, { problem: words.notTaken, status: 403 });
  const body = { token: field(sent, "token") };
  return enter(call, tongue, body, (said) => findPage(call, said));
}

/** Starts the session in place of the one that the browser has. */
async function enter(
  call: PublicCall,
  tongue: Tongue,
  body: object,
  refused: (said: Said) => Promise<Answer>,
): Promise<Answer> {
  const { words } = tongue;
  if (!isSecure(call)) return refused({ problem: words.notSecure, status: 403 });
  const started = await ask<{ session_secret: string }>(call, "", {
    id: "start_guest_session",
    body,
  });
  if (!started.ok) {
    const { status, code } = started.fault;
    const isBad = code === "unauthenticated" || code === "validation_failed";
    const problem = isBad ? words.badLink : words.failed;
    return refused({ problem, status: isBad ? 403 : status });
  }
  const before = COOKIE.valueIn(call.request);
  if (before !== null) await ask(call, before, { id: "end_guest_session" });
  const cookie = COOKIE.set(started.data.session_secret, GUEST_SESSION_TTL_MS / 1_000);
  return goTo(tongue, STAY, { "set-cookie": cookie });
}
