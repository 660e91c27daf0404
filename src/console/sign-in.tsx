/** Sign-in with an operator's secret or a one-time link, and sign-out. */
import { authenticate, refusalOf } from "../access/auth/bearer.ts";
import type { ConsoleSession } from "../access/control/console-sessions.ts";
import type { PrivatePage, Refusal } from "../http/answer.ts";
import { BODY_BYTES_MAX } from "../http/body.ts";
import type { PublicCall } from "../http/call.ts";
import { route } from "../http/route.ts";
import { isSecure } from "../page-parts/cookie.ts";
import { renderedPlain } from "../page-parts/document.tsx";
import { rootPath } from "../pages/frame.ts";
import { CONSOLE_PAGE, form } from "./frame/console-route.ts";
import { cookieOf, NO_COOKIE, sessionIdOf } from "./frame/cookie.ts";
import { isOfOurPages, readForm } from "./frame/form.ts";
import { Fault } from "./frame/parts.tsx";
import { PasskeyFields, passkeyOptions, personShown } from "./frame/passkey.tsx";

/** Attempts from one IP address. */
const ATTEMPTS = { name: "console_sign_in", perMinute: 10 } as const;
const SIGN_IN = "/console/sign-in";
const ENTER = "/console/enter";
/** One text for every failure, so that it tells nothing about a secret. */
const FAILED = "No operator can sign in with that.";
const SIGNED_IN =
  "This browser is signed in as another operator. Sign out first, then get another link.";
const NOT_SECURE =
  "Signing in needs https: a browser keeps the session of a plain connection only on localhost.";

const SIGNING_IN = { purpose: "sign_in", session: "" } as const;

/** Paths of the console to return to; nothing that leads elsewhere. */
const RETURN_TO = /^\/console(?:\/[\w-]+)*$/;

interface Shown {
  readonly to?: string;
  readonly problem?: string;
}

interface SignInOf extends Shown {
  readonly root: string;
  /** Of the script of passkeys. */
  readonly options: string;
}

function SignIn({ root, to, problem, options }: SignInOf) {
  return (
    <>
      <h1>Innkeep console</h1>
      {problem !== undefined && <Fault>{problem}</Fault>}
      <form method="post" action={root + SIGN_IN} class="card">
        <label>
          Operator's secret
          <input type="password" name="secret" required autocomplete="current-password" />
        </label>
        {to !== undefined && <input type="hidden" name="to" value={to} />}
        <button type="submit">Sign in</button>
      </form>
      <form
        method="post"
        action={`${root}${SIGN_IN}/passkey`}
        class="card"
        hidden
        data-passkey="get"
        data-options={options}
      >
        {to !== undefined && <input type="hidden" name="to" value={to} />}
        <PasskeyFields button="Enter with a passkey" />
      </form>
      <p class="faint">
        On the machine of the service, <code>npm run console</code> prints a link that signs in.
      </p>
    </>
  );
}

/** The code is in the fragment, which no server and no scanner of links sees; a script sends it. */
function Enter({ root, problem }: Shown & { readonly root: string }) {
  return (
    <>
      <h1>Innkeep console</h1>
      {problem !== undefined && <Fault>{problem}</Fault>}
      <form method="post" action={root + ENTER} class="card" id="enter">
        <label>
          Code: the part of the link after <code>#</code>
          <input name="code" required autocomplete="off" />
        </label>
        <button type="submit">Enter</button>
      </form>
    </>
  );
}

async function signInPage({ context, query }: PublicCall, problem?: string): Promise<PrivatePage> {
  const root = rootPath(context.config);
  const to = query.get("to");
  const shown = { ...(to !== undefined && { to }), ...(problem !== undefined && { problem }) };
  const html = await renderedPlain(root, {
    title: "Sign in",
    main: <SignIn root={root} options={passkeyOptions(context, SIGNING_IN)} {...shown} />,
    script: "passkey.js",
  });
  return { ok: true, show: { html }, ...(problem !== undefined && { status: 403 }) };
}

async function enterPage({ context }: PublicCall, problem?: string): Promise<PrivatePage> {
  const root = rootPath(context.config);
  const main = <Enter root={root} {...(problem !== undefined && { problem })} />;
  const html = await renderedPlain(root, { title: "Enter", main, script: "enter.js" });
  return { ok: true, show: { html }, ...(problem !== undefined && { status: 403 }) };
}

/** The session that the browser has already; null without one. */
function sessionOf({ context, request }: PublicCall): ConsoleSession | null {
  const id = sessionIdOf(request);
  return id === null ? null : context.consoleSessions.find(id, context.now());
}

