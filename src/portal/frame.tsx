/** The page around what a guest sees: no script, and a link for each language. */
import type { ComponentChildren, VNode } from "preact";
import { hmacHex } from "../access/privacy/personal-data.ts";
import type { PrivatePage } from "../http/answer.ts";
import type { PublicCall } from "../http/call.ts";
import { LANGUAGES } from "../languages/languages.ts";
import { renderedPlain } from "../page-parts/document.tsx";
import { KEY_FIELD, type SessionForms, TOKEN_FIELD, tokenOf } from "../page-parts/form.ts";
import { NO_SCRIPT } from "../page-parts/page-contract.ts";
import { Fault } from "../page-parts/parts.tsx";
import { rootPath } from "../pages/frame.ts";
import type { Tongue } from "./tongue.ts";

/** Of pages with a token in their address. */
export const NO_REFERRER = { "referrer-policy": "no-referrer" };

const SESSION_BYTES = 16;

export interface PageOf {
  readonly main: VNode;
  /** Path that shows the page: not always that of the form that it answers. */
  readonly at: string;
  /** Query that the links of the languages keep. */
  readonly kept?: Readonly<Record<string, string>>;
  readonly isTest?: boolean;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page; its title has nothing of the guest. */
export async function shown(call: PublicCall, tongue: Tongue, page: PageOf): Promise<PrivatePage> {
  const { main, at, kept = {}, isTest = false, status = 200, headers } = page;
  const { words, language: lang } = tongue;
  const root = rootPath(call.context.config);
  const body = (
    <>
      {main}
      <Languages path={root + at} kept={kept} tongue={tongue} />
    </>
  );
  const title = words.title;
  const test = isTest && words.test;
  const html = await renderedPlain(root, { title, main: body, isTest: test, lang });
  return { ok: true, show: { html }, status, headers: { ...NO_SCRIPT, ...headers } };
}

/** To another page of the guest. */
export function goTo(
  tongue: Tongue,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): PrivatePage {
  return { ok: true, show: { location: tongue.to(path) }, headers: { ...NO_SCRIPT, ...headers } };
}

interface LanguagesOf {
  readonly path: string;
  readonly kept: Readonly<Record<string, string>>;
  readonly tongue: Tongue;
}

function Languages({ path, kept, tongue: { language, shared } }: LanguagesOf) {
  return (
    <nav class="languages" aria-label={shared.language}>
      {Object.entries(LANGUAGES).map(([lang, { name }]) => (
        <a
          href={`${path}?${new URLSearchParams({ ...kept, lang })}`}
          lang={lang}
          hreflang={lang}
          aria-current={lang === language ? "true" : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

/** The forms of a session, which their tokens name without its secret. */
export function formsOf({ context }: Pick<PublicCall, "context">, secret: string): SessionForms {
  const text = JSON.stringify(["guest-page", secret]);
  return { kind: "guest", session: hmacHex(context.keys.hmac, text, SESSION_BYTES) };
}

interface GuestFormOf {
  readonly call: PublicCall;
  readonly tongue: Tongue;
  readonly to: string;
  /** The session's secret; empty before there is a session. */
  readonly secret: string;
  readonly isCard?: boolean;
  readonly children: ComponentChildren;
}

/** A form that leads to `to`, with its token and key. */
export function GuestForm({ call, tongue, to, secret, isCard = true, children }: GuestFormOf) {
  const of = { ...formsOf(call, secret), path: to };
  return (
    <form method="post" action={tongue.to(to)} class={isCard ? "card" : undefined}>
      <input type="hidden" name={TOKEN_FIELD} value={tokenOf(call.context.keys.hmac, of)} />
      <input type="hidden" name={KEY_FIELD} value={crypto.randomUUID()} />
      {children}
    </form>
  );
}

/** What did not work, before the rest of the page. */
export function Problem({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : <Fault>{text}</Fault>;
}
