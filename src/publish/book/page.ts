/**
 * The whole document. It loads only pictures: styles are inline, so that a visitor waits for one
 * answer, and there is no script.
 */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import type { Locale } from "../../languages/languages.ts";
import type { Words } from "../../languages/words.ts";
import { escaped } from "../../pages/frame.ts";
import { LOGO_SVG } from "../discovery/pages.ts";
import { jsonLd } from "./json-ld.ts";
import { bookingOf, footOf, hotelOf, othersOf, roomsOf } from "./lower-parts.ts";
import { formOf, heroOf, notesOf, summaryOf } from "./parts.ts";
import { questionsOf } from "./questions.ts";
import type { View } from "./view.ts";

const STYLE = (await Bun.file(fileURLToPath(import.meta.resolve("./book.css"))).text()).trim();
/** Inline: the page may be served where ours is not. */
const ICON = `data:image/svg+xml,${encodeURIComponent(LOGO_SVG)}`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** No script or frame; the form leads back here; pictures are the hotel's own. */
export const POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
  `style-src 'sha256-${STYLE_HASH}'; img-src https: data:`;

interface Frame {
  readonly locale: Locale;
  readonly title: string;
  /** Additional HTML of the head. */
  readonly head: string;
  readonly body: string;
}

function documentOf({ locale, title, head, body }: Frame): string {
  return `<!doctype html>
<html lang="${locale.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="${escaped(ICON)}">
<style>${STYLE}</style>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

/** The page of a hotel for a stay. */
export function hotelPage(view: View): string {
  const { property, locale, words, formats, asked, offers, publicUrl, links } = view;
  const { name, address } = property.tree;
  const { chosen } = offers;
  const dates = formats.days(asked.checkInDay, asked.checkInDay + asked.nights);
  const price = chosen === null ? words.nothingFree : formats.money(chosen.total, chosen.currency);
  const title = `${name}, ${address.city} · ${dates}`;
  const about = `${dates} · ${words.adultsOf(asked.adults)} · ${price}`;
  const head = `<meta name="description" content="${escaped(about)}">
<link rel="canonical" href="${escaped(publicUrl)}">
<link rel="service-desc" type="application/json" href="${escaped(links.openapi_json)}">
<link rel="service-doc" type="text/html" href="${escaped(links.docs)}">
<link rel="describedby" type="application/json" href="${escaped(links.agent_card)}">
${jsonLd(view)}`;
  const body = `${heroOf(view)}
<main class="wrap">
${formOf(view)}
${notesOf(view)}
<div class="columns">
<div class="side">${chosen === null ? "" : summaryOf(view, chosen)}</div>
<div class="list">
${othersOf(view)}
${roomsOf(view)}
${bookingOf(view)}
${hotelOf(view)}
${questionsOf(view)}
</div>
</div>
</main>
${footOf(view)}`;
  return documentOf({ locale, title, head, body });
}

interface Plain {
  readonly locale: Locale;
  readonly words: Words;
}

/** The page for an unknown hotel. */
export function missingPage({ locale, words }: Plain): string {
  const body = `<main class="wrap plain">
<h1>${words.notFound}</h1>
<p>${words.notFoundText}</p>
</main>`;
  const head = '<meta name="robots" content="noindex">';
  return documentOf({ locale, title: words.notFound, head, body });
}

interface Choice extends Plain {
  readonly query: ReadonlyMap<string, string>;
  readonly hotels: readonly PropertyEntry[];
  /** Relative address of a hotel's page by its id. */
  readonly here: (id: string) => string;
}

/** The page for a slug of several tenants: a link to each hotel, for the same stay. */
export function choicePage({ locale, words, query, hotels, here }: Choice): string {
  const items = hotels.map(({ tenant_id, tree }) => {
    const params = new URLSearchParams([...query]);
    params.delete("hotel");
    params.set("tenant_id", tenant_id);
    const text = `${tree.name}, ${tree.address.city}`;
    return `<li><a href="${escaped(`${here(tree.id)}?${params}`)}" dir="auto">${escaped(text)}</a></li>`;
  });
  const body = `<main class="wrap plain">
<h1>${words.whichHotel}</h1>
<ul>${items.join("")}</ul>
</main>`;
  const head = '<meta name="robots" content="noindex">';
  return documentOf({ locale, title: words.whichHotel, head, body });
}
