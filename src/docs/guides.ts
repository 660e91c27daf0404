/** Guides: Markdown files of a closed list, and the pages that are made of them. */
import { fileURLToPath } from "node:url";
import { escaped, type Page, prose, table } from "../pages/frame.ts";

/** The guides, by the names of their files in `guides/`. */
export const GUIDE_NAMES = [
  "webhooks",
  "following-events",
  "partner-feeds",
  "simulating-errors",
  "adding-things",
] as const;

export type GuideName = (typeof GUIDE_NAMES)[number];

export interface Guide {
  readonly name: GuideName;
  /** Its first heading. */
  readonly title: string;
  /** Its first paragraph. */
  readonly lead: string;
  readonly markdown: string;
}

const loaded = new Map<GuideName, Guide>();

/** True for the names of the list. */
export function isGuide(name: string): name is GuideName {
  return (GUIDE_NAMES as readonly string[]).includes(name);
}

/** A guide of the list; read once. */
export async function guide(name: GuideName): Promise<Guide> {
  const known = loaded.get(name);
  if (known) return known;
  const path = fileURLToPath(import.meta.resolve(`./guides/${name}.md`));
  const markdown = await Bun.file(path).text();
  const [heading = "", first = ""] = markdown.split("\n\n");
  const title = heading.replace(/^# /, "");
  const found = { name, title, lead: first.trim().replaceAll("\n", " "), markdown };
  loaded.set(name, found);
  return found;
}

/** Markdown as HTML; HTML that stands in it is shown, not obeyed. `root` as `rootPath` gives it. */
export function htmlOf(markdown: string, root: string): string {
  const html = Bun.markdown.html(markdown, {
    headings: { ids: true },
    noHtmlBlocks: true,
    noHtmlSpans: true,
  });
  return html
    .replaceAll('href="/', `href="${root}/`)
    .replaceAll("<pre><code", '<pre tabindex="0"><code');
}

/** Page of one guide. */
export function guidePage({ name, title, lead, markdown }: Guide, root: string): Page {
  const main = `<p class="crumbs"><a href="${root}/docs/guides">Guides</a></p>
${htmlOf(markdown, root)}`;
  const alternate = { href: `${root}/docs/guides/${name}.md`, type: "text/markdown" };
  return { title: `${title} · Innkeep guides`, description: lead, main, alternate };
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
