/** The reference at `/docs` and the pages behind every error's `docs_url`. */

import type { PublicCall, PublicRoute } from "../http/call.ts";
import { bad, published } from "../http/respond.ts";
import { ASSET_MAX_AGE_S, asset, assetUrl, isAsset } from "../pages/assets.ts";
import { documentOf, type Page, rootPath } from "../pages/frame.ts";
import { ERROR_CODES } from "../refusals/catalogue.ts";
import { errorFacts } from "./error-facts.ts";
import { errorMarkdown } from "./error-markdown.ts";
import { errorIndex, errorPage } from "./error-page.ts";
import { referencePage } from "./reference-page.ts";

const HTML = "text/html; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";
const CLOSED = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PAGE_POLICY = `${CLOSED}; style-src 'self'; img-src 'self'`;
/** Swagger UI sets styles as it goes, draws icons from data and fetches the document. */
const REFERENCE_POLICY =
  `${CLOSED}; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; ` +
  "connect-src 'self'";

async function page(call: PublicCall, content: Page, policy = PAGE_POLICY): Promise<Response> {
  const root = rootPath(call.deps.config);
  const html = documentOf(content, root, await assetUrl("pages.css", root));
  return published(call, html, { type: HTML, headers: { "content-security-policy": policy } });
}

async function reference(call: PublicCall): Promise<Response> {
  const { config } = call.deps;
  const root = rootPath(config);
  const content = referencePage(config, {
    styles: await assetUrl("swagger-ui.css", root),
    ownStyles: await assetUrl("reference.css", root),
    viewer: await assetUrl("swagger-ui-bundle.js", root),
    start: await assetUrl("reference.js", root),
  });
  return page(call, content, REFERENCE_POLICY);
}

/** `{code}` is the page, `{code}.md` the same as Markdown. */
function error(call: PublicCall): Response | Promise<Response> {
  const { config, routes } = call.deps;
  const asked = call.params.code ?? "";
  const isMarkdown = asked.endsWith(".md");
  const name = isMarkdown ? asked.slice(0, -".md".length) : asked;
  const code = ERROR_CODES.find((each) => each === name);
  if (!code) return unknown(call, "/code", "a code of GET /.well-known/errors");
  const facts = errorFacts(code, routes);
  if (isMarkdown) return published(call, errorMarkdown(facts), { type: MARKDOWN });
  return page(call, errorPage(facts, rootPath(config)));
}

async function file(call: PublicCall): Promise<Response> {
  const name = call.params.file ?? "";
  if (!isAsset(name)) return unknown(call, "/file", "a file that a page of /docs names");
  const { content, type } = await asset(name);
  return published(call, content, { type, maxAgeS: ASSET_MAX_AGE_S });
}

function unknown(call: PublicCall, path: string, expected: string): Response {
  const field_errors = [{ path, message: "is unknown", expected }];
  return bad(call, { code: "validation_failed", status: 404, detail: { field_errors } });
}

const GET = { method: "GET", access: "public" } as const;

export const docsRoutes: readonly PublicRoute[] = [
  { ...GET, path: "/docs", handle: reference },
  {
    ...GET,
    path: "/docs/errors",
    handle: (call) => page(call, errorIndex(rootPath(call.deps.config))),
  },
  { ...GET, path: "/docs/errors/:code", handle: error },
  { ...GET, path: "/docs/assets/:file", handle: file },
];
