/** The document around pages for people. */
import type { VNode } from "preact";
import { type AssetName, assetUrl } from "../pages/assets.ts";
import { documentText, Head } from "../pages/document.tsx";

export interface Assets {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

/** Addresses of the style of all such pages and of these scripts; `root` is from `rootPath`. */
export async function assetsOf(root: string, scripts: readonly AssetName[] = []): Promise<Assets> {
  const urls = (names: readonly AssetName[]) =>
    Promise.all(names.map((name) => assetUrl(name, root)));
  return { styles: await urls(["console.css"]), scripts: await urls(scripts) };
}

interface HeadOf {
  readonly root: string;
  readonly title: string;
  readonly assets: Assets;
}

/** The head of such a page, which no search engine keeps. */
export function PersonHead({ root, title, assets }: HeadOf) {
  return <Head {...assets} title={`${title} · Innkeep`} icon={`${root}/logo.svg`} isUnlisted />;
}

interface Plain {
  /** Nothing of a guest: titles are in the history of browsers. */
  readonly title: string;
  readonly main: VNode;
  readonly script?: AssetName;
  /** Bookings and money are not real: true, or what says so. */
  readonly isTest?: boolean | string;
  /** Language of the document; English unless said. */
  readonly lang?: string;
}

/** A document without navigation. */
export async function renderedPlain(
  root: string,
  { title, main, script, isTest = false, lang = "en" }: Plain,
): Promise<string> {
  const assets = await assetsOf(root, script ? [script] : []);
  return documentText(
    <html lang={lang}>
      <PersonHead root={root} title={title} assets={assets} />
      <body class="console alone">
        {isTest && <TestBand {...(typeof isTest === "string" && { text: isTest })} />}
        <main id="main">{main}</main>
      </body>
    </html>,
  );
}

const TEST = "TEST: bookings and money of this mode are not real";

/** Says that nothing here is real. */
export function TestBand({ text = TEST }: { readonly text?: string }) {
  return <aside class="test-band">{text}</aside>;
}
