/** Pages: HTML in the common frame, with a closed policy. */
import { assetUrl } from "../pages/assets.ts";
import { documentOf, type Page, rootPath } from "../pages/frame.ts";
import type { Document, PageView } from "./answer.ts";
import type { Asked } from "./call.ts";
import { renderDocument } from "./render-document.ts";

/** Start of every page's policy. */
export const CLOSED =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The default policy. */
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

/** The page for an unknown address; not cached, because it may exist later. */
export function renderMissing(call: Asked): Promise<Response> {
  const page = missingPage(rootPath(call.context.config));
  const headers = { "cache-control": "no-store" };
  return renderPage(call, { ok: true, page, status: 404, headers });
}

/** `root` is from `rootPath`. */
function missingPage(root: string): Page {
  const main = `<div class="missing">
<p class="number" aria-hidden="true">404</p>
<h1>There is no such page</h1>
<p class="lead">The address may be mistyped, or what was here has gone. These are here:</p>
<ul>
<li><a href="${root}/">The front page</a></li>
<li><a href="${root}/docs">The reference</a>: every call, to be tried</li>
<li><a href="${root}/docs/guides">The guides</a>, from a first booking to a front desk</li>
<li><a href="${root}/docs/errors">The errors</a>, and what to do about each</li>
</ul>
</div>`;
  const head = '<meta name="robots" content="noindex">';
  return { title: "No such page · Innkeep", description: "There is no such page.", head, main };
}

/** Maximum number of parsed types. */
const TYPES_MAX = 40;

/** The explicit weight of a type in `Accept` (RFC 9110 §12.5.1); 0 if absent. */
function weightOf(accept: string, type: string): number {
  for (const part of accept.toLowerCase().split(",").slice(0, TYPES_MAX)) {
    const [name = "", ...parameters] = part.split(";").map((each) => each.trim());
    if (name !== type) continue;
    const q = parameters.find((each) => each.startsWith("q="))?.slice(2);
    const weight = q === undefined ? 1 : Number.parseFloat(q);
    return weight >= 0 && weight <= 1 ? weight : 0;
  }
  return 0;
}

/**
 * True when HTML is named with a higher weight than JSON. `*\/*`, no `Accept` and equal weights
 * mean JSON: what programs send.
 */
export function wantsPage({ method, headers }: Pick<Request, "method" | "headers">): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const accept = headers.get("accept") ?? "";
  return weightOf(accept, "text/html") > weightOf(accept, "application/json");
}
