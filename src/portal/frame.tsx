/** The page around what a guest sees, and its forms. */
import type { ComponentChildren, VNode } from "preact";
import { hmacHex } from "../access/privacy/personal-data.ts";
import type { PrivatePage } from "../http/answer.ts";
import type { PublicCall } from "../http/call.ts";
import { KEY_FIELD, type SessionForms, TOKEN_FIELD, tokenOf } from "../page-parts/form.ts";
import { NO_SCRIPT } from "../page-parts/page-contract.ts";
import { Fault } from "../page-parts/parts.tsx";
import { renderedIn } from "../page-parts/translated.tsx";
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
  const { title } = tongue.words;
  const root = rootPath(call.context.config);
  const html = await renderedIn(root, tongue, { title, main, isTest, path: at, kept });
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
