/**
 * The whole document. It loads only pictures: styles are inline, so that a visitor waits for one
 * answer, and there is no script.
 */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { ComponentChildren } from "preact";
import type { PropertyEntry } from "../../../engine/core/state/state.ts";
import type { Locale } from "../../languages/languages.ts";
import type { Words } from "../../languages/words.ts";
import { documentText, Head, TrustedPlace } from "../../pages/document.tsx";
import { LOGO_SVG } from "../discovery/pages.ts";
import { jsonLd } from "./json-ld.ts";
import { bookingOf, footOf, hotelOf, othersOf, roomsOf } from "./lower-parts.tsx";
import { formOf, heroOf, notesOf, summaryOf } from "./parts.tsx";
import { questionsOf } from "./questions.tsx";
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
  readonly description?: string;
  /** Additional elements of the head. */
  readonly head?: ComponentChildren;
  readonly body: ComponentChildren;
  readonly data?: string;
}

function documentOf({ locale, title, description, head, body, data = "" }: Frame): string {
  return documentText(
    <html lang={locale.tag}>
      <Head title={title} description={description} icon={ICON} isUnlisted={head === undefined}>
        <style>
          <TrustedPlace name="style" />
        </style>
        {head}
      </Head>
      <body>{body}</body>
    </html>,
    { style: STYLE, data },
  );
}

/** The page of a hotel for a stay. */
export function hotelPage(view: View): string {
  const { property, locale, words, formats, asked, offers, publicUrl, links } = view;
  const { name, address } = property.tree;
  const { chosen } = offers;
  const dates = formats.days(asked.checkInDay, asked.checkInDay + asked.nights);
  const price = chosen === null ? words.nothingFree : formats.money(chosen.total, chosen.currency);
  const title = `${name}, ${address.city} · ${dates}`;
  const description = `${dates} · ${words.adultsOf(asked.adults)} · ${price}`;
  const head = (
    <>
      <link rel="canonical" href={publicUrl} />
      <link rel="service-desc" type="application/json" href={links.openapi_json} />
      <link rel="service-doc" type="text/html" href={links.docs} />
      <link rel="describedby" type="application/json" href={links.agent_card} />
      <script type="application/ld+json">
        <TrustedPlace name="data" />
      </script>
    </>
  );
  const body = (
    <>
      {heroOf(view)}
      <main class="wrap">
        {formOf(view)}
        {notesOf(view)}
        <div class="columns">
          <div class="side">{chosen && summaryOf(view, chosen)}</div>
          <div class="list">
            {othersOf(view)}
            {roomsOf(view)}
            {bookingOf(view)}
            {hotelOf(view)}
            {questionsOf(view)}
          </div>
        </div>
      </main>
      {footOf(view)}
    </>
  );
  return documentOf({ locale, title, description, head, body, data: jsonLd(view) });
}

interface Plain {
  readonly locale: Locale;
  readonly words: Words;
}

/** The page for an unknown hotel. */
export function missingPage({ locale, words }: Plain): string {
  const body = (
    <main class="wrap plain">
      <h1>{words.notFound}</h1>
      <p>{words.notFoundText}</p>
    </main>
  );
  return documentOf({ locale, title: words.notFound, body });
}

interface Choice extends Plain {
  readonly query: ReadonlyMap<string, string>;
  readonly hotels: readonly PropertyEntry[];
  /** Relative address of a hotel's page by its id. */
  readonly here: (id: string) => string;
}

/** The page for a slug of several tenants: a link to each hotel, for the same stay. */
export function choicePage({ locale, words, query, hotels, here }: Choice): string {
  const addressOf = ({ tenant_id, tree }: PropertyEntry) => {
    const params = new URLSearchParams([...query]);
    params.delete("hotel");
    params.set("tenant_id", tenant_id);
    return `${here(tree.id)}?${params}`;
  };
  const body = (
    <main class="wrap plain">
      <h1>{words.whichHotel}</h1>
      <ul>
        {hotels.map((hotel) => (
          <li>
            <a href={addressOf(hotel)} dir="auto">
              {`${hotel.tree.name}, ${hotel.tree.address.city}`}
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
  return documentOf({ locale, title: words.whichHotel, body });
}
