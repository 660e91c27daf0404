/**
 * The API reference: a static list of all operations, which `reference.js` replaces by the OpenAPI
 * document in Scalar, with samples for this installation. In a demo the script has a key for each
 * visitor.
 */
import type { Config } from "../../config.ts";
import { type Contract, documentedPath, TAGS } from "../../http/contract.ts";
import { Prose } from "../../page-parts/parts.tsx";
import { type Page, rootPath } from "../../pages/frame.ts";

/** Addresses of the page's additional files. */
export interface ReferenceAssets {
  readonly styles: string;
  readonly viewer: string;
  readonly start: string;
}

/** The page at `/docs`. `isDemo`: visitors can get their own key. */
export function referencePage(
  config: Config,
  assets: ReferenceAssets,
  routes: readonly Contract[],
  isDemo: boolean,
): Page {
  const root = rootPath(config);
  const main = (
    <div
      id="reference"
      data-url={`${root}/openapi.json`}
      data-viewer={assets.viewer}
      data-visitors={isDemo ? `${root}/demo/visitors` : undefined}
    >
      <div class="operations">
        <h1>Innkeep API</h1>
        <p class="lead">
          Every operation; schemas, samples and <em>Test Request</em> follow in a moment, by a
          script. Without one, read <a href={`${root}/openapi.yaml`}>the OpenAPI document</a>,{" "}
          <a href={`${root}/llms-full.txt`}>every call as text</a> or{" "}
          <a href={`${root}/docs/guides`}>the guides</a>.
        </p>
        {Object.entries(TAGS).map(([tag, about]) => operationsOf(tag, about, routes))}
      </div>
    </div>
  );
  return {
    title: "Innkeep API reference",
    description: "Search, quote, hold, book and cancel hotel rooms: every operation.",
    main,
    layout: "full",
    styles: [assets.styles],
    scripts: [assets.start],
  };
}

/** The operations of a tag, with the viewer's fragment ids. */
function operationsOf(tag: string, about: string, routes: readonly Contract[]) {
  const own = routes.filter((each) => each.tag === tag);
  if (own.length === 0) return null;
  const place = tag.toLowerCase().replaceAll(" ", "-");
  return (
    <>
      <h2>{tag}</h2>
      <p>
        <Prose text={about} />
      </p>
      <ul>
        {own.map((route) => (
          <li id={`tag/${place}/${route.id}`}>
            <a href={`#tag/${place}/${route.id}`}>
              <code>{`${route.method} ${documentedPath(route)}`}</code>
            </a>{" "}
            {route.summary}
          </li>
        ))}
      </ul>
    </>
  );
}
