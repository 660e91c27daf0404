/** The page of a guide with the list of guides and its headings; and the index. */
import { Crumbs, Prose, Table } from "../../page-parts/parts.tsx";
import { assetUrl } from "../../pages/assets.ts";
import { TrustedPlace } from "../../pages/document.tsx";
import type { Page } from "../../pages/frame.ts";
import { guideHtml } from "./guide-html.ts";
import { GUIDE_NAMES, type Guide, guide } from "./guides.ts";

/** Page of one guide. */
export async function guidePage(shown: Guide, root: string): Promise<Page> {
  const { name, title, lead, markdown } = shown;
  const all = await Promise.all(GUIDE_NAMES.map(guide));
  const html = guideHtml(markdown, root);
  const restAt = html.search(/<h2 /);
  const [opening, rest] = restAt < 0 ? [html, ""] : [html.slice(0, restAt), html.slice(restAt)];
  const main = (
    <div class="columns">
      <div class="text">
        <Crumbs to={`${root}/docs/guides`}>Guides</Crumbs>
        <TrustedPlace name="opening" />
      </div>
      <nav class="toc" aria-labelledby="toc">
        <h2 id="toc">On this page</h2>
        <ul>
          <TrustedPlace name="headings" />
        </ul>
      </nav>
      <div class="text">
        <TrustedPlace name="rest" />
        {turnOf(all, shown, root)}
      </div>
      {listOf(all, shown, root)}
    </div>
  );
  return {
    title: `${title} · Innkeep guides`,
    description: lead,
    main,
    trusted: { opening, headings: headingsOf(html), rest },
    layout: "wide",
    alternate: { href: `${root}/docs/guides/${name}.md`, type: "text/markdown" },
    scripts: [await assetUrl("copy.js", root)],
  };
}

/** The headings of the guide. */
function headingsOf(html: string): string {
  const items = [...html.matchAll(/<h([23]) id="([^"]+)">(.*?)<\/h\1>/gs)].map((found) => {
    const [, level, id, text = ""] = found;
    const deeper = level === "3" ? ' class="deeper"' : "";
    return `<li${deeper}><a href="#${id}">${text.replace(/<\/?a\b[^>]*>/g, "")}</a></li>`;
  });
  return items.join("");
}

function linkTo({ name, title }: Guide, root: string, isCurrent = false) {
  return (
    <a href={`${root}/docs/guides/${name}`} aria-current={isCurrent ? "page" : undefined}>
      {title}
    </a>
  );
}

function listOf(all: readonly Guide[], shown: Guide, root: string) {
  return (
    <nav class="all" aria-labelledby="all">
      <h2 id="all">Guides</h2>
      <ul>
        {all.map((each) => (
          <li>{linkTo(each, root, each.name === shown.name)}</li>
        ))}
      </ul>
    </nav>
  );
}

/** The guides before and after this one. */
function turnOf(all: readonly Guide[], shown: Guide, root: string) {
  const at = all.findIndex(({ name }) => name === shown.name);
  const to = (label: string, each: Guide | undefined) =>
    each && (
      <span>
        <small>{label}</small>
        {linkTo(each, root)}
      </span>
    );
  return (
    <nav class="turn" aria-label="Other guides">
      {to("Before", all[at - 1])}
      {to("Next", all[at + 1])}
    </nav>
  );
}

/** Index of all guides. */
export async function guideIndex(root: string): Promise<Page> {
  const guides = await Promise.all(GUIDE_NAMES.map(guide));
  const description = "How to work with the service, and on it.";
  const main = (
    <>
      <h1>Guides</h1>
      <p class="lead">{description}</p>
      <div class="index">
        <Table
          columns={[
            { head: "Guide", cell: (each: Guide) => linkTo(each, root) },
            { head: "About", cell: ({ lead }) => <Prose text={lead} /> },
          ]}
          rows={guides}
        />
      </div>
    </>
  );
  return { title: "Guides · Innkeep", description, main };
}
