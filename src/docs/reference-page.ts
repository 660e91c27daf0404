/** The API reference: an introduction, and the OpenAPI document shown by Swagger UI. */
import type { Config } from "../config.ts";
import { type Page, rootPath } from "../pages/frame.ts";

/** What the page loads besides the common style sheet, as addresses. */
export interface ReferenceAssets {
  readonly styles: string;
  readonly ownStyles: string;
  readonly viewer: string;
  readonly start: string;
}

const STEPS = [
  ["search", "POST", "/v1/search", "What can be held for these dates and guests?"],
  ["quote", "POST", "/v1/quotes", "Freeze the price and the cancellation terms."],
  ["hold", "POST", "/v1/holds", "Take the room out of sale for a short time."],
  ["book", "POST", "/v1/bookings", "Pay, and get a signed receipt."],
] as const;

/** The page at `/docs`. */
export function referencePage(config: Config, assets: ReferenceAssets): Page {
  const root = rootPath(config);
  const steps = STEPS.map(([id, method, path, words]) => {
    return `<li><b>${id}</b><code>${method} ${path}</code><span>${words}</span></li>`;
  });
  const main = `<h1>Innkeep API</h1>
<p class="lead">A booking backbone for hotel supply, made for autonomous agents.</p>
<ol class="flow">
${steps.join("\n")}
</ol>
<p>Every answer carries <code>next_actions</code>: calls that can be made next, with ready bodies.
Amounts are integers in minor units; lists are complete, or tell how to go on; a retry of a write carries the same
<code>Idempotency-Key</code>. When something fails, match on <code>error.code</code> and look it up
in <a href="${root}/docs/errors">the errors</a>. What happens is told as
<a href="${root}/docs/events">events</a>.</p>
<p>For programs: <a href="${root}/openapi.json">OpenAPI as JSON</a>,
<a href="${root}/openapi.yaml">as YAML</a>, <a href="${root}/llms.txt">llms.txt</a>,
<a href="${root}/.well-known/agent-card.json">the agent card</a>. To read on:
<a href="${root}/docs/guides">the guides</a>.</p>
<div id="reference" data-url="${root}/openapi.json"></div>
<noscript><p>The operations are shown by a script. Without one, read
<a href="${root}/openapi.yaml">the OpenAPI document</a>.</p></noscript>`;
  const head = `<link rel="stylesheet" href="${assets.styles}">
<link rel="stylesheet" href="${assets.ownStyles}">
<script src="${assets.viewer}" defer></script>
<script src="${assets.start}" defer></script>`;
  const description = "Search, quote, hold, book and cancel hotel rooms: every operation.";
  return { title: "Innkeep API reference", description, head, main };
}
