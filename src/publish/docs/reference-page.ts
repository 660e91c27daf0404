/**
 * The API reference: a static list of all operations, which `reference.js` replaces by the OpenAPI
 * document in Scalar, with samples for this installation. In a demo the script has a key for each
 * visitor.
 */
import type { Config } from "../../config.ts";
import { type Contract, documentedPath, TAGS } from "../../http/contract.ts";
import { escaped, type Page, prose, rootPath } from "../../pages/frame.ts";

/** Addresses of the page's additional files. */
export interface ReferenceAssets {
  readonly styles: string;
  readonly viewer: string;
  readonly start: string;
}

/** The page at `/docs`. `isDemo`: visitors can get their own key. */
export function referencePage(
  config: Config,
  assets: ReferenceAssets,
  routes: readonly Contract[],
  isDemo: boolean,
): Page {
  const root = rootPath(config);
  const visitors = isDemo ? ` data-visitors="${root}/demo/visitors"` : "";
  const data = `data-url="${root}/openapi.json" data-viewer="${assets.viewer}"${visitors}`;
  const main = `<div id="reference" ${data}>
<div class="operations">
<h1>Innkeep API</h1>
<p class="lead">Every operation; schemas, samples and <em>Test Request</em> follow in a moment, by a
script. Without one, read <a href="${root}/openapi.yaml">the OpenAPI document</a>,
<a href="${root}/llms-full.txt">every call as text</a> or <a href="${root}/docs/guides">the
guides</a>.</p>
${Object.entries(TAGS)
  .map(([tag, about]) => operationsOf(tag, about, routes))
  .join("\n")}
</div>
</div>`;
  const head = `<link rel="stylesheet" href="${assets.styles}">
<script src="${assets.start}" defer></script>`;
  const description = "Search, quote, hold, book and cancel hotel rooms: every operation.";
  return { title: "Innkeep API reference", description, head, main, layout: "full" };
}

/** The operations of a tag, with the viewer's fragment ids. */
function operationsOf(tag: string, about: string, routes: readonly Contract[]): string {
  const own = routes.filter((each) => each.tag === tag);
  if (own.length === 0) return "";
  const place = tag.toLowerCase().replaceAll(" ", "-");
  const items = own.map((route) => {
    const { id, method, summary } = route;
    const call = `<code>${method} ${escaped(documentedPath(route))}</code>`;
    return `<li id="tag/${place}/${id}"><a href="#tag/${place}/${id}">${call}</a> ${escaped(summary)}</li>`;
  });
  return `<h2>${tag}</h2>\n<p>${prose(about)}</p>\n<ul>\n${items.join("\n")}\n</ul>`;
}
