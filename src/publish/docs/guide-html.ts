/** Guides as HTML. Their Markdown is ours; HTML in it is escaped all the same. */

import { withDarkPictures } from "./pictures.ts";

/** Markdown as HTML. `root` is from `rootPath`. */
export function guideHtml(markdown: string, root: string): string {
  const html = Bun.markdown.html(markdown, {
    headings: { ids: true },
    noHtmlBlocks: true,
    noHtmlSpans: true,
  });
  return withDarkPictures(html, root)
    .replaceAll('href="/', `href="${root}/`)
    .replaceAll("<pre><code", '<pre tabindex="0"><code')
    .replace(/<table>.*?<\/table>/gs, tableHtml);
}

/** The same table as `Table` of the page parts makes. */
function tableHtml(found: string): string {
  const [heads = [], ...rows] = [...found.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => cell),
  );
  const labels = heads.map((each) => each.replace(/<[^>]+>/g, ""));
  const head = heads.map((each) => `<th role="columnheader" scope="col">${each}</th>`).join("");
  const body = rows.map((row) => {
    const cells = row.map(
      (cell, i) => `<td role="cell" data-label="${labels[i] ?? ""}"><div>${cell}</div></td>`,
    );
    return `<tr role="row">${cells.join("")}</tr>`;
  });
  return (
    `<table role="table"><thead role="rowgroup"><tr role="row">${head}</tr></thead>` +
    `<tbody role="rowgroup">${body.join("")}</tbody></table>`
  );
}
