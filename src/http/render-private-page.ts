/**
 * Pages for people who are signed in. Unlike public pages they are readable by no other origin and
 * kept by no cache, and their forms lead to this service only.
 */

import { assetUrl } from "../pages/assets.ts";
import { framedText } from "../pages/document.tsx";
import { refusalPage } from "../pages/fault-pages.tsx";
import { rootPath } from "../pages/frame.ts";
import { REFUSALS, retryAfter } from "../refusals/catalogue.ts";
import type { OauthRefusal, PrivatePage, Refusal } from "./answer.ts";
import type { Asked } from "./call.ts";
import { coded } from "./compress.ts";
import { SECURITY_HEADERS } from "./headers.ts";

/**
 * `form-action` also stops the redirect that follows a form. `same-origin` as referrer: under
 * `no-referrer` browsers send `Origin: null` with a form, and a check of the origin would refuse
 * everybody.
 */
const HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
};

function policyOf(formsLeadTo: string | null): string {
  const targets = formsLeadTo === null ? "'self'" : `'self' ${formsLeadTo}`;
  return (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:; " +
    `connect-src 'self'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`
  );
}

/** The page, or a 303 to another one. */
export function renderPrivatePage(
  { request }: Pick<Asked, "request">,
  { show, status = 200, headers: own, hasSecret = false, formsLeadTo = null }: PrivatePage,
): Response | Promise<Response> {
  const policy = { "content-security-policy": policyOf(formsLeadTo) };
  const headers = new Headers({ ...HEADERS, ...policy, ...own });
  if ("html" in show && hasSecret) return new Response(show.html, { status, headers });
  if ("html" in show) return coded(request, show.html, { status, headers });
  headers.delete("content-type");
  headers.set("location", show.location);
  return new Response(null, { status: 303, headers });
}

/** A refusal before the page was reached, such as too many requests, for a person to read. */
export async function renderPrivateRefusal(
  call: Asked,
  refusal: Refusal | OauthRefusal,
): Promise<Response> {
  const root = rootPath(call.context.config);
  const code = "code" in refusal ? refusal.code : "validation_failed";
  const { status: ofCode, message } = REFUSALS[code];
  const waitS = "code" in refusal ? retryAfter(code, refusal.retry_after) : null;
  const html = framedText(
    refusalPage({ message, waitS, traceId: call.traceId }),
    root,
    await assetUrl("pages.css", root),
  );
  const headers = {
    ...refusal.headers,
    ...(waitS !== null && { "retry-after": String(waitS) }),
  };
  const status = refusal.status ?? ofCode;
  return renderPrivatePage(call, { ok: true, show: { html }, status, headers });
}
