/** Pages: HTML in the frame that all pages have, with a policy that lets nothing else in. */
import { assetUrl } from "../pages/assets.ts";
import { documentOf, rootPath } from "../pages/frame.ts";
import { missingPage } from "../pages/missing-page.ts";
import type { Document, PageView } from "./answer.ts";
import type { Asked } from "./call.ts";
import { renderDocument } from "./render-document.ts";

/** What every page's policy starts with. */
export const CLOSED =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Of a page that says nothing else. */
export const POLICY = `${CLOSED}; style-src 'self'; img-src 'self'`;

/** The whole document. */
export async function renderPage(call: Asked, view: PageView | Document): Promise<Response> {
  if ("content" in view) return renderDocument(call, view);
  const { page, policy = POLICY, status, headers: own } = view;
  const root = rootPath(call.context.config);
  const content = documentOf(page, root, await assetUrl("pages.css", root));
  const headers = { "content-security-policy": policy, ...own };
  const type = "text/html; charset=utf-8";
  return renderDocument(call, { ok: true, content, type, headers, ...(status && { status }) });
}

/** The page that tells a person that nothing is at an address; tomorrow there may be. */
export function renderMissing(call: Asked): Promise<Response> {
  const page = missingPage(rootPath(call.context.config));
  const headers = { "cache-control": "no-store" };
  return renderPage(call, { ok: true, page, status: 404, headers });
}
