/** The page of a guide with the list of guides and its headings; and the index. */
import { copyButtons } from "../../pages/assets.ts";
import { escaped, type Page, prose, table } from "../../pages/frame.ts";
import { GUIDE_NAMES, type Guide, guide } from "./guides.ts";
import { withDarkPictures } from "./pictures.ts";

/** Markdown as HTML; embedded HTML is escaped. `root` is from `rootPath`. */
export function htmlOf(markdown: string, root: string): string {
  const html = Bun.markdown.html(markdown, {
    headings: { ids: true },
    noHtmlBlocks: true,
    noHtmlSpans: true,
  });
  return withDarkPictures(html, root)
    .replaceAll('href="/', `href="${root}/`)
    .replaceAll("<pre><code", '<pre tabindex="0"><code')
    .replace(/<table>.*?<\/table>/gs, (found) => {
      const [heads = [], ...rows] = [...found.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
        [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => cell),
      );
      return table(heads, rows);
    });
}

/** Page of one guide. */
export async function guidePage(shown: Guide, root: string): Promise<Page> {
  const { name, title, lead, markdown } = shown;
  const all = await Promise.all(GUIDE_NAMES.map(guide));
  const html = htmlOf(markdown, root);
  const restAt = html.search(/<h2 /);
  const [opening, rest] = restAt < 0 ? [html, ""] : [html.slice(0, restAt), html.slice(restAt)];
  const main = `<div class="columns">
<div class="text">
<p class="crumbs"><a href="${root}/docs/guides">Guides</a></p>
${opening}</div>
${tocOf(html)}
<div class="text">
${rest}
${turnOf(all, shown, root)}
</div>
${listOf(all, shown, root)}
</div>`;
  const alternate = { href: `${root}/docs/guides/${name}.md`, type: "text/markdown" };
  const head = await copyButtons(root);
  const layout = "wide";
  return { title: `${title} · Innkeep guides`, description: lead, head, main, layout, alternate };
}

/** The headings of the guide. */
function tocOf(html: string): string {
  const items = [...html.matchAll(/<h([23]) id="([^"]+)">(.*?)<\/h\1>/gs)].map((found) => {
    const [, level, id, text = ""] = found;
    const deeper = level === "3" ? ' class="deeper"' : "";
    return `<li${deeper}><a href="#${id}">${text.replace(/<\/?a\b[^>]*>/g, "")}</a></li>`;
  });
  return `<nav class="toc" aria-labelledby="toc"><h2 id="toc">On this page</h2>
<ul>${items.join("\n")}</ul></nav>`;
}

function linkTo({ name, title }: Guide, root: string, more = ""): string {
  return `<a href="${root}/docs/guides/${name}"${more}>${escaped(title)}</a>`;
}

function listOf(all: readonly Guide[], shown: Guide, root: string): string {
  const items = all.map((each) => {
    return `<li>${linkTo(each, root, each.name === shown.name ? ' aria-current="page"' : "")}</li>`;
  });
  return `<nav class="all" aria-labelledby="all"><h2 id="all">Guides</h2>
<ul>${items.join("\n")}</ul></nav>`;
}

/** The guides before and after this one. */
function turnOf(all: readonly Guide[], shown: Guide, root: string): string {
  const at = all.findIndex(({ name }) => name === shown.name);
  const [before, after] = [all[at - 1], all[at + 1]];
  const previous = before ? `<span><small>Before</small>${linkTo(before, root)}</span>` : "";
  const next = after ? `<span><small>Next</small>${linkTo(after, root)}</span>` : "";
  return `<nav class="turn" aria-label="Other guides">${previous}${next}</nav>`;
}

/** Index of all guides. */
export async function guideIndex(root: string): Promise<Page> {
  const guides = await Promise.all(GUIDE_NAMES.map(guide));
  const rows = guides.map(({ name, title, lead }) => {
    return [`<a href="${root}/docs/guides/${name}">${escaped(title)}</a>`, prose(lead)];
  });
  const main = `<h1>Guides</h1>
<p class="lead">How to work with the service, and on it.</p>
<div class="index">
${table(["Guide", "About"], rows)}
</div>`;
  return {
    title: "Guides · Innkeep",
    description: "How to work with the service, and on it.",
    main,
  };
}
