/**
 * Routes of the console: a page is shown to who is signed in, a form is taken from a page of ours
 * with the token of its session. Everybody else is led to the sign-in.
 */
import type { PrivatePage, Refusal, Verbatim } from "../../http/answer.ts";
import { BODY_BYTES_MAX } from "../../http/body.ts";
import type { PublicCall } from "../../http/call.ts";
import type { AddressLimit, Parameter, QueryParameter } from "../../http/contract.ts";
import { type Route, route } from "../../http/route.ts";
import { renderedPlain } from "../../page-parts/document.tsx";
import { PERSON_PAGE } from "../../page-parts/page-contract.ts";
import { rootPath } from "../../pages/frame.ts";
import { openErrorOf } from "./api.ts";
import { type Form, hasToken, isOfOurPages, readForm } from "./form.ts";
import { rendered } from "./frame.tsx";
import { hasFields, noOutcome, notOfSession, SignedOut } from "./kept-form.tsx";
import { notTaken } from "./not-taken.tsx";
import type { Gone, Left, Shown } from "./shown.ts";
import { withProof } from "./step-up.tsx";
import { type Visit, visitOf } from "./visit.ts";

export { textQuery } from "../../page-parts/page-contract.ts";

/** For visitors that are not signed in; others are limited by their credential. */
const LIMIT: AddressLimit = { name: "console", perMinute: 600 };

/** Of a calendar of many rooms, from a browser without script, and of an import. */
export const LARGE_FORM_BYTES_MAX = 2 * 1024 * 1024;

interface About<Path extends string> {
  readonly id: string;
  readonly path: Path;
  readonly summary: string;
  readonly params?: Readonly<Record<string, Parameter>>;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** Where the answer to a form of the page may lead besides the console. */
  readonly formsLeadTo?: (call: PublicCall<unknown, Names<Path>>) => string | null;
}

/** Members that all routes of the console have. */
export const CONSOLE_PAGE = { ...PERSON_PAGE, tag: "Documentation", addressLimit: LIMIT } as const;

type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type Answer = PrivatePage | Verbatim | Refusal;

function leadingTo(target: string | null, answer: Answer): Answer {
  return target !== null && "show" in answer ? { ...answer, formsLeadTo: target } : answer;
}

/** A page. */
export function page<const Path extends string>(
  { formsLeadTo = () => null, ...about }: About<Path>,
  show: (visit: Visit<Names<Path>>) => Promise<Shown | Gone | Verbatim | Refusal>,
): Route {
  return route({
    ...CONSOLE_PAGE,
    ...about,
    method: "GET",
    readsReplica: true,
    handle: async (asked) => {
      const call = asked as PublicCall<unknown, Names<Path>>;
      const answer = await withVisit(call, async (visit) => answerOf(visit, await show(visit)));
      return leadingTo(formsLeadTo(call), answer);
    },
  });
}

interface AboutForm<Path extends string> extends About<Path> {
  /** As the body of an API call by default. */
  readonly bytesMax?: number;
}

/** What a form does. */
export function form<const Path extends string>(
  { bytesMax = BODY_BYTES_MAX, formsLeadTo = () => null, ...about }: AboutForm<Path>,
  act: (visit: Visit<Names<Path>>, sent: Form) => Promise<Shown | Gone | Left | Refusal>,
): Route {
  return route({
    ...CONSOLE_PAGE,
    ...about,
    method: "POST",
    reads: "stream",
    readsReplica: true,
    handle: async (asked) => {
      const call = asked as PublicCall<unknown, Names<Path>>;
      const answer = await withVisit(
        call,
        async (visit) => {
          const sent = await sentByOurPages(call, bytesMax);
          if (sent === null) return answerOf(visit, notTaken());
          if (!hasToken(call, visit.session, sent)) {
            return answerOf(visit, notOfSession(visit, sent));
          }
          const proved = await withProof(visit, sent);
          if ("ok" in proved) return proved;
          const shown = await act(proved, sent);
          const open = openErrorOf(proved);
          return answerOf(proved, open ? noOutcome(proved, sent, open) : shown);
        },
        () => keptSignedOut(call, bytesMax),
      );
      // The pages that keep a form send it again.
      return leadingTo(formsLeadTo(call), answer);
    },
  });
}

async function sentByOurPages(call: PublicCall, bytesMax: number): Promise<Form | null> {
  const sent = await readForm(call, bytesMax);
  return isOfOurPages(call) ? sent : null;
}

/** What was typed is not lost with the session. */
async function keptSignedOut(call: PublicCall, bytesMax: number): Promise<PrivatePage> {
  const sent = await sentByOurPages(call, bytesMax);
  if (sent === null || !hasFields(sent)) return toSignIn(call);
  const root = rootPath(call.context.config);
  const main = SignedOut({ root, path: call.path, sent });
  const html = await renderedPlain(root, { title: "Signed out", main });
  return { ok: true, show: { html }, status: 403 };
}

async function withVisit<Name extends string>(
  call: PublicCall<unknown, Name>,
  work: (visit: Visit<Name>) => Promise<Answer>,
  withoutSession: () => Promise<Answer> | Answer = () => toSignIn(call),
): Promise<Answer> {
  const visit = await visitOf(call);
  if (visit === null) return withoutSession();
  return "ok" in visit ? visit : work(visit);
}

/** The sign-in leads back to the page that was asked for. */
function toSignIn({ context, method, path }: PublicCall): PrivatePage {
  const back = method === "GET" ? `?${new URLSearchParams({ to: path })}` : "";
  const location = `${rootPath(context.config)}/console/sign-in${back}`;
  return { ok: true, show: { location } };
}

async function answerOf(
  visit: Visit,
  shown: Shown | Gone | Left | Verbatim | Refusal,
): Promise<Answer> {
  if ("ok" in shown) return shown;
  if ("leaveFor" in shown) return { ok: true, show: { location: shown.leaveFor } };
  if ("goTo" in shown) {
    const { goTo, headers = {} } = shown;
    return { ok: true, show: { location: visit.root + goTo }, headers };
  }
  const { status = 200, hasSecret = false } = shown;
  return { ok: true, show: { html: await rendered(visit, shown) }, status, hasSecret };
}
