/** Pages: HTML in the common frame, with a closed policy. */
import type { Config } from "../config.ts";
import { assetUrl } from "../pages/assets.ts";
import { framedText } from "../pages/document.tsx";
import { missingPage } from "../pages/fault-pages.tsx";
import { rootPath } from "../pages/frame.ts";
import type { Document, PageView } from "./answer.ts";
import type { Asked } from "./call.ts";
import { renderDocument } from "./render-document.ts";

/** Start of every page's policy. */
export const CLOSED =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The default policy. */
export const POLICY = `${CLOSED}; style-src 'self'; img-src 'self'`;

/** Documents of fixed pages, by their names. */
const made = new WeakMap<Config, Map<string, string>>();

async function documentOf({ config }: Asked["context"], page: PageView["page"]): Promise<string> {
  const root = rootPath(config);
  const style = await assetUrl("pages.css", root);
  if (!("make" in page)) return framedText(page, root, style);
  const known = made.get(config) ?? new Map<string, string>();
  made.set(config, known);
  const text = known.get(page.name) ?? framedText(await page.make(), root, style);
  known.set(page.name, text);
  return text;
}

/** The whole document. */
export async function renderPage(call: Asked, view: PageView | Document): Promise<Response> {
  if ("content" in view) return renderDocument(call, view);
  const { page, policy = POLICY, status, headers: own } = view;
  const content = await documentOf(call.context, page);
  const headers = { "content-security-policy": policy, ...own };
  const type = "text/html; charset=utf-8";
  return renderDocument(call, { ok: true, content, type, headers, ...(status && { status }) });
}

/** The page for an unknown address; not cached, because it may exist later. */
export function renderMissing(call: Asked): Promise<Response> {
  const make = () => missingPage(rootPath(call.context.config));
  const headers = { "cache-control": "no-store" };
  return renderPage(call, { ok: true, page: { name: "missing", make }, status: 404, headers });
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