/**
 * Starts a session of the caller in place of the one that the browser has, and goes to the
 * page that was asked for.
 */
function started(call: PublicCall, callerId: string, to?: string): PrivatePage {
  const { context } = call;
  const before = sessionOf(call);
  if (before) context.consoleSessions.end(before);
  const id = context.consoleSessions.open(callerId, context.now());
  const path = to !== undefined && RETURN_TO.test(to) ? to : "/console";
  const location = rootPath(context.config) + path;
  return { ok: true, show: { location }, headers: { "set-cookie": cookieOf(id) } };
}

async function signIn(call: PublicCall): Promise<PrivatePage | Refusal> {
  if (!isSecure(call)) return signInPage(call, NOT_SECURE);
  const sent = await readForm(call, BODY_BYTES_MAX);
  if (sent === null || !isOfOurPages(call)) return signInPage(call, FAILED);
  const { context } = call;
  const authorization = `Bearer ${(sent.get("secret") ?? "").trim()}`;
  const secrets = { control: context.control, accessTokens: null };
  const known = await authenticate(secrets, { authorization, nowMs: context.now() });
  if (!known.ok || known.principal.kind !== "operator") return signInPage(call, FAILED);
  return started(call, known.principal.credential_id, sent.get("to"));
}

/** By a passkey of a person who may be here now; the challenge of another session is none. */
async function signInByPasskey(call: PublicCall): Promise<PrivatePage | Refusal> {
  if (!isSecure(call)) return signInPage(call, NOT_SECURE);
  const sent = await readForm(call, BODY_BYTES_MAX);
  if (sent === null || !isOfOurPages(call)) return signInPage(call, FAILED);
  const { context } = call;
  const personId = personShown(context, SIGNING_IN, sent);
  const entry = personId === null ? undefined : context.control.credentialById(personId);
  if (personId === null || refusalOf(entry, context.now())) return signInPage(call, FAILED);
  return started(call, personId, sent.get("to"));
}

/** A link is opened from anywhere, so it must not exchange the operator unseen. */
async function enter(call: PublicCall): Promise<PrivatePage | Refusal> {
  if (!isSecure(call)) return enterPage(call, NOT_SECURE);
  const sent = await readForm(call, BODY_BYTES_MAX);
  if (sent === null || !isOfOurPages(call)) return enterPage(call, FAILED);
  const { consoleSessions, control, now } = call.context;
  const callerId = consoleSessions.takeCode((sent.get("code") ?? "").trim(), now());
  if (callerId === null) return enterPage(call, "The link was used before, or is too old.");
  const refusalFor = (id: string) => refusalOf(control.credentialById(id), now());
  const before = sessionOf(call)?.caller_id ?? callerId;
  if (before !== callerId && !refusalFor(before)) return enterPage(call, SIGNED_IN);
  const refused = refusalFor(callerId);
  return refused ? enterPage(call, FAILED) : started(call, callerId);
}

export const signInRoutes = [
  route({
    ...CONSOLE_PAGE,
    id: "console_sign_in_page",
    method: "GET",
    path: SIGN_IN,
    summary: "Sign in to the console",
    handle: (call) => signInPage(call),
  }),
  route({
    ...CONSOLE_PAGE,
    id: "console_sign_in",
    method: "POST",
    path: SIGN_IN,
    addressLimit: ATTEMPTS,
    reads: "stream",
    summary: "Sign in to the console",
    handle: signIn,
  }),
  route({
    ...CONSOLE_PAGE,
    id: "console_sign_in_by_passkey",
    method: "POST",
    path: `${SIGN_IN}/passkey`,
    addressLimit: ATTEMPTS,
    reads: "stream",
    summary: "Sign in to the console with a passkey",
    handle: signInByPasskey,
  }),
  route({
    ...CONSOLE_PAGE,
    id: "console_enter_page",
    method: "GET",
    path: ENTER,
    summary: "Enter the console by a link",
    handle: (call) => enterPage(call),
  }),
  route({
    ...CONSOLE_PAGE,
    id: "console_enter",
    method: "POST",
    path: ENTER,
    addressLimit: ATTEMPTS,
    reads: "stream",
    summary: "Enter the console by a link",
    handle: enter,
  }),
  form(
    { id: "console_sign_out", path: "/console/sign-out", summary: "Sign out of the console" },
    async ({ call, session }) => {
      call.context.consoleSessions.end(session);
      return { goTo: SIGN_IN, headers: { "set-cookie": NO_COOKIE } };
    },
  ),
];
