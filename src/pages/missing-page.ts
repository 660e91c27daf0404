/** The page of an address that leads nowhere, for people. */
import type { Page } from "./frame.ts";

/** `root` as `rootPath` gives it. */
export function missingPage(root: string): Page {
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
