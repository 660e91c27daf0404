/**
 * The API reference: the OpenAPI document as Scalar shows it, with samples that `reference.js`
 * makes right for this installation. In a demo that script has a key for each visitor.
 */
import type { Config } from "../config.ts";
import { type Page, rootPath } from "../pages/frame.ts";

/** What the page loads besides the common style sheet, as addresses. */
export interface ReferenceAssets {
  readonly styles: string;
  readonly viewer: string;
  readonly start: string;
}

/** The page at `/docs`. `isDemo`: visitors may have a key of their own. */
export function referencePage(config: Config, assets: ReferenceAssets, isDemo: boolean): Page {
  const root = rootPath(config);
  const visitors = isDemo ? ` data-visitors="${root}/demo/visitors"` : "";
  const main = `<div id="reference" data-url="${root}/openapi.json"${visitors}></div>
<noscript><h1>Innkeep API</h1><p class="lead">The reference is shown by a script. Without one, read
<a href="${root}/openapi.yaml">the OpenAPI document</a>, <a href="${root}/llms-full.txt">every call as
text</a> or <a href="${root}/docs/guides">the guides</a>.</p></noscript>`;
  const head = `<link rel="stylesheet" href="${assets.styles}">
<script src="${assets.viewer}" defer></script>
<script src="${assets.start}" defer></script>`;
  const description = "Search, quote, hold, book and cancel hotel rooms: every operation.";
  return { title: "Innkeep API reference", description, head, main, layout: "full" };
}
