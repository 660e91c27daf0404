/** The common frame of pages, without script, and HTML helpers. */
import type { Config } from "../config.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for elements and quoted attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}

/** Text in which `backticks` mark code. */
export function prose(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

/**
 * A table; heads and cells are HTML. Each cell names its head, because below 600 px every row is a
 * card (`pages.css`); explicit roles survive that style.
 */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((each) => `<th role="columnheader" scope="col">${each}</th>`).join("");
  const labels = heads.map((each) => each.replace(/<[^>]+>/g, ""));
  const body = rows.map((row) => {
    const cells = row.map((cell, i) => {
      return `<td role="cell" data-label="${labels[i] ?? ""}"><div>${cell}</div></td>`;
    });
    return `<tr role="row">${cells.join("")}</tr>`;
  });
  return `<table role="table"><thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">${body.join("\n")}</tbody></table>`;
}

/** Path prefix of the service when it is not at the root of its host. */
export function rootPath({ baseUrl }: Pick<Config, "baseUrl">): string {
  return new URL(baseUrl).pathname.replace(/\/$/, "");
}

export interface Page {
  readonly title: string;
  /** One sentence, for search engines. */
  readonly description: string;
  readonly head?: string;
  /** HTML. */
  readonly main: string;
  /** `wide`: columns beside the text; `full`: the whole screen. Default one column. */
  readonly layout?: "wide" | "full";
  /** Same page in another form. */
  readonly alternate?: { readonly href: string; readonly type: string };
}

/** A whole document; `root` is from `rootPath`, `styles` the address of the style sheet. */
export function documentOf(page: Page, root: string, styles: string): string {
  const { title, description, head = "", main, alternate, layout } = page;
  const other = alternate
    ? `<link rel="alternate" type="${alternate.type}" href="${alternate.href}">`
    : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<meta name="description" content="${escaped(description)}">
<link rel="icon" href="${root}/logo.svg">
<link rel="stylesheet" href="${styles}">
${other}${head}
</head>
<body${layout ? ` class="${layout}"` : ""}>
<a class="skip" href="#main">To the content</a>
<header class="top">
<a class="brand" href="${root}/"><img src="${root}/logo.svg" alt="" width="28" height="28">
Innkeep</a>
<nav aria-label="Documentation">
<a href="${root}/docs">Reference</a>
<a href="${root}/docs/guides">Guides</a>
<a href="${root}/docs/errors">Errors</a>
<a href="${root}/docs/events">Events</a>
</nav>
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="bottom">
<nav aria-label="For programs">
<a href="${root}/openapi.json">OpenAPI</a>
<a href="${root}/llms.txt">llms.txt</a>
<a href="${root}/.well-known/agent-card.json">Agent card</a>
<a href="${root}/capabilities.json">Capabilities</a>
<a href="${root}/readyz">Status</a>
<a href="${root}/legal">Legal</a>
</nav>
</footer>
</body>
</html>
`;
}
