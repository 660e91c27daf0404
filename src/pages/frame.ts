/** The frame of the pages and the little HTML they need. Pages have no script of their own. */
import type { Config } from "../config.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it stands in HTML, in elements and in quoted attributes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!);
}

/** Text in which `backticks` mark code. */
export function prose(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

/** A table; the cells are HTML. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((each) => `<th scope="col">${each}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
  return `<div class="wide"><table><thead><tr>${head}</tr></thead>
<tbody>${body.join("\n")}</tbody></table></div>`;
}

/** Path that stands before those of the service when it is not served at the root of its host. */
export function rootPath({ baseUrl }: Pick<Config, "baseUrl">): string {
  return new URL(baseUrl).pathname.replace(/\/$/, "");
}

export interface Page {
  readonly title: string;
  /** One sentence for search engines and readers of the source. */
  readonly description: string;
  /** HTML of the head beyond the common parts. */
  readonly head?: string;
  /** HTML. */
  readonly main: string;
  /** Same page in another form. */
  readonly alternate?: { readonly href: string; readonly type: string };
}

/** A whole document. `root` as `rootPath` gives it, `styles` the address of the style sheet. */
export function documentOf(page: Page, root: string, styles: string): string {
  const { title, description, head = "", main, alternate } = page;
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
<body>
<header>
<a class="brand" href="${root}/docs"><img src="${root}/logo.svg" alt="" width="28" height="28">
Innkeep</a>
<nav aria-label="Documentation">
<a href="${root}/docs">Reference</a>
<a href="${root}/docs/errors">Errors</a>
<a href="${root}/docs/events">Events</a>
<a href="${root}/openapi.json">OpenAPI</a>
<a href="${root}/llms.txt">llms.txt</a>
<a href="${root}/.well-known/agent-card.json">Agent card</a>
</nav>
</header>
<main>
${main}
</main>
</body>
</html>
`;
}
